#include "property_tests/program/generator.h"

#include <cerrno>
#include <utility>

namespace conformance {

namespace {

// At full width whatever the size of the test case: sizes here say how long a program is, not how
// large its numbers.
template <class Number>
Number Draw(Number from, Number to) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Number>(from, to));
}

// Picks one of a few values; shrinks towards the first.
template <class Value, std::size_t size>
Value OneOf(const Value (&values)[size]) {
  return values[Draw<std::size_t>(0, size)];
}

// True in `percent` of all cases; shrinks to false.
bool Rarely(int percent) { return Draw(0, 100) >= 100 - percent; }

// A function that the shape's main one is mixed with.
StepKind Other(const ProgramShape& shape) {
  if (shape.alone) return shape.main;
  constexpr StepKind kOthers[] = {StepKind::kWrite,  StepKind::kRead,     StepKind::kSend,
                                  StepKind::kFlush,  StepKind::kWriteImm, StepKind::kAtomicWrite,
                                  StepKind::kSendImm};
  return OneOf(kOthers);
}

StepKind Kind(const ProgramShape& shape, const Config& config) {
  const StepKind receive = config.srq > 0 ? StepKind::kSrqRecv : StepKind::kRecv;
  const bool hoisted = shape.main == StepKind::kReqRecv;  // such steps stand first
  const int choice = Draw(0, 100);
  if (choice < 40) return hoisted ? Other(shape) : shape.main;
  if (choice < 52) return Other(shape);
  if (choice < 62) return shape.alone ? shape.main : receive;
  if (choice < 74) return StepKind::kPoll;
  if (choice < 78) return shape.alone ? StepKind::kPoll : StepKind::kPollRecv;
  if (choice < 82) return StepKind::kWait;
  if (choice < 92) return StepKind::kTakeStep;
  if (choice < 95) return StepKind::kRun;
  if (choice < 97) return StepKind::kDrain;
  if (choice < 98) return StepKind::kDereg;
  return StepKind::kFault;
}

std::uint64_t Below(std::uint64_t limit) { return Draw<std::uint64_t>(0, limit); }

void FillRanges(Step& step, std::size_t region) {
  const bool outside = Rarely(step.traits().receives() ? 2 : 8);
  if (outside) {  // anywhere, also beyond the regions
    step.remote_offset = Below(2 * region);
    step.local_offset = Below(2 * region);
    step.len = Below(2 * region);
    if (Rarely(20)) step.len += std::uint64_t{1} << 32;
    return;
  }
  step.len = Below(region + 1);
  step.remote_offset = Below(region - step.len + 1);
  step.local_offset = Below(region - step.len + 1);
}

// The form without a region.
void FillZeroByte(Step& step) {
  step.local = Local::kNull;
  step.len = step.remote_offset = step.local_offset = 0;
  if (step.traits().remote != Place::kNone) step.remote = Remote::kNull;
}

// Receives are mostly large enough for any message.
void FillReceive(Step& step, std::size_t region) {
  constexpr Local kLocals[] = {Local::kForeign, Local::kNoUsage};
  if (Rarely(10)) return FillRanges(step, region);
  step.len = region;
  if (Rarely(2)) FillZeroByte(step);
  if (Rarely(2)) step.local = OneOf(kLocals);
}

void FillFlush(Step& step) {
  constexpr int kTypes[] = {1, 1, 1, 0, 2};
  step.type = OneOf(kTypes);
  step.direct_write = Rarely(50);
}

void FillSend(Step& step, std::size_t region) {
  constexpr int kFlags[] = {3, 3, 3, 1, 1};
  constexpr int kStrangeFlags[] = {0, 2, 4, -1};
  constexpr Remote kRemotes[] = {Remote::kOdd, Remote::kStale, Remote::kForeign, Remote::kNoWrite,
                                 Remote::kNull};
  constexpr Local kLocals[] = {Local::kForeign, Local::kNull};
  const StepTraits& traits = step.traits();
  if (step.kind == StepKind::kAtomicWrite) {
    step.remote_offset = 8 * Below(region / 8);
    if (Rarely(4)) step.remote_offset += Below(2 * region);
    step.word = 0x0101010101010101 * (1 + Below(0x7f));
  } else {
    FillRanges(step, region);
    if (traits.local != Place::kNone && Rarely(8)) FillZeroByte(step);
  }
  if (step.kind == StepKind::kFlush) FillFlush(step);
  if (traits.imm) step.imm = Draw<std::uint32_t>(0, UINT32_MAX);
  step.flags = OneOf(kFlags);
  if (Rarely(3)) step.flags = OneOf(kStrangeFlags);
  if (Rarely(4) && traits.remote != Place::kNone && step.remote == Remote::kGood)
    step.remote = OneOf(kRemotes);
  if (!Rarely(2) || step.local != Local::kGood) return;
  if (traits.local != Place::kNone) step.local = OneOf(kLocals);
  if (step.kind != StepKind::kAtomicWrite) return;
  step.local = Local::kNull;
  step.word = Step().word;  // there is none to say
}

void FillPost(Step& step, std::size_t region) {
  if (step.traits().receives())
    FillReceive(step, region);
  else
    FillSend(step, region);
  if (Rarely(1)) step.handle = false;
  // What the text form does not say keeps its default.
  if (step.traits().remote == Place::kNone) {
    step.remote = Remote::kGood;
    step.remote_offset = 0;
  }
  if (step.traits().local == Place::kNone) step.local_offset = 0;
  if (!step.traits().len()) step.len = Step().len;
}

Step ArbitraryStep(const ProgramShape& shape, const Config& config) {
  constexpr std::uint64_t kErrnos[] = {ENOMEM, EINVAL, EIO};
  Step step;
  step.kind = Kind(shape, config);
  if (Rarely(15)) step.side = Side::kServer;
  if (step.traits().receives() && !shape.alone && step.kind != shape.main)
    step.side = OtherThan(step.side);  // most messages go to the server
  if (step.posts()) FillPost(step, config.region);
  if (step.kind == StepKind::kPoll || step.kind == StepKind::kPollRecv) step.number = 1 + Below(4);
  if (step.kind == StepKind::kTakeStep) step.number = Below(4);
  if (step.kind == StepKind::kFault) step.number = OneOf(kErrnos);
  return step;
}

Step ArbitraryReqRecv(const Config& config) {
  Step step;
  step.kind = StepKind::kReqRecv;
  if (!Rarely(30)) step.side = Side::kServer;
  FillPost(step, config.region);
  return step;
}

void ChooseSchedule(Config& config) {
  if (Rarely(40)) {
    config.schedule = Schedule::kManual;
  } else if (Rarely(40)) {
    config.schedule = Schedule::kSeeded;
    config.seed = Below(1 << 30);
  }
}

Config ArbitraryConfig(const ProgramShape& shape) {
  constexpr std::uint32_t kQueues[] = {8, 1, 2, 3, 4};
  constexpr std::size_t kLarge = 10000;
  Config config;
  config.sq = OneOf(kQueues);
  if (Rarely(4)) config.region = kLarge;
  if (shape.fake) ChooseSchedule(config);
  if (shape.alone) return config;
  config.rq = OneOf(kQueues);
  if (Rarely(30)) config.rcq = Config().cq;
  if (Rarely(20)) config.channel = true;
  if (shape.main != StepKind::kSrqRecv && !Rarely(10)) return config;
  config.srq = OneOf(kQueues);
  if (Rarely(50) && !config.channel) config.srcq = 2 * Config().cq;
  return config;
}

// Contexts that tell the operations of a program apart, in all widths.
void NumberContexts(Program& program) {
  constexpr std::uint64_t kBases[] = {0, 0x100000000, 0x7f0000000000, 0xffffffff00000000};
  std::uint64_t next = 1;
  for (Step& step : program.steps) {
    if (step.posts()) step.ctx = kBases[next % 4] + next;
    ++next;
  }
}

}  // namespace

rc::Gen<Program> ArbitraryProgram(const ProgramShape& shape) {
  return rc::gen::exec([shape] {
    Program program;
    program.config = ArbitraryConfig(shape);
    const Config config = program.config;
    const rc::Gen<Step> step =
        rc::gen::exec([shape, config] { return ArbitraryStep(shape, config); });
    // Twenty posts of either end, and their markers, stay within the completion queue.
    program.steps =
        *rc::gen::scale(0.2, rc::gen::nonEmpty(rc::gen::container<std::vector<Step>>(step)));
    if (shape.main == StepKind::kReqRecv) {
      const rc::Gen<Step> first = rc::gen::exec([config] { return ArbitraryReqRecv(config); });
      const std::vector<Step> early =
          *rc::gen::scale(0.04, rc::gen::container<std::vector<Step>>(first));
      program.steps.insert(program.steps.begin(), early.begin(), early.end());
    }
    NumberContexts(program);
    return program;
  });
}

rc::Gen<Program> ArbitraryText() {
  return rc::gen::exec([] {
    constexpr Remote kRemotes[] = {Remote::kGood,    Remote::kNull,    Remote::kStale, Remote::kOdd,
                                   Remote::kForeign, Remote::kNoWrite, Remote::kNoRead};
    constexpr Local kLocals[] = {Local::kGood, Local::kNull, Local::kForeign, Local::kNoUsage};
    constexpr StepKind kMains[] = {StepKind::kWrite, StepKind::kReqRecv, StepKind::kSrqRecv};
    Program program = *ArbitraryProgram({OneOf(kMains)});
    program.config.cq = 1 + static_cast<std::uint32_t>(Below(100));
    for (Step& step : program.steps) {
      if (!step.posts()) continue;
      const StepTraits& traits = step.traits();
      if (traits.remote != Place::kNone) {
        step.remote = OneOf(kRemotes);
        step.remote_offset = *rc::gen::arbitrary<std::uint64_t>();
      }
      if (traits.local != Place::kNone) {
        step.local = OneOf(kLocals);
        step.local_offset = *rc::gen::arbitrary<std::uint64_t>();
      }
      if (traits.flags()) step.flags = *rc::gen::arbitrary<int>();
      if (step.kind == StepKind::kFlush) step.type = *rc::gen::arbitrary<int>();
      if (traits.len()) step.len = *rc::gen::arbitrary<std::uint64_t>();
      step.ctx = *rc::gen::arbitrary<std::uint64_t>();
    }
    return program;
  });
}

}  // namespace conformance
