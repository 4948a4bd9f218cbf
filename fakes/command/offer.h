// What the fake offers, asked of the library itself.
#pragma once

#include <iosfwd>
#include <string>

namespace fakenic {

// Writes device, limits, profile and what is not modelled. False, with the loader's reason, if the
// library cannot be loaded.
bool PrintOffer(const std::string& fake_dir, std::ostream& out);

}  // namespace fakenic
