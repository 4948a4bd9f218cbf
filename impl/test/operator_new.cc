// The test program's operator new, which can be made to fail.
#include <cstdlib>
#include <new>

#include "allocations.h"

#ifdef WRAPPED_OPERATOR_NEW
extern "C" void* __wrap__Znwm(size_t size) { return rpma::test::Allocate(size); }
#else
void* operator new(size_t size) { return rpma::test::Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
#endif
