// Rules that pages of calls have in common, and the pages that consist of nothing else.
#pragma once

#include <librpma.h>

#include "spec/families.h"
#include "spec/model/call_judge.h"

namespace spec {

// The clause that argument `kIndex` must not be NULL.
template <std::size_t kIndex>
constexpr Clause<Call> WhenNull(const Rule* rule) {
  return {rule, [](const Call& call) { return call[kIndex].null(); }, RPMA_E_INVAL};
}

// What every function that returns a code has.
template <Literal kFunction>
struct FunctionFamily {
  static constexpr std::string_view kName = kJoined<kFunction>;
  static constexpr std::string_view kPageName = kJoined<kFunction, "(3)">;

  template <Literal kId>
  static constexpr Rule Must(std::string_view section, std::string_view sentence) {
    return {kJoined<kFunction, ".", kId>, kPageName, section, Force::kMust, sentence};
  }
  // What the page leaves open.
  template <Literal kId>
  static constexpr Rule Open(std::string_view section, std::string_view sentence) {
    return {kJoined<kFunction, ".", kId>, kPageName, section, Force::kUnspecified, sentence};
  }

  // What a careful library does all the same.
  template <Literal kId>
  static constexpr Rule Should(std::string_view section, model::Sight wanted,
                               std::string_view sentence) {
    return {kJoined<kFunction, ".", kId>, kPageName, section, Force::kShould, sentence, wanted};
  }

  static constexpr Rule kReturnValue = Must<"return-value">(
      "RETURN VALUE",
      "The call returns 0 or a negative error code that the page lists, and nothing else.");
  static constexpr Rule kAccepted =
      Must<"accepted">("RETURN VALUE", "A call that no clause of ERRORS forbids succeeds.");
  static constexpr Rule kOtherCallFails = Should<"other-call-fails">(
      "ERRORS", model::Sight::kRefusedProvider,
      "A call that fails with a call of the provider that the page does not name returns "
      "RPMA_E_PROVIDER.");
  static constexpr Rule kNoMemory =
      Must<"no-memory">("ERRORS", "When memory cannot be had the call returns RPMA_E_NOMEM.");

  template <Literal kArgument>
  static constexpr Rule kNull{
      kJoined<kFunction, ".", kArgument.Dashed(), "-null">, kPageName, "ERRORS", Force::kMust,
      kJoined<"A call without ", kArgument, " is refused with RPMA_E_INVAL.">};
  // `kArgument`: the out-parameter.
  template <Literal kArgument>
  static constexpr Rule kUntouched{kJoined<kFunction, ".untouched">, kPageName, "RETURN VALUE",
                                   Force::kMust,
                                   kJoined<"After an error *", kArgument, " is what it was.">};
};

inline constexpr int kInval[] = {RPMA_E_INVAL};

// A page that makes an object from nothing but memory: int new(T **ptr).
template <Literal kFunction, Literal kType, Literal kArgument>
struct NewFamily : FunctionFamily<kFunction> {
  using F = FunctionFamily<kFunction>;
  static constexpr Rule kMade{kJoined<kFunction, ".made">, F::kPageName, "DESCRIPTION",
                              Force::kMust,
                              kJoined<"On success *", kArgument, " is a new object.">};
  static constexpr auto kRules =
      These(&kMade, &F::kReturnValue, &F::kAccepted, &F::template kUntouched<kArgument>,
            &F::template kNull<kArgument>, &F::kNoMemory);
  static constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::template kNull<kArgument>)};
  static constexpr FaultClause kFaults[] = {{"malloc", 0, &F::kNoMemory, RPMA_E_NOMEM}};
  static constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NOMEM};

  // `succeeded` calls outcome.Made(&kMade, 0, type) and gives the object its defaults.
  static constexpr CallPage PageWith(void (*succeeded)(model::Outcome&)) {
    return {.function = F::kName,
            .rules = kRules,
            .errors = kErrors,
            .faults = kFaults,
            .codes = kCodes,
            .return_value = &F::kReturnValue,
            .accepted = &F::kAccepted,
            .untouched = &F::template kUntouched<kArgument>,
            .succeeded = succeeded};
  }
};

// A page that ends an object which is nothing but memory: int delete(T **ptr).
template <Literal kFunction, Literal kArgument>
struct DeleteFamily : FunctionFamily<kFunction> {
  using F = FunctionFamily<kFunction>;
  static constexpr Rule kNulled{kJoined<kFunction, ".nulled">, F::kPageName, "DESCRIPTION",
                                Force::kMust, kJoined<"On success *", kArgument, " is NULL.">};
  static constexpr Rule kAccepted{
      kJoined<kFunction, ".accepted">, F::kPageName, "RETURN VALUE", Force::kMust,
      kJoined<"A call that no clause of ERRORS forbids succeeds, also when *", kArgument,
              " is NULL.">};
  static constexpr auto kRules =
      These(&kNulled, &F::kReturnValue, &kAccepted, &F::template kNull<kArgument>);
  static constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::template kNull<kArgument>)};
  static constexpr CallPage kPage{
      .function = F::kName,
      .rules = kRules,
      .errors = kErrors,
      .codes = kInval,
      .return_value = &F::kReturnValue,
      .accepted = &kAccepted,
      .succeeded = [](model::Outcome& outcome) { outcome.Ended(&kNulled, 0); }};
};

// A page that sets a property: int set(T *object, V property). Whether it was kept shows when it is
// asked for.
template <Literal kFunction, Literal kObject, Literal kProperty>
struct SetFamily : FunctionFamily<kFunction> {
  using F = FunctionFamily<kFunction>;
  static constexpr Rule kStored{kJoined<kFunction, ".stored">, F::kPageName, "DESCRIPTION",
                                Force::kMust, "What was set last is what the object has."};
  static constexpr auto kRules =
      These(&kStored, &F::kReturnValue, &F::kAccepted, &F::template kNull<kObject>);
  static constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::template kNull<kObject>)};

  static constexpr void Store(model::Outcome& outcome) {
    outcome[0].thing->numbers[kJoined<kProperty>] = outcome[1].word;
    outcome[0].thing->setters[kJoined<kProperty>] = &kStored;
  }
  static constexpr CallPage kPage{.function = F::kName,
                                  .rules = kRules,
                                  .errors = kErrors,
                                  .codes = kInval,
                                  .return_value = &F::kReturnValue,
                                  .accepted = &F::kAccepted,
                                  .succeeded = Store};
};

// A page that asks for a property: int get(const T *object, V *out). `kKeeps`: the page says that
// an error leaves *out alone.
template <Literal kFunction, Literal kObject, Literal kOut, Literal kProperty, Literal kSentence,
          bool kKeeps = true>
struct GetFamily : FunctionFamily<kFunction> {
  using F = FunctionFamily<kFunction>;
  static constexpr Rule kValue{kJoined<kFunction, ".value">, F::kPageName, "DESCRIPTION",
                               Force::kMust, kJoined<kSentence>};
  static constexpr auto kRules = [] {
    constexpr auto returns = These(&kValue, &F::kReturnValue, &F::kAccepted);
    constexpr auto errors = These(&F::template kNull<kObject>, &F::template kNull<kOut>);
    if constexpr (kKeeps)
      return Together(returns, These(&F::template kUntouched<kOut>), errors);
    else
      return Together(returns, errors);
  }();
  static constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::template kNull<kObject>),
                                             WhenNull<1>(&F::template kNull<kOut>)};
  static constexpr CallPage kPage{.function = F::kName,
                                  .rules = kRules,
                                  .errors = kErrors,
                                  .codes = kInval,
                                  .return_value = &F::kReturnValue,
                                  .accepted = &F::kAccepted,
                                  .untouched = kKeeps ? &F::template kUntouched<kOut> : nullptr,
                                  .succeeded = [](model::Outcome& outcome) {
                                    outcome.ExpectProperty(&kValue, 1, kJoined<kProperty>);
                                  }};
};

// A page of a function that answers with a text: const char *function(value). `kNoun`: what the
// values are that `known` knows.
template <Literal kFunction, Literal kNoun, bool (*known)(std::int64_t)>
struct TextFamily : FunctionFamily<kFunction> {
  using F = FunctionFamily<kFunction>;
  static constexpr Rule kText = F::template Must<"text">(
      "RETURN VALUE", "Whatever the value, the call returns a text, and it is not empty.");
  static constexpr Rule kDistinct =
      F::template Must<"distinct">("DESCRIPTION", kJoined<"Two ", kNoun, "s have two texts.">);
  static constexpr Rule kConstant =
      F::template Must<"constant">("RETURN VALUE", "The same value always gives the same text.");
  static constexpr Rule kUnknown = F::template Open<"unknown">(
      "DESCRIPTION", kJoined<"What a value gives that is no ", kNoun, ".">);
  static constexpr auto kRules = These(&kText, &kDistinct, &kConstant, &kUnknown);

  static void Answered(model::Outcome& outcome) {
    const std::int64_t value = static_cast<int>(outcome[0].word);
    const bool given = !outcome.returned_null() && !outcome.text().empty();
    outcome.Expect(&kText, given, "a text", outcome.returned_null() ? "NULL" : "an empty text");
    if (!given) return;
    const std::string text(outcome.text());
    if (known(value)) {
      outcome.Expect(&kDistinct, !OfAnother(outcome, value, text), "a text of its own",
                     "\"" + text + "\", as of another");
    } else {
      outcome.Saw(&kUnknown, model::Sight::kAccepted);
    }
    const auto [entry, fresh] = outcome.world().texts.try_emplace({F::kName, value}, text);
    if (!fresh)
      outcome.Expect(&kConstant, entry->second == text, "\"" + entry->second + "\" again",
                     "\"" + text + "\"");
  }
  static bool OfAnother(model::Outcome& outcome, std::int64_t value, const std::string& text) {
    for (const auto& [key, said] : outcome.world().texts)
      if (key.first == F::kName && key.second != value && known(key.second) && said == text)
        return true;
    return false;
  }
  static constexpr CallPage kPage{.function = F::kName, .rules = kRules, .succeeded = Answered};
};

}  // namespace spec
