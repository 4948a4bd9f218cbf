// The allocator of the test program, which can be made to fail.
#include "allocations.h"

#include <cstdlib>
#include <new>

namespace rpma::test {
namespace {

int allocations_until_failure = 0;
bool allocation_failed = false;

}  // namespace

void* Allocate(size_t size) {
  if (allocations_until_failure > 0 && --allocations_until_failure == 0) {
    allocation_failed = true;
    throw std::bad_alloc();
  }
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

void FailNthAllocation(int nth) {
  allocations_until_failure = nth;
  allocation_failed = false;
}

bool AllocationFailed() { return allocation_failed; }

AllocationsSucceed::AllocationsSucceed() : suspended_(allocations_until_failure) {
  allocations_until_failure = 0;
}

AllocationsSucceed::~AllocationsSucceed() { allocations_until_failure = suspended_; }

}  // namespace rpma::test
