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

StepKind Kind(const ProgramShape& shape) {
  const StepKind other = shape.main == StepKind::kWrite ? StepKind::kAtomicWrite : StepKind::kWrite;
  const int choice = Draw(0, 100);
  if (choice < 45) return shape.main;
  if (choice < 60) return shape.both_functions ? other : shape.main;
  if (choice < 78) return StepKind::kPoll;
  if (choice < 82) return StepKind::kWait;
  if (choice < 92) return StepKind::kTakeStep;
  if (choice < 95) return StepKind::kRun;
  if (choice < 97) return StepKind::kDrain;
  if (choice < 98) return StepKind::kDereg;
  return StepKind::kFault;
}

std::uint64_t Below(std::uint64_t limit) { return Draw<std::uint64_t>(0, limit); }

void FillWrite(Step& step, std::size_t region) {
  if (Rarely(8)) {  // anywhere, also beyond the regions
    step.dst_offset = Below(2 * region);
    step.src_offset = Below(2 * region);
    step.len = Below(2 * region);
    if (Rarely(20)) step.len += std::uint64_t{1} << 32;
    return;
  }
  step.len = Below(region + 1);
  step.dst_offset = Below(region - step.len + 1);
  step.src_offset = Below(region - step.len + 1);
  if (Rarely(8)) {
    step.dst = Target::kNull;
    step.src = Source::kNull;
    step.len = step.dst_offset = step.src_offset = 0;
  }
}

void FillPost(Step& step, std::size_t region) {
  constexpr int kFlags[] = {3, 3, 3, 1, 1};
  constexpr int kStrangeFlags[] = {0, 2, 4, -1};
  constexpr Target kTargets[] = {Target::kOdd, Target::kStale, Target::kForeign, Target::kNoWrite,
                                 Target::kNull};
  constexpr Source kSources[] = {Source::kForeign, Source::kNull};
  if (step.kind == StepKind::kWrite) {
    FillWrite(step, region);
  } else {
    step.dst_offset = 8 * Below(region / 8);
    if (Rarely(4)) step.dst_offset += Below(2 * region);
    step.word = 0x0101010101010101 * (1 + Below(0x7f));
  }
  step.flags = OneOf(kFlags);
  if (Rarely(3)) step.flags = OneOf(kStrangeFlags);
  if (Rarely(4) && step.dst == Target::kGood) step.dst = OneOf(kTargets);
  if (Rarely(2) && step.src == Source::kGood) {
    step.src = OneOf(kSources);
    if (step.kind == StepKind::kAtomicWrite) {
      step.src = Source::kNull;
      step.word = Step().word;  // there is none to say
    }
  }
  if (Rarely(1)) step.conn = false;
}

Step ArbitraryStep(const ProgramShape& shape, std::size_t region) {
  constexpr std::uint64_t kErrnos[] = {ENOMEM, EINVAL, EIO};
  Step step;
  step.kind = Kind(shape);
  if (Rarely(15)) step.side = Side::kServer;
  if (step.posts()) FillPost(step, region);
  if (step.kind == StepKind::kPoll) step.number = 1 + Below(4);
  if (step.kind == StepKind::kTakeStep) step.number = Below(4);
  if (step.kind == StepKind::kFault) step.number = OneOf(kErrnos);
  return step;
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
    constexpr std::uint32_t kQueues[] = {8, 1, 2, 3, 4};
    constexpr std::size_t kLarge = 10000;
    Program program;
    program.config.sq = OneOf(kQueues);
    if (Rarely(4)) program.config.region = kLarge;
    if (shape.fake && Rarely(50)) program.config.schedule = Schedule::kManual;
    const std::size_t region = program.config.region;
    const rc::Gen<Step> step =
        rc::gen::exec([shape, region] { return ArbitraryStep(shape, region); });
    // Twenty posts of either end, and their markers, stay within the completion queue.
    program.steps =
        *rc::gen::scale(0.2, rc::gen::nonEmpty(rc::gen::container<std::vector<Step>>(step)));
    NumberContexts(program);
    return program;
  });
}

rc::Gen<Program> ArbitraryText() {
  return rc::gen::exec([] {
    constexpr Target kTargets[] = {Target::kGood, Target::kNull,    Target::kStale,
                                   Target::kOdd,  Target::kForeign, Target::kNoWrite};
    Program program = *ArbitraryProgram({});
    program.config.cq = 1 + static_cast<std::uint32_t>(Below(100));
    for (Step& step : program.steps) {
      if (!step.posts()) continue;
      step.dst = OneOf(kTargets);
      step.dst_offset = *rc::gen::arbitrary<std::uint64_t>();
      step.flags = *rc::gen::arbitrary<int>();
      step.ctx = *rc::gen::arbitrary<std::uint64_t>();
      if (step.kind == StepKind::kWrite) step.len = *rc::gen::arbitrary<std::uint64_t>();
    }
    return program;
  });
}

}  // namespace conformance
