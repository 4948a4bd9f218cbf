// Runs a script on the library under test, call by call, with the model beside it.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "property_tests/script/arguments.h"
#include "property_tests/script/leak_check.h"
#include "property_tests/script/log_observer.h"
#include "property_tests/script/placement.h"
#include "property_tests/script/script.h"
#include "property_tests/script/script_ends.h"
#include "property_tests/worker/board_witness.h"
#include "property_tests/worker/fake_control.h"
#include "property_tests/worker/trace.h"
#include "spec/model/call_judge.h"

namespace conformance {

// How a trace begins that tells of a deletion after the script.
inline constexpr std::string_view kDeletes = "deletes what is left: ";

class Interpreter final : public BoardWitness {
 public:
  // `library`: of dlopen. `fake`: nullptr if the NIC is not the fake. `port`: free for listening.
  // `far`: a second process for the end that listens, or nullptr.
  Interpreter(void* library, const FakeControl* fake, std::string address, std::string port,
              FarEnd* far, Board* board);

  void ListenOn(std::string port) { arguments_.ListenOn(std::move(port)); }

  // The first rule that the script breaks, if any.
  std::optional<spec::model::Finding> Run(const Script& script, Trace trace = {});

  // Calls that put this rule on trial are not made any more: they crashed or hung before.
  void LeaveOut(const spec::Rule* rule) { left_out_.insert(rule); }
  // Whether the last script met such a call, or needs what this NIC has not.
  bool left_out() const { return abandoned_; }
  // Whether a script has taken the device away since this was asked: what had it before is of no
  // use any more.
  bool TakeDeviceWasGone() { return std::exchange(device_was_gone_, false); }
  // Whether a planned failure has come about in the last script.
  bool failed_on_demand() const { return failed_on_demand_; }
  // Whether this verb, RDMA CM or allocation function can be made to fail here.
  bool CanFail(const std::string& name) const { return ends_.CanFail(name); }

  // The trace also has what each call owes.
  void TellDemands() { tell_demands_ = true; }

  void Demanded(const spec::model::Demand& demand) override;
  void Broke(spec::model::Finding finding) override;

 private:
  std::optional<spec::model::Finding> RunOnce(const Script& script, Trace trace);
  std::vector<const spec::Rule*> BlameFor(const Script& script,
                                          std::vector<const spec::Rule*> blame);
  void Begin(const Script& script);
  void Do(const ScriptCall& call);
  void DoAt(Side side, const ScriptCall& call);
  // The steps that are no calls of the library. False: this is one.
  bool DoOwn(Side side, const ScriptCall& step);
  void ChangeNic(const ScriptCall& step);
  void RestoreNic();
  void Nonblock(Side side, int fd);
  void ExpectReadable(Side side, int fd);
  void Plan(const ScriptCall& step);
  bool Prepare(const ScriptCall& call, Prepared& prepared);
  std::string WhoCalls(Side side, const ScriptCall& call) const;
  void TellOf(Side side, const ScriptCall& call) const;
  void TellOfWaiting(Side side, const ScriptCall& call) const;
  void Tell(const std::string& demand) const;
  void TellOfDeletion(Side side, const ScriptCall& call) const;
  void TellOf(Side side, const ScriptCall& call, const std::string& answer,
              std::uint64_t posted_before) const;
  bool MayRun(Prepared& prepared);
  bool Arrives(Side side, const spec::CallPage& page, const spec::Call& call);
  std::int64_t Make(Prepared& prepared);
  void Remember(const Prepared& prepared, int code);
  void CleanUp();
  void Delete(spec::model::Thing& thing, bool suspect);
  void CheckLeaks();
  std::string Left() const;
  // How long to wait for what is due. The fake never needs time.
  int patience_ms() const { return fake_ != nullptr ? 100 : 10000; }

  const FakeControl* fake_;
  Arguments arguments_;
  ScriptEnds ends_;
  LogObserver log_;
  LeakCheck leaks_;
  std::set<const spec::Rule*> left_out_;
  bool tell_demands_ = false;

  // of the running script
  Trace trace_;
  spec::model::World world_;
  Placement placement_;
  bool both_ = false;              // what runs is made at both ends
  std::size_t first_suspect_ = 0;  // the first thing made after the first failure
  bool given_ = false;             // what runs is its `given`
  fakenic_counts alive_before_{};
  bool abandoned_ = false;
  bool device_gone_ = false;
  bool device_was_gone_ = false;
  bool failed_on_demand_ = false;
  bool leaked_ = false;  // it left something alive
  std::set<const ScriptCall*> failed_calls_;
};

}  // namespace conformance
