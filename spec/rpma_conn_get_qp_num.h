// rpma_conn_get_qp_num(3): the number of a connection's queue pair. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_get_qp_num {

using F = FunctionFamily<"rpma_conn_get_qp_num">;

inline constexpr Rule kUnique = F::Must<"unique">(
    "DESCRIPTION",
    "*qp_num becomes the connection's number, always the same, which no other connection of the "
    "device has.");

inline constexpr auto kRules =
    These(&kUnique, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"qp_num">, &F::kNull<"conn">,
          &F::kNull<"qp_num">);

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"conn">),
                                           WhenNull<1>(&F::kNull<"qp_num">)};

inline void Succeeded(model::Outcome& outcome) {
  model::Thing& conn = *outcome[0].thing;
  const std::uint64_t number = outcome[1].out();
  const bool same = conn.numbers.count("qp_num") == 0 || conn.number("qp_num") == number;
  bool taken = false;
  for (const auto& other : outcome.world().things())
    if (other.get() != &conn && other->live && other->numbers.count("qp_num") > 0)
      taken = taken || other->number("qp_num") == number;
  outcome.Expect(&kUnique, outcome[1].out() < (1u << 24) && same && !taken,
                 "*qp_num is the number of this queue pair alone",
                 taken ? "another connection has it"
                       : (same ? "it is no number of a queue pair" : "it was another before"));
  conn.numbers["qp_num"] = number;
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .codes = kInval,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"qp_num">,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_conn_get_qp_num
