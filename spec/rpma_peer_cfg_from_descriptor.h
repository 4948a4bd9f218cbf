// rpma_peer_cfg_from_descriptor(3): what another peer's descriptor says. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_peer_cfg_from_descriptor {

using F = FunctionFamily<"rpma_peer_cfg_from_descriptor">;

inline constexpr Rule kMade =
    F::Must<"made">("DESCRIPTION", "On success *pcfg_ptr is a new object.");
inline constexpr Rule kDecoded = F::Must<"decoded">(
    "DESCRIPTION", "The object has what the descriptor says: a byte 0 false, a byte 1 true.");
inline constexpr Rule kSizeZero =
    F::Should<"desc-size-zero">("ERRORS", model::Sight::kRefusedInval,
                                "A descriptor of no bytes is refused with RPMA_E_INVAL.");
inline constexpr Rule kSizeLonger =
    F::Open<"desc-size-longer">("ERRORS", "What a descriptor with more bytes than its own gives.");
inline constexpr Rule kByteUndefined =
    F::Open<"byte-undefined">("ERRORS", "What a descriptor gives whose byte is neither 0 nor 1.");

inline constexpr auto kRules =
    These(&kMade, &kDecoded, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"pcfg_ptr">,
          &F::kNull<"desc">, &F::kNull<"pcfg_ptr">, &F::kNoMemory, &kSizeZero, &kSizeLonger,
          &kByteUndefined);
inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"desc">),
                                           WhenNull<2>(&F::kNull<"pcfg_ptr">)};
inline constexpr FaultClause kFaults[] = {{"malloc", 0, &F::kNoMemory, RPMA_E_NOMEM}};
inline constexpr OpenCase kOpen[] = {
    {&kSizeZero, [](const Call& call) { return call[1].word == 0; }},
    {&kSizeLonger, [](const Call& call) { return call[1].word > 1; }},
    {&kByteUndefined, [](const Call& call) { return call[0].before[0] > 1; }}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NOMEM};

inline void Succeeded(model::Outcome& outcome) {
  model::Thing* cfg = outcome.Made(&kMade, 2, "rpma_peer_cfg");
  if (cfg == nullptr) return;
  const bool empty = outcome[1].word == 0;
  cfg->numbers = {{"direct_write_to_pmem", !empty && outcome[0].before[0] != 0 ? 1 : 0},
                  {"desc_size", 1}};
  cfg->setters["direct_write_to_pmem"] = &kDecoded;
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .open = kOpen,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"pcfg_ptr">,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_peer_cfg_from_descriptor
