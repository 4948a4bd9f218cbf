// The executable model of one end of a connection: which return codes a call may have, which
// completions each accepted operation owes, with which wr_id and status. Told what the library did,
// it reports to a Witness what it thinks of it.
//
// What it knows beyond the pages, from librpma(7) and the verbs: operations of one connection are
// carried out in posting order; a completion covers all earlier operations, and only that frees
// their send queue slots; an operation that fails breaks the connection, and everything after it
// completes with an error, signaled or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "spec/model/operation.h"
#include "spec/model/witness.h"

namespace spec::model {

// Whether ibv_post_send was made to fail inside the call.
enum class PostFault { kNone, kFired };

class SendQueue {
 public:
  SendQueue(std::size_t depth, Witness* witness) : depth_(depth), witness_(witness) {}

  void Reset(std::size_t depth);

  // A call returned `code`. True if an operation is now posted.
  bool Returned(const Operation& call, const Refusals& refusals, int code, PostFault fault);
  // The suite posted its marker; false if it was refused though the connection should have taken
  // it.
  bool MarkerReturned(const Operation& marker, int code);
  // A completion was polled.
  void Completed(std::uint64_t wr_id, bool success, const char* status);
  // Nothing more will come. `alive`: a marker posted last completed with success.
  void Settled(bool alive);

  // The other end is gone: outstanding operations may never complete.
  void Excuse();
  // Outstanding operations may have been cut off by an error that did not wait for its turn.
  void Loosen();

  bool healthy() const;  // nothing posted so far may have failed
  bool broken() const;   // something has failed, or must
  bool full() const { return outstanding() >= depth_; }
  std::size_t outstanding() const { return operations_.size() - covered_; }
  bool OwesCompletion() const;  // some completion is certain to come
  bool AnyRefused() const { return !refused_.empty(); }
  Fate FateOf(std::size_t index) const;
  const std::vector<Operation>& operations() const { return operations_; }
  const Page* last_page() const { return last_page_; }

 private:
  struct Refused {
    const Page* page;
    std::uint64_t wr_id;
  };

  void Forbidden(const Operation& call, const Refusals& refusals, int code);
  void JudgeRefusal(const Operation& call, int code);
  void Accept(const Operation& call);
  std::size_t Match(std::uint64_t wr_id, bool success) const;
  void Unmatched(std::uint64_t wr_id, const char* status);
  bool Judged(const Operation& operation) const {
    return operation.page != nullptr && !operation.marker;
  }
  void JudgeStatus(std::size_t index, bool success, const char* status);
  void SettleMarker(const Operation& marker, bool alive);
  void SettleOne(std::size_t index, bool alive);
  void Break(const Operation& operation, const Rule* rule, std::string allowed, std::string seen);

  std::size_t depth_;
  Witness* witness_;
  std::vector<Operation> operations_;  // accepted, in posting order
  std::size_t covered_ = 0;            // operations whose slot is free
  std::vector<Refused> refused_;
  const Page* last_page_ = nullptr;
};

// "0", "RPMA_E_INVAL (-100004)", "-7".
std::string NameOfCode(int code);

}  // namespace spec::model
