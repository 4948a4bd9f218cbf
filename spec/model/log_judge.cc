#include "spec/model/log_judge.h"

#include <algorithm>

#include "spec/model/text.h"
#include "spec/rpma_log_set_function.h"
#include "spec/rpma_log_set_threshold.h"

namespace spec::model {

namespace {

namespace function_page = rpma_log_set_function;
namespace threshold_page = rpma_log_set_threshold;

void Expect(Witness* witness, const Rule* rule, bool holds, const std::string& allowed,
            const std::string& seen) {
  witness->Tested(rule);
  if (!holds) witness->Broke({{rule}, allowed, seen});
}

void JudgeMessage(const Message& message, const Log& log, Witness* witness) {
  Expect(witness, &function_page::kReplaced, message.listener == log.listener,
         "the function that is set gets the message", "one that was set before gets it");
  Expect(witness, &function_page::kArguments, message.well_formed,
         "a level of the enumeration, a format, and a place in the source or none",
         "something else");
  const int threshold = log.thresholds.at(RPMA_LOG_THRESHOLD);
  Expect(witness, &threshold_page::kSilences, message.level <= threshold,
         Text("no message above level ", threshold), Text("one of level ", message.level));
}

// A call that failed in the provider is one about which any log has something to say. What it says
// while nothing is held back tells what it must say at another threshold.
void JudgeFailure(const Call& call, Log& log, const Said& said, Witness* witness) {
  const int threshold = log.thresholds.at(RPMA_LOG_THRESHOLD);
  const bool any = !said.messages.empty();
  if (threshold == RPMA_LOG_LEVEL_DEBUG) {
    Expect(witness, &function_page::kCalled, any, "the function gets a message", "it gets none");
    int& most_urgent =
        log.most_urgent.try_emplace(call.function, RPMA_LOG_LEVEL_DEBUG).first->second;
    for (const Message& message : said.messages) most_urgent = std::min(most_urgent, message.level);
    return;
  }
  const auto heard = log.most_urgent.find(call.function);
  if (heard == log.most_urgent.end() || heard->second > threshold) return;
  Expect(witness, &threshold_page::kPasses, any,
         Text("the message of level ", heard->second, " is passed on, as at a higher threshold"),
         "none is");
}

// Only for the library's own function is it said what goes to stderr.
void JudgeStderr(const Log& log, const Said& said, Witness* witness) {
  const int urgent =
      std::min(log.thresholds.at(RPMA_LOG_THRESHOLD), log.thresholds.at(RPMA_LOG_THRESHOLD_AUX));
  if (log.listener != 0)
    Expect(witness, &function_page::kReplaced, said.stderr_bytes == 0, "nothing goes to stderr",
           Text(said.stderr_bytes, " bytes do"));
  else if (urgent == RPMA_LOG_DISABLED)
    Expect(witness, &threshold_page::kStderrSilent, said.stderr_bytes == 0,
           "nothing goes to stderr", Text(said.stderr_bytes, " bytes do"));
  else if (urgent == RPMA_LOG_LEVEL_DEBUG)
    Expect(witness, &threshold_page::kStderr, said.stderr_bytes > 0, "the message goes to stderr",
           "nothing does");
}

}  // namespace

void JudgeLog(const Call& call, int code, const Said& said, Witness* witness) {
  Log& log = call.world->log;
  for (const Message& message : said.messages) JudgeMessage(message, log, witness);
  if (code != RPMA_E_PROVIDER) return;
  if (log.ever_listened && log.listener == 0 && said.messages.empty())
    witness->Tested(&function_page::kReplaced);
  if (log.listener != 0) JudgeFailure(call, log, said, witness);
  JudgeStderr(log, said, witness);
}

}  // namespace spec::model
