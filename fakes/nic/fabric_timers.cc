// Waiting: for a responder that does not answer, and for a receive.
#include <algorithm>

#include "nic/fabric.h"
#include "nic/retry_budget.h"
#include "nic/rnr_timer.h"
#include "nic/transfer.h"

namespace fakenic {
namespace {

constexpr uint8_t kRetryForEver = 7;

}  // namespace

uint64_t TransportBudgetNs(const QpAttr& attr, const Profile& profile) {
  if (attr.timeout == 0) return 0;
  if (profile.retry_count_seven_is_for_ever && attr.retry_cnt == kRetryForEver) return 0;
  return (uint64_t{4096} << attr.timeout) * (attr.retry_cnt + 1u);
}

uint64_t RnrBudgetNs(const QpAttr& attr, uint8_t min_rnr_timer) {
  return attr.rnr_retry == kRetryForEver ? 0 : attr.rnr_retry * RnrTimerNs(min_rnr_timer);
}

Qp* Fabric::ReachResponder(Message& message) {
  const Qp& requester = *message.requester;
  Qp* responder = device_.FindQp(requester.attr().dest_qp_num);
  if (responder != nullptr && responder->Answers(requester.num)) {
    if (message.wait == Wait::kResponder) message.wait = Wait::kNone;
    return responder;
  }
  if (message.wait != Wait::kResponder) {
    message.started = true;
    message.wait = Wait::kResponder;
    const uint64_t budget = TransportBudgetNs(requester.attr(), device_.profile());
    message.deadline = budget == 0 ? 0 : clock_.NowNs() + budget;
  }
  return nullptr;
}

// Whether the responder would look at the message now: it answers, and if the message consumes a
// receive, one is there, or the message fails for the lack of it.
bool Fabric::MayArrive(Message& message) {
  if (message.requester->far != nullptr) return true;  // what hinders it shows on the way
  Qp* responder = ReachResponder(message);
  if (responder == nullptr) return false;
  const bool served =
      !ConsumesReceive(message.opcode) || !responder->recvs().empty() ||
      !CheckOperation(*responder, message.opcode, message.remote_addr, message.rkey, message.length)
           .ok();
  if (served) {
    message.wait = Wait::kNone;
    return true;
  }
  const QpAttr& attr = message.requester->attr();
  if (attr.rnr_retry == 0) return true;
  if (message.wait != Wait::kReceive) {
    message.started = true;
    message.wait = Wait::kReceive;
    const uint64_t budget = RnrBudgetNs(attr, responder->attr().min_rnr_timer);
    message.deadline = budget == 0 ? 0 : clock_.NowNs() + budget;
  }
  return false;
}

std::optional<uint64_t> Fabric::NextDeadline() const {
  std::optional<uint64_t> next;
  if (far_deadline_ != 0) next = far_deadline_;
  for (const Qp* qp : busy_) {
    for (const auto& message : qp->outstanding) {
      if (message->wait == Wait::kNone || message->deadline == 0) continue;
      next = std::min(next.value_or(message->deadline), message->deadline);
    }
  }
  return next;
}

void Fabric::FireTimers() {
  const uint64_t now = clock_.NowNs();
  FireFarTimers(now);
  for (Qp* qp : std::vector(busy_)) {  // an overrun makes others busy
    for (auto& message : qp->outstanding) {
      if (message->wait == Wait::kNone || message->deadline == 0 || message->deadline > now) {
        continue;
      }
      FailLocally(*message, message->wait == Wait::kResponder
                                ? Verdict{WcStatus::kRetryExcErr, Cause::kUnreachable}
                                : Verdict{WcStatus::kRnrRetryExcErr, Cause::kNoReceive});
      break;
    }
  }
  Settle();
}

}  // namespace fakenic
