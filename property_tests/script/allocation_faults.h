// Makes the nth allocation of the library under test fail, and of nobody else: its calls and those
// of the libraries that came with it, through their own relocation tables, are led past a counter.
#pragma once

#include <string_view>

namespace conformance {

class AllocationFaults {
 public:
  // `handle`: of dlopen. Leads its allocation calls past the counter from now on.
  explicit AllocationFaults(void* handle);

  // The functions that can fail: "malloc" stands for every way to get memory from the heap.
  static bool Knows(std::string_view name) {
    return name == "malloc" || name == "mmap" || name == "munmap";
  }

  // The nth call from now (1 is the next) fails.
  void Plan(std::string_view name, unsigned nth);
  // The nth call from now fails; 0: none does.
  unsigned left(std::string_view name) const;
  // How often a plan has fired since Clear.
  unsigned fired() const;
  void Clear();
};

}  // namespace conformance
