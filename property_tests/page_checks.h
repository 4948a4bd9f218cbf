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
  Config config;  // of the connection under the argument table
  std::vector<Product> (*products)(
      std::uint64_t seed);                 // `seed` picks the values between the classes
  std::span<const char* const> sequences;  // programs in text form
  StepKind kind;                           // the step that calls the page's function
};

extern const PageChecks kRpmaWriteChecks;
extern const PageChecks kRpmaAtomicWriteChecks;
extern const PageChecks kRpmaReadChecks;
extern const PageChecks kRpmaFlushChecks;
extern const PageChecks kRpmaWriteWithImmChecks;
extern const PageChecks kRpmaSendChecks;
extern const PageChecks kRpmaSendWithImmChecks;
extern const PageChecks kRpmaRecvChecks;
extern const PageChecks kRpmaSrqRecvChecks;
extern const PageChecks kRpmaConnReqRecvChecks;

inline const PageChecks* const kAllChecks[] = {
    &kRpmaWriteChecks,        &kRpmaAtomicWriteChecks, &kRpmaReadChecks,        &kRpmaFlushChecks,
    &kRpmaWriteWithImmChecks, &kRpmaSendChecks,        &kRpmaSendWithImmChecks, &kRpmaRecvChecks,
    &kRpmaSrqRecvChecks,      &kRpmaConnReqRecvChecks};

}  // namespace conformance
