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

// clang-format off
namespace rpma_write { extern const PageChecks kChecks; }
namespace rpma_atomic_write { extern const PageChecks kChecks; }
namespace rpma_read { extern const PageChecks kChecks; }
namespace rpma_flush { extern const PageChecks kChecks; }
namespace rpma_write_with_imm { extern const PageChecks kChecks; }
namespace rpma_send { extern const PageChecks kChecks; }
namespace rpma_send_with_imm { extern const PageChecks kChecks; }
namespace rpma_recv { extern const PageChecks kChecks; }
namespace rpma_srq_recv { extern const PageChecks kChecks; }
namespace rpma_conn_req_recv { extern const PageChecks kChecks; }
// clang-format on

inline const PageChecks* const kAllChecks[] = {
    &rpma_write::kChecks,         &rpma_atomic_write::kChecks,   &rpma_read::kChecks,
    &rpma_flush::kChecks,         &rpma_write_with_imm::kChecks, &rpma_send::kChecks,
    &rpma_send_with_imm::kChecks, &rpma_recv::kChecks,           &rpma_srq_recv::kChecks,
    &rpma_conn_req_recv::kChecks};

}  // namespace conformance
