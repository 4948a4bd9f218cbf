// What the dynamic loader would do with a program.
#pragma once

#include <string>
#include <vector>

namespace fakenic {

struct LoadedLibrary {
  std::string name;
  std::string path;  // empty: not found
};

// Asks the loader, without running the program, which libraries it would load with the fake's
// directory in front of the library path.
std::vector<LoadedLibrary> TraceLoad(const std::string& interpreter, const std::string& program,
                                     const std::string& fake_dir);

// The library path with this directory in front.
std::string LibraryPath(const std::string& fake_dir);

}  // namespace fakenic
