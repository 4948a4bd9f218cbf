// What a send queue and a receive queue have in common under the model: which return codes a call
// may have, and what was posted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/model/operation.h"
#include "spec/model/witness.h"

namespace spec::model {

// Whether the verb that posts was made to fail inside the call.
enum class PostFault { kNone, kFired };

class WorkQueue {
 public:
  WorkQueue(std::size_t depth, Witness* witness) : depth_(depth), witness_(witness) {}
  virtual ~WorkQueue() = default;

  // A call returned `code`. True if an operation is now posted.
  bool Returned(const Operation& call, const Refusals& refusals, int code, PostFault fault);

  // The suite has posted this itself.
  void Adopt(const Operation& own) { operations_.push_back(own); }

  virtual bool healthy() const = 0;  // nothing posted so far may have failed
  virtual bool broken() const = 0;   // something has failed, or must
  virtual std::size_t outstanding() const = 0;
  bool full() const { return outstanding() >= depth_; }
  bool AnyRefused() const { return !refused_.empty(); }
  const std::vector<Operation>& operations() const { return operations_; }
  const Page* last_page() const { return last_page_; }

 protected:
  struct Refused {
    const Page* page;
    std::uint64_t wr_id;
  };

  WorkQueue(const WorkQueue&) = default;
  WorkQueue& operator=(const WorkQueue&) = default;

  void Clear(std::size_t depth);
  void SettleRefused(bool alive);
  bool CompletesRefused(std::uint64_t wr_id, const std::string& seen);
  void Break(const Operation& operation, const Rule* rule, std::string allowed, std::string seen);

  std::size_t depth_;
  Witness* witness_;
  std::vector<Operation> operations_;  // accepted, in posting order
  std::vector<Refused> refused_;
  const Page* last_page_ = nullptr;

 private:
  void Forbidden(const Operation& call, const Refusals& refusals, int code);
  void JudgeRefusal(const Operation& call, int code);
  void Accept(const Operation& call);
};

// "0", "RPMA_E_INVAL (-100004)", "-7".
std::string NameOfCode(int code);
// Of what a call returned, where nothing else is seen of it.
Sight SightOf(int code);
// What a call returns that gives this sight; nothing: the sight is of something else.
std::optional<int> CodeOf(Sight sight);

}  // namespace spec::model
