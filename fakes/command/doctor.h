// Why a program would not start, or not meet the fake, when it is run with the fake's directory on
// the library path.
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

namespace fakenic {

struct Finding {
  std::string cause;  // what was found, in the file or by the loader
  std::string fix;
};

// Every cause that was found; none if the program would start on the fake.
std::vector<Finding> Examine(const std::string& program, const std::string& fake_dir);

// Whether the loader ignores LD_LIBRARY_PATH for this file, run by this user.
bool RunsPrivileged(const struct stat& file, uid_t user, gid_t group);

}  // namespace fakenic
