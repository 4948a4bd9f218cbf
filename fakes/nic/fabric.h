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
#include "nic/packet.h"
#include "nic/persistence.h"
#include "nic/qp.h"
#include "nic/transfer.h"

namespace fakenic {

// A step that can be taken.
struct Step {
  StepKind kind = StepKind::kFetch;
  Message* message = nullptr;  // all kinds but kRaise
  size_t piece = 0;            // kPlace, kLand
  Cq* cq = nullptr;            // kRaise
};

struct Counts {
  uint64_t pds = 0, mrs = 0, cqs = 0, comp_channels = 0, qps = 0, srqs = 0;
  uint64_t sends_posted = 0, recvs_posted = 0, completions = 0;
};

// One of the three objects is set: the one it is about.
struct AsyncEvent {
  AsyncEventType type;
  Qp* qp = nullptr;
  Cq* cq = nullptr;
  Srq* srq = nullptr;
};

class Fabric {
 public:
  explicit Fabric(Clock& clock) : clock_(clock) {}

  Device& device() { return device_; }
  Counts& counts() { return counts_; }

  // Under the eager schedule a message runs to its end inside the call that enables it.
  bool eager() const { return eager_; }
  void set_eager(bool eager);

  // Whether the answer of a message may be lost, once, so that it is sent again: a step that only
  // EnabledSteps() offers. Off at first.
  void set_messages_repeat(bool may) { messages_repeat_ = may; }

  // From now on it is known what of the host's memory survives a power failure, under this
  // platform; none: it is not, as at first. What was written before survives.
  void set_platform(std::optional<Platform> platform);
  // Null while no platform is chosen.
  Persistence* persistence() { return persistence_.get(); }
  // The power of the host fails: every queue pair fails, and memory holds what survived.
  void FailPower();

  // The way to queue pairs whose numbers are not this device's; null: there are no others.
  void set_remote(Remote* remote) { remote_ = remote; }
  // What came that way. Requires a header that is possible and as many bytes as it says; what does
  // not fit the state of its queue pair is dropped, as a network's stray packets are.
  void Arrive(const PacketHeader& header, std::span<const std::byte> payload);
  // Sends what could not be sent before.
  void SendAgain();
  bool stuck() const { return !stuck_.empty(); }

  int PostSend(Qp& qp, const SendWr& wr);
  // Whether a send that the queue pair's state refuses is carried out in RTS all the same.
  bool KeepsEarly(const Qp& qp) const {
    return qp.too_early_to_send() && device_.profile().early_sends_stay;
  }
  int PostRecv(Qp& qp, const RecvWr& wr);
  int PostSrqRecv(Srq& srq, const RecvWr& wr);
  int ModifyQp(Qp& qp, const QpAttr& attr, uint32_t mask);
  // Whether messages of a suspended send queue are still on their way.
  bool Draining(const Qp& qp) const;
  void DestroyQp(Qp& qp);          // its messages end; what has arrived is still placed
  void BeforeDereg(const Mr& mr);  // places what is on its way into the region
  void BeforeDestroy(const Cq& cq);
  const Completion& Poll(Cq& cq);  // requires cq.size() > 0; frees the queue slots it covers
  void RequestNotify(Cq& cq, bool solicited_only);

  // The steps that the order rules allow to be next, oldest message first.
  std::vector<Step> EnabledSteps();
  void Take(const Step& step);
  // Takes the oldest enabled step until none is left. Returns how many it took.
  size_t RunInOrder();

  // Whether any message is on its way.
  bool busy() const { return !busy_.empty(); }
  // Whether anything is left to be done, now or when a wait ends.
  bool pending() const { return busy() || !owing_.empty() || !orphans_.empty(); }

  // Whether an answer from elsewhere is awaited that may come too late.
  bool awaits_remote() const { return far_deadline_ != 0; }
  // Whether something may move when a program looks for what the NIC has done: the schedule leaves
  // steps for then, or packets come from elsewhere.
  bool moves_on_poll() const { return moves_on_poll_; }
  void ExpectPackets() { moves_on_poll_ = packets_come_ = true; }

  // Visits every message that takes steps.
  template <typename F>
  void ForEachMessage(F&& f) {
    for (auto& orphan : orphans_) f(*orphan);
    for (Qp* qp : busy_) {
      for (auto& message : qp->outstanding) f(*message);
    }
  }

  // When the next timer is due; none while nobody waits for a responder.
  std::optional<uint64_t> NextDeadline() const;
  void FireTimers();

  // Called for every asynchronous event, and with one line for every first cause of an error.
  std::function<void(const AsyncEvent&)> on_async_event;
  std::function<void(const std::string&)> on_error;
  // Called when the next answer from elsewhere is due earlier than before.
  std::function<void()> on_deadline;

 private:
  // What the completion of a receive tells of its message.
  struct Received {
    WrOpcode opcode;
    uint32_t imm_data;
    uint64_t length;
    bool solicited;
  };

  // fabric_straight.cc: a message that runs to its end at once, without steps.
  bool WriteAtOnce(Qp& qp, const SendWr& wr);
  bool RunsStraight(const Qp& qp, Qp& responder, const SendWr& wr) const;
  void RunStraight(Qp& qp, Qp& responder, const SendWr& wr);
  Verdict CarryStraight(Qp& qp, Qp& responder, const SendWr& wr, uint64_t length);
  Verdict SendStraight(Qp& responder, const SendWr& wr, uint64_t length);
  Verdict ReadStraight(Qp& qp, const SendWr& wr);
  Verdict AtomicStraight(Qp& qp, const SendWr& wr);

  // fabric_power.cc: what survives a power failure.
  void KeepBefore(uint32_t flow, std::span<const Sge> targets, uint64_t offset, uint64_t length);
  void Flushed(uint32_t flow, uint64_t addr, uint32_t rkey, const Flush& flush);
  void ForgetUnpersisted(const Mr& mr);
  // Before a queue pair's message is placed at the responder: the range, or that part of a list.
  void Placing(uint32_t flow, uint64_t addr, uint64_t length) {
    if (persistence_ != nullptr) [[unlikely]] {
      persistence_->BeforePlacing(flow, addr, length);
    }
  }
  void Placing(uint32_t flow, std::span<const Sge> targets, uint64_t offset, uint64_t length) {
    if (persistence_ != nullptr) [[unlikely]] {
      KeepBefore(flow, targets, offset, length);
    }
  }
  // The responder has read so much of its memory.
  void HasRead(uint32_t flow, uint64_t length) {
    if (persistence_ != nullptr && length > 0) [[unlikely]] {
      persistence_->AfterRead(flow);
    }
  }
  void ChooseWay() { writes_at_once_ = eager_ && persistence_ == nullptr; }

  int PostAny(Qp& qp, const SendWr& wr);
  int PostEarly(Qp& qp, const SendWr& wr);
  int PostSlow(Qp& qp, const SendWr& wr);
  std::unique_ptr<Message> NewMessage();
  void Recycle(std::unique_ptr<Message> message);
  void TellDrained(Qp& qp);
  void Reset(Qp& qp);
  void Abandon(Qp& qp);  // as a requester: its messages end, what has arrived is still placed
  void Forget(Qp& qp);   // as a responder: the receives that messages consumed are gone
  void ReleaseCompletions(Qp& qp);

  // fabric_complete.cc: completions and errors.
  void Fail(Qp& qp, uint64_t wr_id, WrOpcode opcode, uint64_t position, const Verdict& verdict);
  void Complete(Qp& qp, uint64_t wr_id, WrOpcode opcode, uint64_t position, const Verdict& verdict,
                uint32_t byte_len = 0);
  void CompleteRecv(Qp& qp, uint64_t wr_id, const Verdict& verdict, const Received& received);
  // An entry of the CQ to fill and commit; null, after the overrun was dealt with, when there is
  // none.
  Completion* Claim(Cq& cq);
  void Commit(Cq& cq, const Completion& entry);
  void Garble(Completion& entry);
  void OweEvent(Cq& cq);
  void Overrun(Cq& cq);
  void EnterError(Qp& qp, uint64_t from_position);
  void FlushRecvs(Qp& qp);
  void FinishInbound(Qp& qp);
  void RecordCause(Qp& qp, uint64_t wr_id, const Verdict& verdict);
  void Refuse(Qp& responder, const Verdict& answer);
  void RefuseReceive(Qp& responder, uint64_t recv_wr_id, const Verdict& receive,
                     const Verdict& answer);
  void Raise(const AsyncEvent& event);
  void Establish(Qp& responder);
  RecvWr TakeRecv(Qp& responder);

  void MarkBusy(Qp& qp);
  // Under the eager schedule: takes what is enabled.
  void Settle();

  // fabric_steps.cc: which steps are enabled.
  bool MaySetOut(const Message& message, size_t reads_before) const;
  bool Enabled(Message& message, StepKind kind, size_t reads_before);
  template <typename Messages, typename Visit>
  bool VisitFlow(const Messages& messages, Visit&& visit);
  template <typename Visit>
  void VisitOrphans(Visit&& visit);
  Message* Repeatable(Qp& qp) const;
  std::optional<Step> FirstOfQp(Qp& qp);
  std::optional<Step> FirstOfOthers();

  // fabric_take.cc: what each step does.
  void Decide(Message& message, const Verdict& verdict);
  void FailLocally(Message& message, const Verdict& verdict);
  void Fetch(Message& message);
  void Deliver(Message& message);
  void DeliverToReceive(Message& message, Qp& responder);
  void RefuseToInvalidate(Message& message, Qp& responder, uint64_t recv_wr_id);
  size_t ReadsAt(const Message& message) const;
  void Execute(Message& message);
  void ExecuteBefore(const Message& message);
  void Place(Message& message, size_t piece);  // or lands it
  void PlaceAll(Message& message);
  void Receive(Message& message);
  void Repeat(Message& message);
  void Acknowledge(Message& message);
  void CompleteMessage(Message& message);
  void DropDone(Qp& qp);
  void DropDoneOrphans();

  // fabric_timers.cc: waiting for the responder.
  Qp* ReachResponder(Message& message);
  bool MayArrive(Message& message);

  // fabric_far.cc: requests to a queue pair in another fabric, and their answers.
  bool IsStraight(const Qp& qp) const { return qp.far != nullptr && eager_ && !qp.busy; }
  void MeetPeer(Qp& qp);
  void SendOut(Qp& qp);
  Verdict CheckOwn(const Qp& qp, const Message& message) const;
  bool Transmit(Qp& qp, Message& message);
  void MoveInSteps(Qp& qp);
  void FailFar(Qp& qp, Message& message, const Verdict& verdict);
  Message* FindSent(Qp& qp, uint32_t sequence);
  void TakeAnswer(Qp& qp, const PacketHeader& header, std::span<const std::byte> payload);
  void TakeAnswerInSteps(Qp& qp, Message& message, const PacketHeader& header,
                         std::span<const std::byte> payload);
  void FinishFront(Qp& qp);
  void Hold(Qp& qp, const PacketHeader& header);
  bool Rewind(Qp& qp, uint32_t sequence);
  void SetFarDeadline(Qp& qp, uint64_t ns);
  void RestartFarTimer(Qp& qp);
  bool MayGetRespite(const Qp& qp);
  void FireFarTimers(uint64_t now);
  void MarkStuck(Qp& qp);
  void LeaveFar(Qp& qp);

  // fabric_arrive.cc: requests from another fabric.
  void TakeRequest(const PacketHeader& header, std::span<const std::byte> payload);
  void TakeMore(const PacketHeader& header, std::span<const std::byte> payload);
  bool HasReceiveFor(Qp& responder) const;
  void TurnAway(Qp& responder, const PacketHeader& header);
  void Begin(Qp& responder, const PacketHeader& header);
  Verdict BeginReceive(Qp& responder, const PacketHeader& header);
  Verdict CheckArriving(Qp& responder) const;
  void PlaceArriving(Qp& responder, std::span<const std::byte> payload);
  void FinishArriving(Qp& responder);
  void RefuseArriving(Qp& responder, const Verdict& verdict);
  void DropArriving(Qp& responder);
  void AnswerAtOnce(Qp& responder, const PacketHeader& header);
  void DeliverInSteps(Qp& responder);
  void ReplyInSteps(Message& message);
  void DropUndelivered(Qp& stand_in);
  void Reply(Qp& responder, PendingAnswer answer);
  bool SendAnswer(Qp& responder, PendingAnswer& answer);
  void SendAnswers(Qp& responder);
  void FeedStarving();
  void StopAnswering(Qp& responder);

  Clock& clock_;
  Qp nobody_{QpInit{}};  // whose are the completions of a queue pair that is gone
  Device device_;
  Remote* remote_ = nullptr;
  Counts counts_;
  bool eager_ = true;
  bool writes_at_once_ = true;  // eager, and nobody asks what survives a power failure
  bool packets_come_ = false;
  bool moves_on_poll_ = false;
  bool messages_repeat_ = false;
  bool settling_ = false;
  bool unsettled_ = false;  // an overrun has ended messages that nobody has completed yet
  uint64_t next_sequence_ = 0;
  uint32_t garbage_ = 0x9e3779b9;
  Message* atomic_ = nullptr;  // has read its word and not yet written it
  std::vector<Qp*> busy_;      // queue pairs with outstanding messages
  std::vector<Cq*> owing_;     // CQs that owe an event
  std::vector<std::unique_ptr<Message>>
      orphans_;  // arrived messages of queue pairs that are gone, to be placed
  std::vector<std::unique_ptr<Message>> spare_;
  std::unique_ptr<Persistence> persistence_;

  // Queue pairs with a peer in another fabric: those with something that could not be sent, with
  // a deadline, without a receive for their peer.
  std::vector<Qp*> stuck_, awaiting_, starving_;
  uint64_t far_deadline_ = 0;  // no deadline of theirs is earlier; 0: none has any
  std::vector<Sge> gathered_;  // for one packet
};

inline const Completion& Fabric::Poll(Cq& cq) {
  const Completion& completion = cq.Pop();
  if (completion.is_recv) {
    completion.qp->recvs().FreeSlot();
  } else {
    completion.qp->FreeSendSlots(completion.slots_upto);
  }
  return completion;
}

inline Completion* Fabric::Claim(Cq& cq) {
  ++counts_.completions;
  Completion* entry = cq.Claim();
  if (entry == nullptr) [[unlikely]] {
    Overrun(cq);
  }
  return entry;
}

inline void Fabric::Commit(Cq& cq, const Completion& entry) {
  cq.Commit(entry);
  if (cq.events_owed() > 0) [[unlikely]] {
    OweEvent(cq);
  }
}

// What most programs post most: a write from one range that nothing holds up and no check stops. No
// verdict is made here: false, with nothing done, leaves it to the long way to find one.
[[gnu::always_inline]] inline bool Fabric::WriteAtOnce(Qp& qp, const SendWr& wr) {
  const bool atomic = wr.opcode == WrOpcode::kAtomicWrite;
  if ((wr.opcode != WrOpcode::kRdmaWrite && !atomic) || wr.sges.size() != 1) return false;
  if (!writes_at_once_ || unsettled_ || qp.state() != QpState::kRts || !qp.outstanding.empty())
    return false;
  if (qp.free_send_slots() == 0 || qp.init().cap.max_send_sge == 0) return false;

  const Qp* responder = device_.FindQp(qp.attr().dest_qp_num);
  if (responder == nullptr || responder->state() != QpState::kRts ||
      responder->attr().dest_qp_num != qp.num ||
      (responder->attr().access_flags & access_flag::kRemoteWrite) == 0) {
    return false;
  }
  const Sge& source = wr.sges[0];
  if (source.length == 0 || source.length > kMaxMessage) return false;
  if (atomic && (source.length != 8 || wr.remote_addr % 8 != 0)) return false;
  if (wr.has(send_flag::kInline)) {
    if (source.length > qp.init().cap.max_inline_data && !atomic) return false;
  } else if (!Allows(device_.FindMr(source.lkey), qp.pd(), 0, source.addr, source.length)) {
    return false;
  }
  if (!Allows(device_.FindMr(wr.rkey), responder->pd(), access_flag::kRemoteWrite, wr.remote_addr,
              source.length)) {
    return false;
  }
  Completion* entry = nullptr;
  if (qp.signaled(wr)) {
    if (qp.send_cq().full()) return false;
    entry = Claim(qp.send_cq());
  }
  PlaceBytes(wr.remote_addr, reinterpret_cast<const void*>(source.addr), source.length);
  ++counts_.sends_posted;
  const uint64_t position = qp.ClaimSendSlot();
  if (entry == nullptr) return true;
  *entry = {.wr_id = wr.wr_id,
            .opcode = atomic ? WcOpcode::kAtomicWrite : WcOpcode::kRdmaWrite,
            .qp_num = qp.num,
            .qp = &qp,
            .slots_upto = position + 1};
  Commit(qp.send_cq(), *entry);
  return true;
}

[[gnu::always_inline]] inline int Fabric::PostSend(Qp& qp, const SendWr& wr) {
  if (WriteAtOnce(qp, wr)) [[likely]] {
    return 0;
  }
  const SendWr in_memory = wr;  // so that the fast way can have it in registers
  return PostAny(qp, in_memory);
}

}  // namespace fakenic
