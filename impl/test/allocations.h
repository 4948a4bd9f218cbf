// Faults of the allocator.
#pragma once

namespace rpma::test {

// The nth allocation from now on throws std::bad_alloc; 0 for none. The provider's own are free.
void FailNthAllocation(int nth);
bool AllocationFailed();

class AllocationsSucceed {
 public:
  AllocationsSucceed();
  ~AllocationsSucceed();

 private:
  int suspended_;
};

}  // namespace rpma::test
