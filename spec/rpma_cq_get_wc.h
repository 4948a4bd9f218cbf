// rpma_cq_get_wc(3): takes completions from a queue. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_cq_get_wc {

using F = FunctionFamily<"rpma_cq_get_wc">;

inline constexpr Rule kGot = F::Must<"got">(
    "DESCRIPTION",
    "*num_entries_got becomes how many completions wc holds: all that there are, at most "
    "num_entries.");
inline constexpr Rule kCompletions = F::Must<"completions">(
    "DESCRIPTION", "The completions are those of the operations that have completed, in order.");
inline constexpr Rule kWithin =
    F::Must<"within">("DESCRIPTION", "Entries of wc behind those that it got are what they were.");
inline constexpr Rule kEntries = F::Must<"num-entries-low">(
    "ERRORS", "A call for less than one completion is refused with RPMA_E_INVAL.");
inline constexpr Rule kGotNull = F::Must<"num-entries-got-null">(
    "ERRORS",
    "A call for several completions that gives no place for their number is refused with "
    "RPMA_E_INVAL.");
inline constexpr Rule kNoCompletion = F::Must<"no-completion">(
    "ERRORS", "When no completion is there the call returns RPMA_E_NO_COMPLETION.");
inline constexpr Rule kProvider =
    F::Must<"provider">("ERRORS", "When ibv_poll_cq fails the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kUnderWay = F::Open<"under-way">(
    "DESCRIPTION", "What a call gives while it is open whether an operation has completed.");

inline constexpr auto kRules =
    These(&kGot, &kCompletions, &kWithin, &F::kReturnValue, &F::kAccepted, &F::kNull<"cq">,
          &F::kNull<"wc">, &kEntries, &kGotNull, &kNoCompletion, &kProvider, &kUnderWay);

inline int Entries(const Call& call) { return static_cast<int>(call[1].word); }
inline bool Proper(const Call& call) {
  return call[0].thing != nullptr && !call[2].null() && Entries(call) > 0 &&
         (Entries(call) == 1 || !call[3].null());
}

inline constexpr Clause<Call> kErrors[] = {
    WhenNull<0>(&F::kNull<"cq">),
    WhenNull<2>(&F::kNull<"wc">),
    {&kEntries, [](const Call& call) { return Entries(call) < 1; }, RPMA_E_INVAL},
    {&kGotNull, [](const Call& call) { return Entries(call) > 1 && call[3].null(); }, RPMA_E_INVAL},
    {&kNoCompletion,
     [](const Call& call) {
       return Proper(call) && !call[0].thing->queue->unclear &&
              call[0].thing->queue->completions.empty();
     },
     RPMA_E_NO_COMPLETION}};
inline constexpr FaultClause kFaults[] = {{"ibv_poll_cq", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr OpenCase kOpen[] = {{&kUnderWay, [](const Call& call) {
                                        const model::CompletionQueue& queue = *call[0].thing->queue;
                                        return queue.unclear ||
                                               !(call.world->instant || queue.ready);
                                      }}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NO_COMPLETION, RPMA_E_PROVIDER,
                                 RPMA_E_UNKNOWN};

inline ibv_wc EntryOf(const Argument& wc, std::size_t i) {
  ibv_wc entry;
  std::memcpy(&entry, wc.after.data() + i * sizeof entry, sizeof entry);
  return entry;
}

inline void ExpectEntries(model::Outcome& outcome, model::CompletionQueue& queue, int got) {
  for (int i = 0; i < got && !outcome.broke(); ++i) {
    const ibv_wc entry = EntryOf(outcome[2], static_cast<std::size_t>(i));
    const std::uint64_t wanted = queue.completions.front();
    queue.completions.pop_front();
    outcome.Expect(
        &kCompletions, entry.status == IBV_WC_SUCCESS && entry.wr_id == wanted,
        "wr_id " + std::to_string(wanted) + " status success",
        "wr_id " + std::to_string(entry.wr_id) + " status " + std::to_string(entry.status));
  }
  const std::size_t end = static_cast<std::size_t>(got) * sizeof(ibv_wc);
  outcome.Expect(&kWithin,
                 std::equal(outcome[2].before.begin() + end, outcome[2].before.end(),
                            outcome[2].after.begin() + end),
                 "entries behind the last are what they were", "they have changed");
}

inline void Succeeded(model::Outcome& outcome) {
  model::CompletionQueue& queue = *outcome[0].thing->queue;
  if (queue.unclear) return;
  queue.ready = false;
  const int there = static_cast<int>(queue.completions.size());
  const int got = outcome[3].null() ? 1 : static_cast<int>(outcome[3].out());
  const int most = std::min(Entries(outcome.call()), there);
  const int least = outcome.world().instant ? most : 1;
  outcome.Expect(&kGot, least <= got && got <= most,
                 std::to_string(least) + " to " + std::to_string(most) + " completions",
                 std::to_string(got));
  if (!outcome.broke()) ExpectEntries(outcome, queue, got);
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .open = kOpen,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_cq_get_wc
