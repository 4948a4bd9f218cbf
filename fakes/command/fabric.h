// What a person does with a fabric: look at it, and cut, slow or mend its links.
#pragma once

#include <iosfwd>
#include <string>

namespace fakenic {

// Lists hosts, processes and their queue pairs. Returns the exit status.
int PrintFabric(const std::string& directory, std::ostream& out, std::ostream& errors);

// Makes the link between two hosts, given by name, as it shall be: "up", "cut", or "slow" with a
// delay for each direction. Returns the exit status.
int SetLink(const std::string& directory, const std::string& a, const std::string& b,
            const std::string& state, unsigned delay_us, std::ostream& errors);

// Whether programs can meet there; if not, says why.
bool CheckFabric(const std::string& directory, std::ostream& errors);

}  // namespace fakenic
