// The registered checks of one page: its argument products and its sequences. Random programs need
// no registration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "property_tests/program/argument_table.h"
#include "spec/page.h"

namespace conformance {

struct PageChecks {
  const spec::Page* page;
  std::size_t region;  // the size of each region under the argument table
  std::vector<Product> (*products)(
      std::uint64_t seed);                 // `seed` picks the values between the classes
  std::span<const char* const> sequences;  // programs in text form
  StepKind kind;                           // the step that calls the page's function
};

extern const PageChecks kRpmaWriteChecks;
extern const PageChecks kRpmaAtomicWriteChecks;

inline const PageChecks* const kAllChecks[] = {&kRpmaWriteChecks, &kRpmaAtomicWriteChecks};

}  // namespace conformance
