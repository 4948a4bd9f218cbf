// The executable model of posted receives: those of one end, or those of a shared receive queue.
// Told what the library did and which messages were sent, it says what the completions have to be.
//
// The manual makes posted receives a set: any of them may take a message. What it knows beyond the
// pages, from the verbs: messages of one connection arrive in the order in which they were sent, a
// message takes one receive, and when an operation of an end fails the end's own receives complete
// with an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spec/model/send_queue.h"
#include "spec/model/work_queue.h"

namespace spec::model {

// What a receive's completion says of the message that it took.
struct Label {
  bool write = false;    // IBV_WC_RECV_RDMA_WITH_IMM, else IBV_WC_RECV
  bool has_imm = false;  // IBV_WC_WITH_IMM
  std::uint32_t imm = 0;
  std::uint32_t byte_len = 0;

  bool operator==(const Label&) const = default;
};

// An operation of a send queue that takes a receive at the other end.
struct SentMessage {
  const SendQueue* sender = nullptr;
  std::size_t index = 0;  // among the sender's operations
  int to = 0;             // the end that it goes to
  Label label;
  bool arrived = false;

  const Operation& operation() const { return sender->operations()[index]; }
  // It will never be under way again.
  bool over() const { return arrived || sender->FailedUpTo(index); }
};

// A completion of a receive.
struct Arrival {
  std::uint64_t wr_id = 0;
  bool success = true;
  const char* status = "";
  Label label;  // of a success
};

// A message that a receive has taken.
struct Taken {
  std::size_t receive;
  std::size_t message;
};

class ReceiveQueue : public WorkQueue {
 public:
  // `connection`: the send queue of the end whose receives these are, nullptr if they are shared.
  // `shared`: the page that promises sharing.
  ReceiveQueue(std::size_t depth, Witness* witness, const SendQueue* connection,
               const Page* shared = nullptr)
      : WorkQueue(depth, witness), connection_(connection), shared_(shared) {}

  void Reset(std::size_t depth);

  // A message was accepted that takes one of these receives.
  void Expect(const SentMessage& message) { messages_.push_back(message); }
  // A completion of a receive was polled by the end `to`.
  void Arrived(int to, const Arrival& arrival);
  // Nothing more will come. `alive`: this end's, or any end's, markers completed with success.
  void Settled(bool alive);

  // Something has gone wrong at either end: receives may fail, messages may not arrive.
  void Excuse() { excused_ = true; }

  bool healthy() const override { return connection_ == nullptr || connection_->healthy(); }
  bool broken() const override { return connection_ != nullptr && connection_->broken(); }
  std::size_t outstanding() const override;
  bool excused() const { return excused_; }
  bool Awaits(std::uint64_t wr_id) const;  // an outstanding receive has this context
  // Messages that no posted receive can take; they wait for one. `more`: counting this many that
  // are about to be sent.
  std::size_t waiting(std::size_t more = 0) const;
  // Messages to this end that are known to have arrived, and that no completion has told of.
  std::size_t Owed(int to, bool alive) const;
  // Whether messages to this end may still arrive of which that is not certain.
  bool MayArrive(int to) const;
  // Whether receives are still to complete with an error.
  bool OwesFailures() const;
  // Nothing moves any more. Says so if messages to this end are under way that had to be carried
  // out, and receives await them. `waited`: what was posted after them has neither failed nor
  // succeeded, so that those whose outcome is open are stuck as well.
  void Stuck(int to, bool waited);
  // Whether a receive that is outstanding may not be able to take this message, and the rule about
  // that.
  bool MayFail(const SentMessage& message, const Rule** rule) const;

  const std::vector<SentMessage>& messages() const { return messages_; }
  const std::vector<Taken>& taken() const { return taken_; }

 private:
  bool Judged(const Operation& receive) const { return receive.page != nullptr; }
  std::size_t Match(std::uint64_t wr_id) const;
  SentMessage* Next(int to);
  void Unmatched(const Arrival& arrival);
  void Failed(std::size_t receive, const Arrival& arrival);
  void Succeeded(std::size_t receive, int to, const Arrival& arrival);
  void Mislabelled(const Operation& receive, const SentMessage& message, const Arrival& arrival);
  void SawOrder(std::size_t receive);
  void Blame(const SentMessage* message, const Rule* of_message, const Operation* receive,
             const Rule* of_receive, std::string allowed, std::string seen);
  const Operation* LastJudged() const;
  const Operation* FirstOutstanding() const;
  bool FailsForSure() const;

  const SendQueue* connection_;
  const Page* shared_;
  std::vector<SentMessage> messages_;  // in sending order
  std::vector<Taken> taken_;           // in order of completion
  bool excused_ = false;
};

}  // namespace spec::model
