// The control interface: fakenic.h.
#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <vector>

#include "abi/edge.h"
#include "fakenic.h"

using fakenic::Choices;
using fakenic::edge;
using fakenic::Locked;
using fakenic::Step;
using fakenic::StepKind;

namespace {

int Describe(const Step& step, char* text, size_t size) {
  if (step.kind == StepKind::kRaise) return std::snprintf(text, size, "cq: raise the event");
  const fakenic::Message& message = *step.message;
  const int head = message.requester != nullptr
                       ? std::snprintf(text, size, "qp 0x%x wr 0x%" PRIx64 ": ",
                                       message.requester->num, message.wr_id)
                       : std::snprintf(text, size, "qp gone wr 0x%" PRIx64 ": ", message.wr_id);
  const size_t used = std::min(static_cast<size_t>(head), size - 1);
  text += used;
  size -= used;
  switch (step.kind) {
    case StepKind::kFetch:
      return std::snprintf(text, size, "fetch from byte %zu of %" PRIu64, message.payload.size(),
                           message.length);
    case StepKind::kDeliver:
      return std::snprintf(text, size, "deliver %" PRIu64 " bytes", message.length);
    case StepKind::kFlush:
      return std::snprintf(text, size, "flush %" PRIu64 " bytes at 0x%" PRIx64,
                           message.flush.length, message.remote_addr);
    case StepKind::kPlace:
    case StepKind::kPlaceWord:
      return std::snprintf(text, size, "place %" PRIu64 " bytes at 0x%" PRIx64,
                           message.pieces[step.piece].length, message.pieces[step.piece].addr);
    case StepKind::kExecute:
      return std::snprintf(text, size, "execute the %s of %" PRIu64 " bytes at 0x%" PRIx64,
                           message.is_read() ? "read" : "atomic", message.length,
                           message.remote_addr);
    case StepKind::kReceive:
      return std::snprintf(text, size, "complete the receive wr 0x%" PRIx64, message.recv->wr_id);
    case StepKind::kLand:
      return std::snprintf(text, size, "land %" PRIu64 " bytes at 0x%" PRIx64,
                           message.pieces[step.piece].length, message.pieces[step.piece].addr);
    case StepKind::kAcknowledge:
      return std::snprintf(text, size, "acknowledge");
    case StepKind::kRepeat:
      return std::snprintf(text, size, "repeat, the answer is lost");
    default:
      return std::snprintf(text, size, "complete");
  }
}

}  // namespace

extern "C" {

int fakenic_set_schedule(enum fakenic_schedule schedule) {
  int value;  // a C program may pass any
  std::memcpy(&value, &schedule, sizeof value);
  const Locked locked;
  switch (value) {
    case FAKENIC_EAGER:
      edge().ScheduleEagerly();
      return 0;
    case FAKENIC_MANUAL:
      edge().ScheduleByHand();
      return 0;
    case FAKENIC_SEEDED:
      edge().ScheduleBy(Choices(edge().seed));
      return 0;
  }
  return EINVAL;
}

void fakenic_set_seed(uint64_t seed) {
  const Locked locked;
  edge().seed = seed;
  if (edge().seeded) edge().ScheduleBy(Choices(seed));
}

int fakenic_replay(const uint32_t* choices, size_t count) {
  if (choices == nullptr && count > 0) return EINVAL;
  const Locked locked;
  edge().ScheduleBy(Choices(std::vector<uint32_t>(choices, choices + count)));
  return 0;
}

size_t fakenic_choices(uint32_t* choices, size_t capacity) {
  const Locked locked;
  if (!edge().seeded) return 0;
  const std::vector<uint32_t>& made = edge().seeded->choices().made();
  std::copy_n(made.begin(), std::min(capacity, made.size()), choices);
  return made.size();
}

uint64_t fakenic_trace(void) {
  const Locked locked;
  return edge().seeded ? edge().seeded->trace() : 0;
}

size_t fakenic_enabled_steps(void) {
  const Locked locked;
  return edge().fabric.EnabledSteps().size();
}

int fakenic_step(size_t index) {
  const Locked locked;
  const auto steps = edge().fabric.EnabledSteps();
  if (index >= steps.size()) return EINVAL;
  edge().fabric.Take(steps[index]);
  return 0;
}

int fakenic_describe_step(size_t index, char* text, size_t size) {
  if (text == nullptr || size == 0) return EINVAL;
  const Locked locked;
  const auto steps = edge().fabric.EnabledSteps();
  if (index >= steps.size()) return EINVAL;
  Describe(steps[index], text, size);
  return 0;
}

size_t fakenic_run(void) {
  const Locked locked;
  return edge().fabric.RunInOrder();
}

void fakenic_advance_time(uint64_t nanoseconds) {
  const Locked locked;
  edge().AdvanceClock(nanoseconds);
}

int fakenic_fail_call(const char* name, unsigned nth, int error) {
  if (name == nullptr || nth == 0 || error <= 0) return EINVAL;
  if (!fakenic::Faults::CanFail(name)) return ENOENT;
  const Locked locked;
  edge().faults.Plan(name, nth, error);
  return 0;
}

unsigned fakenic_fault_fired(const char* name) {
  const Locked locked;
  return name == nullptr ? 0 : edge().faults.fired(name);
}

unsigned fakenic_fault_left(const char* name) {
  const Locked locked;
  return name == nullptr ? 0 : edge().faults.left(name);
}

void fakenic_clear_faults(void) {
  const Locked locked;
  edge().faults.Clear();
}

int fakenic_get_counts(struct fakenic_counts* counts) {
  if (counts == nullptr) return EINVAL;
  const Locked locked;
  const fakenic::Counts& now = edge().fabric.counts();
  *counts = {.pds = now.pds,
             .mrs = now.mrs,
             .cqs = now.cqs,
             .comp_channels = now.comp_channels,
             .qps = now.qps,
             .srqs = now.srqs,
             .cm_ids = edge().cm.live_ids(),
             .event_channels = edge().event_channels,
             .address_infos = edge().address_infos,
             .sends_posted = now.sends_posted,
             .recvs_posted = now.recvs_posted,
             .completions = now.completions};
  return 0;
}

int fakenic_get_traffic(struct fakenic_traffic* traffic) {
  if (traffic == nullptr) return EINVAL;
  const std::lock_guard lock(edge().mutex);  // who only looks moves nothing, under SEEDED either
  const fakenic::Network& network = edge().network;
  *traffic = {
      .sent = network.sent(), .taken = network.taken(), .waiting = network.waits() ? 1U : 0U};
  return 0;
}

int fakenic_explain(uint32_t qp_num, char* text, size_t size) {
  if (text == nullptr || size == 0) return EINVAL;
  const Locked locked;
  const fakenic::Qp* qp = edge().fabric.device().FindQp(qp_num);
  if (qp == nullptr) return ENOENT;
  std::snprintf(text, size, "%s", qp->first_cause.c_str());
  return 0;
}

}  // extern "C"
