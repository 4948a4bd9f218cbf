#pragma once

#include <cstdio>
#include <cstdlib>

// Ends the fuzzer, which then keeps the input, unless the condition holds.
#define REQUIRE(condition)                                                      \
  do {                                                                          \
    if (!(condition)) {                                                         \
      std::fprintf(stderr, "%s:%d: not: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                             \
    }                                                                           \
  } while (false)
