// The kinds of steps, and what each of those that post a request has: one table.
#pragma once

#include <cstddef>
#include <string_view>

namespace conformance {

enum class StepKind {
  kWrite,
  kAtomicWrite,
  kRead,
  kWriteImm,
  kSend,
  kSendImm,
  kFlush,
  kRecv,
  kSrqRecv,
  kReqRecv,    // a receive posted before the connection is made; such steps stand first
  kPoll,       // rpma_cq_get_wc of `number` entries of the connection's CQ
  kPollRecv,   // the same of the CQ that receives complete in
  kWait,       // rpma_cq_wait, if it cannot block
  kTakeStep,   // the fake NIC takes its enabled step `number`
  kRun,        // the fake NIC takes all steps
  kFault,      // the next post on the fake NIC fails with errno `number`
  kDereg,      // this end deregisters its region D
  kAlternate,  // `number` atomic writes of two words in turn, while a reader watches
  kDrain,      // all completions, a marker, both memories; every program ends with one
};

enum class Class { kOther, kSend, kReceive };
enum class Place { kNone, kTarget, kSource };  // what a region is to the operation

struct StepTraits {
  StepKind kind;
  std::string_view name;  // in the text form
  Class queue = Class::kOther;
  std::string_view handle = {};      // what the function acts on
  Place remote = Place::kNone;       // the region of the other end
  Place local = Place::kNone;        // the region of this end
  std::string_view local_name = {};  // of the good one
  bool imm = false;                  // has immediate data
  bool message = false;              // takes a receive of the other end

  bool posts() const { return queue != Class::kOther; }
  bool receives() const { return queue == Class::kReceive; }
  bool len() const { return posts() && kind != StepKind::kAtomicWrite; }
  bool flags() const { return queue == Class::kSend; }
};

// clang-format off
inline constexpr StepTraits kStepTraits[] = {
    {StepKind::kWrite, "write", Class::kSend, "conn", Place::kTarget, Place::kSource, "S"},
    {StepKind::kAtomicWrite, "atomic_write", Class::kSend, "conn", Place::kTarget},
    {StepKind::kRead, "read", Class::kSend, "conn", Place::kSource, Place::kTarget, "L"},
    {StepKind::kWriteImm, "write_imm", Class::kSend, "conn", Place::kTarget, Place::kSource, "S", true, true},
    {StepKind::kSend, "send", Class::kSend, "conn", Place::kNone, Place::kSource, "S", false, true},
    {StepKind::kSendImm, "send_imm", Class::kSend, "conn", Place::kNone, Place::kSource, "S", true, true},
    {StepKind::kFlush, "flush", Class::kSend, "conn", Place::kTarget},
    {StepKind::kRecv, "recv", Class::kReceive, "conn", Place::kNone, Place::kTarget, "R"},
    {StepKind::kSrqRecv, "srq_recv", Class::kReceive, "srq", Place::kNone, Place::kTarget, "R"},
    {StepKind::kReqRecv, "req_recv", Class::kReceive, "req", Place::kNone, Place::kTarget, "R"},
    {StepKind::kPoll, "poll"},
    {StepKind::kPollRecv, "rpoll"},
    {StepKind::kWait, "wait"},
    {StepKind::kTakeStep, "step"},
    {StepKind::kRun, "run"},
    {StepKind::kFault, "fault"},
    {StepKind::kDereg, "dereg"},
    {StepKind::kAlternate, "alternate"},
    {StepKind::kDrain, "drain"},
};
// clang-format on

constexpr const StepTraits& TraitsOf(StepKind kind) {
  return kStepTraits[static_cast<std::size_t>(kind)];
}

inline constexpr bool kTraitsAreInOrder = [] {
  for (std::size_t i = 0; i < sizeof kStepTraits / sizeof *kStepTraits; ++i)
    if (kStepTraits[i].kind != static_cast<StepKind>(i)) return false;
  return true;
}();
static_assert(kTraitsAreInOrder);

}  // namespace conformance
