#include "property_tests/worker/execution.h"

#include <algorithm>

#include "property_tests/program/text.h"
#include "spec/model/text.h"

namespace conformance {

using spec::model::Finding;
using spec::model::ReceiveQueue;
using spec::model::SendQueue;

Execution::Execution(Rig* rig, const FakeNics* fake, Abilities abilities, Board* board, Trace trace)
    : BoardWitness(board),
      rig_(rig),
      fake_(fake),
      trace_(std::move(trace)),
      client_(this),
      server_(this),
      abilities_(abilities),
      // The fake has finished when its steps are taken; a NIC in an emulated machine may take its
      // time.
      patience_(fake != nullptr ? 20 : 10000) {}

void Execution::Broke(Finding finding) {
  std::optional<Finding>& place = PlaceOf(finding);
  if (place) return;
  for (const spec::Rule* rule : explanations_)
    if (std::find(finding.blame.begin(), finding.blame.end(), rule) == finding.blame.end())
      finding.blame.push_back(rule);
  place = std::move(finding);
}

// Whether the library and the NIC have what the program's connection needs.
bool Execution::Supports(const Program& program) const {
  return program.config.srq == 0 || abilities_.shared_queue;
}

// Makes the connection; `early` are the steps that go before it.
void Execution::Connect(const std::vector<Step>& early) {
  rig_->Connect(config_, [&](Side side, rpma_conn_req* request) {
    request_ = request;
    for (const Step& step : early) {
      if (step.side != side || finding_) continue;
      if (trace_) Say(step.side, event::kCall, Print(step));
      Do(step);
    }
    request_ = nullptr;
  });
  connected_ = true;
  own_receive_waits_ = false;
}

std::optional<Finding> Execution::Run(const Program& program) {
  Begin(program.config);
  single_ = false;
  if (!Supports(program)) return std::nullopt;
  const auto is_early = [](const Step& step) {
    return step.kind == StepKind::kReqRecv || step.kind == StepKind::kFault;
  };
  auto first = std::find_if_not(program.steps.begin(), program.steps.end(), is_early);
  while (first != program.steps.begin() && (first - 1)->kind == StepKind::kFault) --first;
  Connect({program.steps.begin(), first});
  if (fake_ != nullptr && config_.schedule == Schedule::kManual) fake_->SetManual(true);
  if (seeded()) fake_->SetSeeded(config_.seed);
  for (auto step = first; step != program.steps.end() && !finding_; ++step) {
    if (trace_ && step->kind != StepKind::kDrain) Say(step->side, event::kCall, Print(*step));
    Do(*step);
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
  return TakeFinding();
}

std::optional<Finding> Execution::RunCall(const Step& step, const Config& config) {
  const bool same = config == config_;
  Begin(config);
  if (config.srq > 0 && !abilities_.shared_queue) return std::nullopt;
  single_ = true;
  if (step.kind == StepKind::kReqRecv)
    Connect({step});
  else if (!connected_ || !same)
    Connect({});
  if (own_receive_waits_) AdoptOwnReceive(Side::kServer);
  const bool takes_receive =
      step.traits().message && abilities_.messages && MeaningOf(step, config_).refusals.empty();
  if (takes_receive && !own_receive_waits_) PostOwnReceive(OtherThan(step.side));
  if (trace_ && step.kind != StepKind::kReqRecv) Say(step.side, event::kCall, Print(step));
  if (step.kind != StepKind::kReqRecv) Post(step);
  if (!finding_ && step.traits().receives()) AwaitOwnMessage(step);
  if (!finding_) Drain();
  if (!finding_ && step.traits().receives()) JudgeOwnMessage(step);
  if (finding_ || client_.broken || client_.marker != Marker::kSucceeded) connected_ = false;
  own_receive_waits_ = connected_ && server_.receives.Awaits(kOwnContext);
  Count(board_->calls);
  Count(board_->beat);
  return TakeFinding();
}

void Execution::Begin(const Config& config) {
  ForgetFindings();
  explanations_.clear();
  config_ = config;
  fault_ = 0;
  drained_ = false;
  last_page_ = nullptr;
  last_refused_ = false;
  AwaitArrivals();  // nothing of an earlier case shall come after the memories are made new
  rig_->Resize(config.region);
  for (ReceiveQueue& receives : shared_receives_) receives.Reset(config.srq);
  for (const Side side : {Side::kClient, Side::kServer}) {
    Watched& w = watched(side);
    w.queue.Reset(config.sq);
    w.receives.Reset(config.rq);
    w.blocked = w.broken = false;
    w.marker = Marker::kNotPosted;
    rig_->end(side).memory->Restore();
    if (own_buffer_used_) rig_->end(side).marker_memory->Restore();
  }
  own_buffer_used_ = false;
}

void Execution::Do(const Step& step) {
  drained_ = false;
  if (step.posts()) return Post(step);
  switch (step.kind) {
    case StepKind::kPoll:
      Poll(step.side, static_cast<int>(step.number));
      return;
    case StepKind::kPollRecv:
      PollReceives(step.side, static_cast<int>(step.number));
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
    default:
      return;
  }
}

void Execution::Dereg(Side side) {
  if (!rig_->end(side).d_registered) return;
  // What the other end has under way to D may or may not have arrived.
  const Side other = OtherThan(side);
  if (watched(other).queue.outstanding() > 0) {
    watched(other).queue.Loosen();
    watched(side).queue.Excuse();
    watched(side).blocked = true;
    MayBreak(side);
  }
  rig_->Dereg(side);
}

void Execution::TakeSteps(std::size_t most, std::size_t index) {
  if (fake_ == nullptr || seeded()) return;
  for (std::size_t taken = 0; taken < most && !finding_; ++taken) {
    const std::size_t enabled = fake_->EnabledSteps();
    if (enabled == 0) return;
    if (trace_) Say(at::kNowhere, event::kNic, fake_->DescribeStep(index % enabled));
    fake_->TakeStep(index % enabled);
    CheckUntorn();
    Count(board_->beat);
  }
}

void Execution::AwaitArrivals() const {
  if (fake_ != nullptr) fake_->AwaitArrivals();
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
