#include "property_tests/worker/execution.h"

#include <algorithm>

#include "property_tests/program/text.h"
#include "spec/model/text.h"

namespace conformance {

using spec::model::Finding;
using spec::model::SendQueue;
using spec::model::Sight;

Execution::Execution(Rig* rig, const FakeControl* fake, bool marker_reads, Board* board,
                     Trace trace)
    : rig_(rig),
      fake_(fake),
      board_(board),
      trace_(std::move(trace)),
      client_{.queue = SendQueue(8, this)},
      server_{.queue = SendQueue(8, this)},
      marker_reads_(marker_reads),
      // The fake has finished when its steps are taken; a NIC in an emulated machine may take its
      // time.
      patience_(fake != nullptr ? 20 : 10000) {}

void Execution::Tested(const spec::Rule* rule) { Count(board_->tested[numbers_.of(rule)]); }

void Execution::Saw(const spec::Rule* rule, Sight sight) {
  Count(board_->seen[numbers_.of(rule)][static_cast<std::size_t>(sight)]);
}

void Execution::Broke(Finding finding) {
  if (finding_) return;
  for (const spec::Rule* rule : explanations_)
    if (std::find(finding.blame.begin(), finding.blame.end(), rule) == finding.blame.end())
      finding.blame.push_back(rule);
  finding_ = std::move(finding);
}

std::optional<Finding> Execution::Run(const Program& program) {
  Begin(program.config);
  single_ = false;
  rig_->Connect(config_.sq, config_.cq);
  if (fake_ != nullptr && config_.schedule == Schedule::kManual) fake_->SetManual(true);
  for (const Step& step : program.steps) {
    if (finding_) break;
    if (trace_) Say("step    " + Print(step));
    Do(step);
    Count(board_->beat);
  }
  if (!finding_ && !drained_) Drain();
  if (fake_ != nullptr) {
    while (fake_->EnabledSteps() > 0) fake_->TakeStep(0);
    fake_->SetManual(false);
  }
  rig_->Disconnect();
  connected_ = false;
  rig_->RestoreD();
  Count(board_->calls);
  return std::move(finding_);
}

std::optional<Finding> Execution::RunCall(const Step& step, std::size_t region) {
  Config config;
  config.region = region;
  Begin(config);
  if (!connected_) rig_->Connect(config.sq, config.cq);
  connected_ = true;
  single_ = true;
  Post(step);
  if (!finding_) Drain();
  if (finding_ || client_.broken || client_.marker != Marker::kSucceeded) connected_ = false;
  Count(board_->calls);
  Count(board_->beat);
  return std::move(finding_);
}

void Execution::Begin(const Config& config) {
  finding_.reset();
  explanations_.clear();
  config_ = config;
  fault_ = 0;
  drained_ = false;
  rig_->Resize(config.region);
  for (const Side side : {Side::kClient, Side::kServer}) {
    Watched& w = watched(side);
    w.queue.Reset(config.sq);
    w.blocked = w.broken = false;
    w.marker = Marker::kNotPosted;
    rig_->end(side).memory->Restore();
  }
}

void Execution::Do(const Step& step) {
  drained_ = false;
  switch (step.kind) {
    case StepKind::kWrite:
    case StepKind::kAtomicWrite:
      return Post(step);
    case StepKind::kPoll:
      Poll(step.side, static_cast<int>(step.number));
      return;
    case StepKind::kWait:
      return Wait(step.side);
    case StepKind::kTakeStep:
      return TakeSteps(1, step.number);
    case StepKind::kRun:
      return TakeSteps(SIZE_MAX, 0);
    case StepKind::kFault:
      if (fake_ != nullptr) fault_ = static_cast<int>(step.number);
      return;
    case StepKind::kDereg:
      return Dereg(step.side);
    case StepKind::kAlternate:
      return Alternate(step);
    case StepKind::kDrain:
      return Drain();
  }
}

void Execution::Dereg(Side side) {
  if (!rig_->end(side).d_registered) return;
  // What the other end has under way to D may or may not have arrived.
  const Side other = side == Side::kClient ? Side::kServer : Side::kClient;
  if (watched(other).queue.outstanding() > 0) {
    watched(other).queue.Loosen();
    watched(side).queue.Excuse();
    watched(side).blocked = true;
  }
  rig_->Dereg(side);
}

void Execution::TakeSteps(std::size_t most, std::size_t index) {
  if (fake_ == nullptr) return;
  for (std::size_t taken = 0; taken < most && !finding_; ++taken) {
    const std::size_t enabled = fake_->EnabledSteps();
    if (enabled == 0) return;
    if (trace_) Say("        nic: " + fake_->DescribeStep(index % enabled));
    fake_->TakeStep(index % enabled);
    CheckUntorn();
    Count(board_->beat);
  }
}

void Execution::CheckUntorn() {
  memory_check_.Untorn(ViewOf(Side::kServer), client_.queue);
  memory_check_.Untorn(ViewOf(Side::kClient), server_.queue);
}

spec::model::MemoryView Execution::ViewOf(Side side) {
  const MemoryBlock& memory = *rig_->end(side).memory;
  return {memory.now(), memory.pristine(), side == Side::kClient ? "client" : "server"};
}

}  // namespace conformance
