// The RDMA CM as the two ends of a connection see it, and the endpoint where they meet: what is due
// at whom after a request, its answer, a disconnection, a deletion.
#pragma once

#include <librpma.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "spec/model/completion_queue.h"
#include "spec/rule.h"

namespace spec::model {

using Bytes = std::vector<std::uint8_t>;

// An event is due, but which one is open.
inline constexpr int kSomeEvent = -2;

struct Due {
  int event;            // an rpma_conn_event or kSomeEvent
  const Rule* promise;  // the rule of the call that brings it about; nullptr: of none
};

class Listener;

// One end, from the request on. What its object is called, a request or a connection, does not
// matter here.
class End {
 public:
  enum class State {
    kNew,        // active: has asked nobody
    kAsked,      // active: has no answer
    kToAnswer,   // passive: waits for the answer
    kAccepted,   // passive: the active end has not seen it
    kAnswered,   // active: accepted, but has not seen it
    kConnected,  //
    kLeaving,    // has disconnected; the other end has not
    kLeft,       // the other end has disconnected; this one has not
    kClosed,     // both have
    kOver,       // rejected
    kUnclear,    // what comes next is open
    kGone,       // its object is deleted
  };

  static std::shared_ptr<End> Active(std::string address);

  // Asks for a connection. `listener`: nullptr if nobody listens at the address.
  void Ask(Listener* listener, Bytes data);
  // The same where nothing that is sent arrives: only GiveUp() ends the waiting.
  void AskInVain();
  void GiveUp();
  // The device is taken away: what was connected is lost.
  void LoseDevice();
  void Accept(Bytes data, const Rule* promise);
  void Reject(const Rule* promise);
  // An answer that failed: the active end learns that there will be no connection.
  void Fail(const Rule* promise);
  void Disconnect(const Rule* promise);
  // The object is deleted.
  void Leave();
  // Reads the event that is due.
  Due Take();
  // A failure inside a call: nothing can be said about either end any more.
  void Lose();

  State state() const { return state_; }
  bool passive() const { return passive_; }
  bool connected() const { return state_ == State::kConnected; }
  const End* peer() const { return peer_; }
  End* peer() { return peer_; }
  const std::deque<Due>& due() const { return due_; }
  const std::string& address() const { return address_; }
  // What the other side gave, as far as this end can have it.
  const Bytes& data() const { return data_; }

  // Of the queue pair.
  std::shared_ptr<CompletionQueue> cq = std::make_shared<CompletionQueue>();
  std::shared_ptr<CompletionQueue> rcq;  // nullptr: there is none of its own
  std::deque<std::uint64_t> receives;    // posted, and not consumed
  CompletionQueue& receive_queue() { return rcq != nullptr ? *rcq : *cq; }
  bool closed_before = false;  // CLOSED was read
  bool doubtful = false;       // the request may be lost, and rejected already

 private:
  friend class Listener;

  void Over(int event, const Rule* promise);

  State state_ = State::kNew;
  bool passive_ = false;
  bool in_vain_ = false;
  End* peer_ = nullptr;
  std::string address_;
  std::deque<Due> due_;
  Bytes data_;
  Bytes answer_;  // came with the answer, which was not read yet
};

// An endpoint, and the requests that nobody has read.
class Listener {
 public:
  explicit Listener(std::string address) : address_(std::move(address)) {}

  const std::string& address() const { return address_; }
  // Whether a request is certain to be there. One that a failed call may have consumed is not.
  bool has_request() const { return !waiting_.empty() && !waiting_.front().doubtful; }
  bool empty() const { return waiting_.empty(); }
  // Whether the oldest request is of an end that has given up since.
  bool abandoned() const {
    return !waiting_.empty() && waiting_.front().end->state() == End::State::kUnclear;
  }
  // The passive end of the oldest request.
  std::shared_ptr<End> Take();
  // A call that should have taken the oldest request failed, and may have consumed it. `promise`:
  // that the active end hears of it in the end.
  void Doubt(const Rule* promise);
  // No longer listens: what waits is rejected.
  void Close();

 private:
  friend class End;
  struct Request {
    std::shared_ptr<End> end;
    bool doubtful = false;
    const Rule* promise = nullptr;
  };
  std::string address_;
  std::deque<Request> waiting_;
};

}  // namespace spec::model
