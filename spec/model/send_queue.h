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

#include "spec/model/work_queue.h"

namespace spec::model {

class SendQueue : public WorkQueue {
 public:
  using WorkQueue::WorkQueue;

  void Reset(std::size_t depth);

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

  // A call for a receive of this end was refused.
  void AlsoRefused(const Page* page) { receive_refused_ = page; }

  // An accepted operation may fail, for a reason that its own arguments do not tell.
  void Doubt(std::size_t index, const Rule* rule);

  bool healthy() const override;
  bool broken() const override;
  std::size_t outstanding() const override { return operations_.size() - covered_; }
  bool OwesCompletion() const;             // some completion is certain to come
  bool Awaits(std::uint64_t wr_id) const;  // an operation with this context has not completed
  Fate FateOf(std::size_t index) const;
  // Whether an operation has certainly been carried out: it had to succeed, and it or a later one
  // is known to have. `alive`: everything posted is known to have run.
  bool Done(std::size_t index, bool alive) const;
  // Whether this operation, or one before it, has completed with an error.
  bool FailedUpTo(std::size_t index) const;
  // The operation that the last completion was matched with.
  std::size_t last_completed() const { return last_completed_; }

 private:
  std::size_t Match(std::uint64_t wr_id, bool success) const;
  void TestedRegionEnd(const Operation& operation);
  void Unmatched(std::uint64_t wr_id, const char* status);
  bool Judged(const Operation& operation) const {
    return operation.page != nullptr && !operation.marker;
  }
  void JudgeStatus(std::size_t index, bool success, const char* status);
  void SettleMarker(const Operation& marker, bool alive);
  void SettleOne(std::size_t index, bool alive);

  std::size_t covered_ = 0;  // operations whose slot is free
  std::size_t last_completed_ = 0;
  const Page* receive_refused_ = nullptr;
};

}  // namespace spec::model
