// The fabric: carries messages between queue pairs, step by step.
//
// Single-threaded: its owner locks. It knows which steps are enabled and takes the one it is told;
// it has no thread, no clock and no randomness of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nic/clock.h"
#include "nic/device.h"
#include "nic/order.h"
#include "nic/qp.h"

namespace fakenic {

// A step that can be taken.
struct Step {
  StepKind kind = StepKind::kFetch;
  Message* message = nullptr;  // all kinds but kRaise
  size_t piece = 0;            // kPlace, kLand
  Cq* cq = nullptr;            // kRaise
};

struct Counts {
  uint64_t pds = 0, mrs = 0, cqs = 0, comp_channels = 0, qps = 0;
  uint64_t sends_posted = 0, recvs_posted = 0, completions = 0;
};

struct AsyncEvent {
  AsyncEventType type;
  Qp* qp = nullptr;
  Cq* cq = nullptr;
};

class Fabric {
 public:
  explicit Fabric(Clock& clock) : clock_(clock) {}

  Device& device() { return device_; }
  Counts& counts() { return counts_; }

  // Under the eager schedule a message runs to its end inside the call that enables it.
  bool eager() const { return eager_; }
  void set_eager(bool eager);

  int PostSend(Qp& qp, const SendWr& wr);
  int PostRecv(Qp& qp, const RecvWr& wr);
  int ModifyQp(Qp& qp, const QpAttr& attr, uint32_t mask);
  void DestroyQp(Qp& qp);          // its messages end; what has arrived is still placed
  void BeforeDereg(const Mr& mr);  // places what is on its way into the region
  void BeforeDestroy(const Cq& cq);
  const Completion& Poll(Cq& cq);  // requires cq.size() > 0; frees the queue slots it covers
  void RequestNotify(Cq& cq, bool solicited_only) { cq.RequestNotify(solicited_only); }

  // The steps that the order rules allow to be next, oldest message first.
  std::vector<Step> EnabledSteps();
  void Take(const Step& step);
  // Takes the oldest enabled step until none is left. Returns how many it took.
  size_t RunInOrder();

  // Whether any message is on its way.
  bool busy() const { return !busy_.empty(); }

  // When the next timer is due; none while nobody waits for a responder.
  std::optional<uint64_t> NextDeadline() const;
  void FireTimers();

  // Called for every asynchronous event, and with one line for every first cause of an error.
  std::function<void(const AsyncEvent&)> on_async_event;
  std::function<void(const std::string&)> on_error;

 private:
  int PostSlow(Qp& qp, const SendWr& wr);
  void Fail(Qp& qp, uint64_t wr_id, WrOpcode opcode, uint64_t position, const Verdict& verdict);
  void Complete(Qp& qp, uint64_t wr_id, WrOpcode opcode, uint64_t position, const Verdict& verdict,
                uint32_t byte_len = 0);
  // An entry of the CQ to fill and commit; null, after the overrun was dealt with, when there is
  // none.
  Completion* Claim(Cq& cq);
  void Commit(Cq& cq, const Completion& entry);
  void Garble(Completion& entry);
  void OweEvent(Cq& cq);
  void Overrun(Cq& cq);
  // Moves the queue pair to ERR: everything undecided from this position on, and every receive, is
  // flushed.
  void EnterError(Qp& qp, uint64_t from_position);
  void RecordCause(Qp& qp, uint64_t wr_id, const Verdict& verdict);
  void FlushRecvs(Qp& qp);
  Qp* ReachResponder(Message& message);
  // Whether the reads before this message let it start: a fence waits for all of them, a read for a
  // free slot.
  bool ReadsAllow(const Qp& qp, size_t index) const;
  void AnswerWithError(Qp& responder, Message& message, const Verdict& verdict);
  void MarkBusy(Qp& qp);
  // Under the eager schedule: takes what is enabled.
  void Settle();

  std::optional<Step> FirstEnabled(Qp& qp);
  bool Enabled(const Qp& qp, size_t index, StepKind kind);
  void AppendEnabled(Qp& qp, size_t index, std::vector<Step>& steps);
  void Decide(Message& message, const Verdict& verdict);
  void Fetch(Message& message);
  void Deliver(Message& message);
  void Execute(Message& message);
  void Place(Message& message, size_t piece);  // or lands it
  void Acknowledge(Message& message);
  void CompleteMessage(Message& message);
  void DropDone(Qp& qp);

  Clock& clock_;
  Device device_;
  Counts counts_;
  bool eager_ = true;
  bool settling_ = false;
  uint64_t next_sequence_ = 0;
  uint32_t garbage_ = 0x9e3779b9;
  std::vector<Qp*> busy_;   // queue pairs with outstanding messages
  std::vector<Cq*> owing_;  // CQs that owe an event
  std::vector<std::unique_ptr<Message>>
      orphans_;  // arrived messages of destroyed queue pairs, to be placed
};

inline const Completion& Fabric::Poll(Cq& cq) {
  const Completion& completion = cq.Pop();
  if (completion.qp != nullptr) {
    if (completion.is_recv) {
      completion.qp->FreeRecvSlot();
    } else {
      completion.qp->FreeSendSlots(completion.slots_upto);
    }
  }
  return completion;
}

}  // namespace fakenic
