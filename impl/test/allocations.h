// Faults of the allocator.
#pragma once

#include <cstddef>

namespace rpma::test {

// The nth allocation from now on throws std::bad_alloc; 0 for none. The provider's own are free.
void FailNthAllocation(int nth);
bool AllocationFailed();

// What operator new of the test program calls.
void* Allocate(size_t size);

class AllocationsSucceed {
 public:
  AllocationsSucceed();
  ~AllocationsSucceed();

 private:
  int suspended_;
};

}  // namespace rpma::test
