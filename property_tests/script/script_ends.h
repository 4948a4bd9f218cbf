// The ends at which the calls of a script are made: both are this process, or the server's is a
// second one, with a library and a NIC of its own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "property_tests/program/program.h"
#include "property_tests/script/functions.h"
#include "property_tests/script/planned_failure.h"
#include "property_tests/worker/fake_nics.h"
#include "property_tests/worker/far_library.h"

namespace conformance {

// What the second process calls an object or a descriptor may have the same number here. Everywhere
// but in the calls that are made there it has a mark, so that no two are the same.
inline constexpr std::uint64_t kFarHandle = std::uint64_t{1} << 62;
inline constexpr int kFarDescriptor = 1 << 24;
inline Side SideOf(std::uint64_t handle) {
  return (handle & kFarHandle) != 0 ? Side::kServer : Side::kClient;
}

// What this process has, as the server's end or as the other one.
struct AtThisEnd {
  void* library = nullptr;
  const FakeControl* fake = nullptr;
  PlannedFailure* failure = nullptr;

  static AtThisEnd& Get();
};

class ScriptEnds {
 public:
  // `library`: of dlopen. `fake`: nullptr if the NIC is not the fake. `far`: nullptr if there is no
  // second process.
  ScriptEnds(void* library, const FakeControl* fake, FarEnd* far, Board* board);

  bool has_two() const { return far_ != nullptr; }
  // Whether calls at the server's end are made in the second process.
  void Part(bool parted) { parted_ = parted && has_two(); }
  bool parted() const { return parted_; }

  // nullptr: the library lacks the function.
  void* Symbol(Side side, std::string_view name);
  // Calls it there. A failure that is planned counts this end's calls too. Private data that the
  // call gives can be read here.
  std::int64_t Make(Side side, const Function& function, const std::uint64_t* words);
  // What this function says is the descriptor of the object; nothing if it does not.
  std::optional<int> Descriptor(Side side, std::string_view getter, std::uint64_t object);
  // Whether the descriptor of that end can be read, now or within this time.
  bool Readable(Side side, int fd, int patience_ms) const;
  void Nonblock(Side side, int fd) const;
  // Asks the device behind a context itself what it can.
  bool IsOdpCapable(std::uint64_t context) const;

  bool CanFail(const std::string& name) const { return failure_.CanFail(name); }
  // As PlannedFailure has it, whichever end makes the nth call.
  bool Plan(const std::string& name, unsigned nth, int error);
  const std::string& planned() const { return planned_; }
  std::optional<spec::model::Fault> TakeFired();
  void ClearFailure();

  // What follows needs the fake.
  fakenic_counts Alive() const;  // at both ends together
  std::uint64_t Posted() const;
  void AdvanceTime(std::uint64_t nanoseconds) const;
  void SetSilent(const std::string& address, bool silent) const;
  void SetDevicePresent(bool present) const;

 private:
  template <class Job>
  Job At(Side side, Job job) const {
    if (parted_ && side == Side::kServer) return far_->Do(job);
    job();
    return job;
  }
  template <class Job>
  void AtBoth(Job job) const {
    job();
    if (parted_) far_->Do(job);
  }
  void PlanAt(Side side);
  void AwaitArrivals() const;

  const FakeControl* fake_;
  FarEnd* far_;
  void* private_data_ = nullptr;  // of the second process, seen by both
  FakeNics nics_;
  PlannedFailure failure_;
  bool parted_ = false;
  std::map<std::pair<Side, std::string_view>, void*> symbols_;
  std::string planned_;  // the call that is to fail; "": none is
  int error_ = 0;
  Side planned_at_ = Side::kClient;
};

}  // namespace conformance
