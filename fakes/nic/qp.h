// A reliable connected queue pair: its state, its send queue of messages on their way, its receive
// queue.
//
// Differs from hardware:
//  - queues hold exactly the number of work requests asked for; devices round up.
//  - a send slot is free again when a completion that covers it has been polled, as on most
//  devices; soft-RoCE frees earlier.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "nic/cq.h"
#include "nic/far_end.h"
#include "nic/message.h"
#include "nic/pd.h"
#include "nic/profile.h"
#include "nic/qp_attr.h"
#include "nic/recv_queue.h"
#include "nic/srq.h"
#include "nic/types.h"

namespace fakenic {

struct QpInit {
  Pd* pd = nullptr;
  Cq* send_cq = nullptr;
  Cq* recv_cq = nullptr;
  Srq* srq = nullptr;
  QpCap cap;
  bool sq_sig_all = false;
};

class Qp {
 public:
  explicit Qp(const QpInit& init)
      : init_(init), own_recvs_(init.cap.max_recv_wr, init.cap.max_recv_sge) {}

  const QpInit& init() const { return init_; }
  Pd* pd() const { return init_.pd; }
  Cq& send_cq() const { return *init_.send_cq; }
  Cq& recv_cq() const { return *init_.recv_cq; }
  Srq* srq() const { return init_.srq; }
  QpState state() const { return attr_.state; }
  void set_state(QpState state) { attr_.state = state; }
  QpAttr& attr() { return attr_; }
  const QpAttr& attr() const { return attr_; }

  // Whether a message from the queue pair with this number is answered.
  bool Answers(uint32_t requester_num) const {
    return (attr_.state == QpState::kRts || attr_.state == QpState::kRtr ||
            attr_.state == QpState::kSqd) &&
           attr_.dest_qp_num == requester_num;
  }

  // Whether the state is one in which nothing can be posted yet.
  bool too_early_to_send() const { return attr_.state < QpState::kRts; }
  bool too_early_to_receive() const { return attr_.state == QpState::kReset; }
  // 0, or the errno with which posting this work request fails for another reason than the state. A
  // full queue is ENOMEM; what else devices say differently is up to the profile.
  int CheckPostSend(const SendWr& wr, const Profile& profile = kSpecProfile) const;
  int CheckPostRecv(const RecvWr& wr) const;

  bool signaled(const SendWr& wr) const { return init_.sq_sig_all || wr.has(send_flag::kSignaled); }

  uint64_t free_send_slots() const { return init_.cap.max_send_wr - (sq_posted_ - sq_freed_); }
  // Claims the next send slot; the result is its position.
  uint64_t ClaimSendSlot() { return sq_posted_++; }
  void FreeSendSlots(uint64_t upto) { sq_freed_ = std::max(sq_freed_, upto); }
  // Those of all requests that are done, polled or not.
  void FreeSendSlotsEarly() {
    FreeSendSlots(outstanding.empty() ? sq_posted_ : outstanding.front()->position);
  }

  // What its messages consume: its own receives, or those it shares.
  RecvQueue& recvs() { return init_.srq != nullptr ? init_.srq->queue : own_recvs_; }
  // The domain to which the buffers of those must belong.
  Pd* recv_pd(const Profile& profile) const {
    const bool shared = init_.srq != nullptr && !profile.shared_receives_are_of_the_qps_pd;
    return shared ? init_.srq->pd : init_.pd;
  }

  // Back to RESET: both queues empty, nothing is flushed, all attributes forgotten.
  void Reset();

  uint32_t num = 0;
  uint32_t handle = 0;
  std::deque<std::unique_ptr<Message>>
      outstanding;              // in posting order; empty while the eager path keeps up
  bool busy = false;            // the fabric knows of outstanding messages
  bool established = false;     // a message has arrived since the move to RTR
  bool drain_notify = false;    // tell when the suspended send queue is drained
  void* user = nullptr;         // whoever wraps the queue pair
  std::unique_ptr<FarEnd> far;  // while the peer is in another fabric
  uint32_t far_sequence = 0;    // of the next message to such a peer
  std::optional<TurnedAway> turned_away;
  Qp* stands_in_for = nullptr;  // this is a stand-in for the requester of that queue pair
  std::string first_cause;  // why the queue pair is in error; empty if the program moved it there

 private:
  QpInit init_;
  QpAttr attr_;
  uint64_t sq_posted_ = 0;
  uint64_t sq_freed_ = 0;
  RecvQueue own_recvs_;
};

}  // namespace fakenic
