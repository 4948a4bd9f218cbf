// Runs programs on a rig, step by step, with the model of both ends beside it.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "property_tests/program/meaning.h"
#include "property_tests/program/program.h"
#include "property_tests/worker/board.h"
#include "property_tests/worker/fake_control.h"
#include "property_tests/worker/rig.h"
#include "spec/model/memory.h"
#include "spec/model/send_queue.h"

namespace conformance {

// Told of every call and what came of it; for `replay`.
using Trace = std::function<void(const std::string&)>;

class Execution final : public spec::model::Witness {
 public:
  // `fake`: nullptr if the NIC is not the fake. `marker_reads`: markers are reads, in which the
  // functions under judgement have no part; else they are writes.
  Execution(Rig* rig, const FakeControl* fake, bool marker_reads, Board* board, Trace trace = {});

  // A whole program on a fresh connection. The first rule that it breaks, if any.
  std::optional<spec::model::Finding> Run(const Program& program);
  // One call on the standing connection, which is replaced when the case has broken it.
  std::optional<spec::model::Finding> RunCall(const Step& step, std::size_t region);

  void Tested(const spec::Rule* rule) override;
  void Saw(const spec::Rule* rule, spec::model::Sight sight) override;
  void Broke(spec::model::Finding finding) override;

 private:
  enum class Marker { kNotPosted, kPending, kSucceeded, kFailed };

  struct Watched {  // one end under the model
    spec::model::SendQueue queue;
    bool blocked = false;  // the other end may be gone: nothing more is posted here
    Marker marker = Marker::kNotPosted;
    bool broken = false;  // a completion with an error was seen
  };

  void Begin(const Config& config);
  void Do(const Step& step);
  void Post(const Step& step);
  int Call(const Step& step, End& end);
  void Place(const Step& step, spec::model::Operation& operation);
  void AfterPost(const Step& step, const Meaning& meaning, bool accepted);
  void Explain(const Meaning& meaning, int code);
  void JudgeRefused(const Step& step, int code, std::uint64_t posted_before);
  int Poll(Side side, int entries);
  void Wait(Side side);
  void Dereg(Side side);
  void Alternate(const Step& step);
  void TakeSteps(std::size_t most, std::size_t index);
  void CheckUntorn();
  void Settle(Side side);
  void PostMarker(Side side);
  void PostMarkerWhenThereIsRoom(Side side);
  void PollUntil(Side side, const std::function<bool()>& done);
  void Drain();
  void CheckMemory(Side side, bool alive);
  void Say(const std::string& line) const {
    if (trace_) trace_(line);
  }

  Watched& watched(Side side) { return side == Side::kClient ? client_ : server_; }
  spec::model::MemoryView ViewOf(Side side);

  Rig* rig_;
  const FakeControl* fake_;
  Board* board_;
  Trace trace_;
  RuleNumbers numbers_;
  spec::model::MemoryCheck memory_check_{this};
  Watched client_;
  Watched server_;
  Config config_;
  bool connected_ = false;
  bool single_ = false;  // the case is one call
  bool drained_ = false;
  bool marker_reads_;
  std::array<char, 8>
      caller_word_{};  // the source of atomic writes, as a caller's variable would be
  int fault_ = 0;      // errno for the next post; 0: none
  std::chrono::milliseconds patience_;
  std::optional<spec::model::Finding> finding_;
  // The rules that the calls so far had on trial: if one of them is broken, that may be all that a
  // finding shows.
  std::set<const spec::Rule*> explanations_;
};

}  // namespace conformance
