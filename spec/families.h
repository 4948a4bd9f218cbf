// Rules that pages have in common, said once: a page names its family's function and what an
// operation of it is called, and gets the rules with its own ids and sentences.
#pragma once

#include <array>

#include "spec/page.h"
#include "spec/rule.h"
#include "spec/words.h"

namespace spec {

using RuleRef = const Rule*;

// Groups of rules as one list, in this order.
template <std::size_t... sizes>
constexpr auto Together(const std::array<RuleRef, sizes>&... groups) {
  std::array<RuleRef, (0 + ... + sizes)> all{};
  std::size_t next = 0;
  const auto add = [&](const auto& group) {
    for (const Rule* rule : group) all[next++] = rule;
  };
  (add(groups), ...);
  return all;
}

template <class... Rules>
constexpr std::array<RuleRef, sizeof...(Rules)> These(const Rules*... rules) {
  return {rules...};
}

// What every function that posts a request has. `kSubject` and `kPlural` name its operations:
// "A write", "writes".
template <Literal kFunction, Literal kSubject, Literal kPlural, Literal kVerb, Literal kQueue,
          Literal kWhere = "on a working connection",
          Literal kAfter = "the connection works as before">
struct CallFamily {
  static constexpr std::string_view kPageName = kJoined<kFunction, "(3)">;

  template <Literal kId>
  static constexpr Rule Must(std::string_view section, std::string_view sentence) {
    return {kJoined<kFunction, ".", kId>, kPageName, section, Force::kMust, sentence};
  }
  // What the page leaves open.
  template <Literal kId>
  static constexpr Rule Open(std::string_view sentence) {
    return {kJoined<kFunction, ".", kId>, kPageName, "DESCRIPTION", Force::kUnspecified, sentence};
  }

  // What a careful library does all the same.
  template <Literal kId>
  static constexpr Rule Should(model::Sight wanted, std::string_view sentence) {
    return {
        kJoined<kFunction, ".", kId>, kPageName, "DESCRIPTION", Force::kShould, sentence, wanted};
  }

  static constexpr Rule kOpContext = Must<"op-context">(
      "DESCRIPTION",
      kJoined<"A completion of ", kSubject.Lowered(), " carries its op_context in wr_id.">);

  static constexpr Rule kReturnValue = Must<"return-value">(
      "RETURN VALUE",
      "The call returns 0 or a negative error code that the page lists, and nothing else.");
  static constexpr Rule kAccepted = Must<"accepted">(
      "RETURN VALUE",
      kJoined<kSubject, " that no clause of ERRORS forbids is accepted ", kWhere, ".">);
  static constexpr Rule kRefusedNoEffect = Must<"refused-no-effect">(
      "RETURN VALUE",
      "A call that returns an error posts nothing, yields no completion and changes no memory.");
  static constexpr Rule kUsableAfterRefusal =
      Must<"usable-after-refusal">("RETURN VALUE", kJoined<"After a refused call ", kAfter, ".">);
  static constexpr Rule kQueueDepth{kJoined<kFunction, ".queue-depth">, "librpma(7)",
                                    "QUEUES, PERFORMANCE AND RESOURCE USE", Force::kMust,
                                    kJoined<"As many ", kPlural, " as the ", kQueue,
                                            " was configured for may be outstanding at once.">};
  static constexpr auto kReturns =
      These(&kReturnValue, &kAccepted, &kRefusedNoEffect, &kUsableAfterRefusal, &kQueueDepth);

  static constexpr Rule kPostFailed = Must<"post-failed">(
      "ERRORS", kJoined<kSubject, " whose ", kVerb, " fails returns RPMA_E_PROVIDER.">);

  static constexpr Rule kPostAfterError =
      Open<"post-after-error">(kJoined<"What ", kSubject.Lowered(),
                                       " on a connection that an earlier error has broken does.">);

  static constexpr Page Roles() {
    Page page;
    page.function = kJoined<kFunction>;
    page.op_context = &kOpContext;
    page.return_value = &kReturnValue;
    page.accepted = &kAccepted;
    page.refused_no_effect = &kRefusedNoEffect;
    page.usable_after_refusal = &kUsableAfterRefusal;
    page.queue_depth = &kQueueDepth;
    page.post_failed = &kPostFailed;
    page.post_after_error = &kPostAfterError;
    return page;
  }
};

// Of an operation that goes through the send queue: completions as its flags ask for them.
template <Literal kFunction, Literal kSubject, Literal kPlural>
struct SendFamily : CallFamily<kFunction, kSubject, kPlural, "ibv_post_send", "send queue"> {
  using Call = CallFamily<kFunction, kSubject, kPlural, "ibv_post_send", "send queue">;
  template <Literal kId>
  static constexpr Rule Must(std::string_view section, std::string_view sentence) {
    return Call::template Must<kId>(section, sentence);
  }
  template <Literal kId>
  static constexpr Rule Open(std::string_view sentence) {
    return Call::template Open<kId>(sentence);
  }
  template <Literal kId>
  static constexpr Rule Should(model::Sight wanted, std::string_view sentence) {
    return Call::template Should<kId>(wanted, sentence);
  }

  static constexpr Rule kOnErrorSilent = Must<"on-error-silent">(
      "DESCRIPTION",
      kJoined<kSubject, " posted with ON_ERROR that succeeds yields no completion.">);
  static constexpr Rule kOnErrorReports = Must<"on-error-reports">(
      "DESCRIPTION", kJoined<kSubject,
                             " posted with ON_ERROR that fails yields exactly one "
                             "completion, with an error status.">);
  static constexpr Rule kAlwaysSuccess = Must<"always-success">(
      "DESCRIPTION", kJoined<kSubject,
                             " posted with ALWAYS that succeeds yields exactly one "
                             "completion, with status success.">);
  static constexpr Rule kAlwaysFailure = Must<"always-failure">(
      "DESCRIPTION", kJoined<kSubject,
                             " posted with ALWAYS that fails yields exactly one "
                             "completion, with an error status.">);
  static constexpr auto kCompletions =
      These(&kOnErrorSilent, &kOnErrorReports, &kAlwaysSuccess, &kAlwaysFailure, &Call::kOpContext);

  static constexpr Rule kConnNull = Must<"conn-null">(
      "ERRORS", kJoined<kSubject, " without a connection is refused with RPMA_E_INVAL.">);
  static constexpr Rule kFlagsZero = Must<"flags-zero">(
      "ERRORS", kJoined<kSubject, " with no completion flag is refused with RPMA_E_INVAL.">);

  static constexpr Rule kFlagsUndefined =
      Open<"flags-undefined">("What flags with bits that no constant defines mean.");
  static constexpr Rule kFlagsBit1Alone =
      Open<"flags-bit-1-alone">("What the bit that ALWAYS has and ON_ERROR has not means alone.");
  static constexpr auto kOpenFlags = These(&kFlagsUndefined, &kFlagsBit1Alone);

  static constexpr Rule kCompletionOrder = Should<"completion-order">(
      model::Sight::kInOrder,
      kJoined<"Completions of ", kPlural, " of one connection come in the order of the calls.">);
  static constexpr auto kOpenOutcomes = These(&Call::kPostAfterError, &kCompletionOrder);

  static constexpr Page Roles() {
    Page page = Call::Roles();
    page.on_error_silent = &kOnErrorSilent;
    page.on_error_reports = &kOnErrorReports;
    page.always_success = &kAlwaysSuccess;
    page.always_failure = &kAlwaysFailure;
    page.flags_undefined = &kFlagsUndefined;
    page.flags_bit_1_alone = &kFlagsBit1Alone;
    page.completion_order = &kCompletionOrder;
    return page;
  }
};

}  // namespace spec
