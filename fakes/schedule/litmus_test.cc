// The litmus table: what small programs may show and what they must never show, over every run of
// each, and over runs by chance.
#include "schedule/litmus.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace fakenic {
namespace {

enum class Shown { kReached, kNever };

struct Row {
  const char* name;
  Shown shown;
  LitmusProgram program;
  Litmus::Shows shows;
};

constexpr uint32_t kInline = send_flag::kInline;
constexpr uint32_t kFence = send_flag::kFence;
const std::vector<std::pair<size_t, size_t>> kOne = {{0, 1}};
const std::vector<std::pair<size_t, size_t>> kTwoQps = {{0, 1}, {0, 1}};
const std::vector<std::pair<size_t, size_t>> kThreeNodes = {{0, 1}, {0, 2}, {2, 1}};
const std::vector<std::pair<size_t, size_t>> kTwoRequesters = {{0, 1}, {2, 1}};
constexpr Via kOther{1, 0};      // the second connection
constexpr Via kThird{2, 0};      // the third
constexpr Via kBack{0, 1};       // the far end of the first
constexpr Via kOtherBack{1, 1};  // and of the second

bool Regs(LitmusWorld& world, uint64_t first, uint64_t second) {
  return world.registers[0] == first && world.registers[1] == second;
}

std::vector<Row> SourceRows() {
  return {
      {"L1_SourceIsReadLate",
       Shown::kReached,
       {kOne, {{Put(z2, x1), Store(x1, 1)}}, {}},
       [](auto& w) { return w.word(z2) == 1; }},
      {"L2_SourceIsFreeOnceCompleted",
       Shown::kNever,
       {kOne, {{Put(z2, x1), Poll(), Store(x1, 1)}}, {}},
       [](auto& w) { return w.word(z2) == 1; }},
      {"L3_InlineSourceIsReadAtThePost",
       Shown::kNever,
       {kOne, {{Put(z2, x1, kInline), Store(x1, 1)}}, {}},
       [](auto& w) { return w.word(z2) == 1; }},
      {"L4_StoresBeforeThePostAreSeen",
       Shown::kNever,
       {kOne, {{Store(x1, 1), Put(z2, x1)}}, {}},
       [](auto& w) { return w.word(z2) == 0; }},
      {"L26_APollCoversItsOwnOperationOnly",
       Shown::kReached,
       {kOne, {{Put(z2, x1), Put(w2, y1), Poll(), Store(y1, 1)}}, {}},
       [](auto& w) { return w.word(w2) == 1; }},
      {"L40_ARepeatedWriteCarriesANewerSource",
       Shown::kReached,
       {kOne,
        {{Put(z2, x1), Store(x1, 2), Poll()}, {Load(0, z2), Load(1, z2)}},
        {{x1, 1}},
        0,
        /*messages_repeat=*/true},
       [](auto& w) { return Regs(w, 1, 2); }},
      {"L40_NotWithoutRepetition",
       Shown::kNever,
       {kOne, {{Put(z2, x1), Store(x1, 2), Poll()}, {Load(0, z2), Load(1, z2)}}, {{x1, 1}}},
       [](auto& w) { return Regs(w, 1, 2); }},
      {"L40_NotBehindTheCompletion",
       Shown::kNever,
       {kOne,
        {{Put(z2, x1), Poll(), Store(x1, 2)}, {Load(0, z2), Load(1, z2)}},
        {{x1, 1}},
        0,
        /*messages_repeat=*/true},
       [](auto& w) { return Regs(w, 1, 2); }},
  };
}

std::vector<Row> ReadRows() {
  const std::vector<std::pair<Place, uint64_t>> z_is_1 = {{z2, 1}};
  return {
      {"L5_AReadLandsLate",
       Shown::kReached,
       {kOne, {{Get(x1, z2), Load(0, x1)}}, z_is_1},
       [](auto& w) { return w.registers[0] == 0; }},
      {"L6_AReadHasLandedOnceCompleted",
       Shown::kNever,
       {kOne, {{Get(x1, z2), Poll(), Load(0, x1)}}, z_is_1},
       [](auto& w) { return w.registers[0] == 0; }},
      {"L7_AReadLandsOnTopOfALaterStore",
       Shown::kReached,
       {kOne, {{Get(x1, z2), Store(x1, 2)}}, z_is_1},
       [](auto& w) { return w.word(x1) == 1; }},
      {"L8_AReadSeesTheWriteBeforeIt",
       Shown::kNever,
       {kOne, {{Put(z2, x1), Get(a1, z2), Poll(), Poll()}}, {{x1, 1}}},
       [](auto& w) { return w.word(a1) == 0; }},
      {"L9_AReadMaySeeTheWriteBehindIt",
       Shown::kReached,
       {kOne, {{Get(a1, z2), Put(z2, x1)}}, {{x1, 1}}},
       [](auto& w) { return w.word(a1) == 1; }},
      {"L10_NotIfThatIsFenced",
       Shown::kNever,
       {kOne, {{Get(a1, z2), Put(z2, x1, kFence)}}, {{x1, 1}}},
       [](auto& w) { return w.word(a1) == 1; }},
      {"L11_NotIfItWasPolledBefore",
       Shown::kNever,
       {kOne, {{Get(a1, z2), Poll(), Put(z2, x1)}}, {{x1, 1}}},
       [](auto& w) { return w.word(a1) == 1; }},
      {"L12_AWritesSourceMayBeReadBeforeAReadLandsThere",
       Shown::kReached,
       {kOne, {{Get(x1, z2), Put(w2, x1)}}, z_is_1},
       [](auto& w) { return w.word(w2) == 0; }},
      {"L13_NotIfItIsFenced",
       Shown::kNever,
       {kOne, {{Get(x1, z2), Put(w2, x1, kFence)}}, z_is_1},
       [](auto& w) { return w.word(w2) == 0; }},
      {"L39_ALaterReadMayReadEarlier",
       Shown::kReached,
       {kOne, {{Get(a1, z2), Get(b1, w2), Poll(), Poll()}, {Store(w2, 1), Store(z2, 1)}}, {}},
       [](auto& w) { return w.word(a1) == 1 && w.word(b1) == 0; }},
  };
}

std::vector<Row> WriteRows() {
  const Thread observer = {Await(w2, 1), Load(0, z2)};
  const std::vector<std::pair<Place, uint64_t>> x_is_1 = {{x1, 1}};
  const auto inverted = [](LitmusWorld& w) { return w.registers[0] == 0; };
  return {
      {"L14_WritesArePlacedInOrder",
       Shown::kNever,
       {kOne, {{Put(z2, x1), Put(w2, x1)}, observer}, x_is_1},
       inverted},
      {"L14_UnlessTheRegionIsRelaxed",
       Shown::kReached,
       {kOne, {{Put(z2, x1), Put(w2, x1)}, observer}, x_is_1, access_flag::kRelaxedOrdering},
       inverted},
      {"L15_WritesOfTwoQueuePairsAreNotOrdered",
       Shown::kReached,
       {kTwoQps, {{Put(z2, x1), Put(w2, x1, 0, kOther)}, observer}, x_is_1},
       inverted},
      {"L16_NorByACompletionBetweenThem",
       Shown::kReached,
       {kTwoQps, {{Put(z2, x1), Poll(), Put(w2, x1, 0, kOther)}, observer}, x_is_1},
       inverted},
      {"L17_AReadOfAThirdMayMissACompletedWrite",
       Shown::kReached,
       {kThreeNodes,
        {{Put(z2, x1), Poll(), Put(y3, x1, 0, kOther)},
         {Await(y3, 1), Get(a3, z2, 0, kThird), Poll(kThird)}},
        x_is_1},
       [](auto& w) { return w.next[1] == 3 && w.word(a3) == 0; }},
      {"L18_ACompletedWriteMayNotBeVisible",
       Shown::kReached,
       {kThreeNodes,
        {{Put(z2, x1), Poll(), Put(y3, x1, 0, kOther)}, {Await(y3, 1), Load(0, z2)}},
        x_is_1},
       [](auto& w) { return w.registers[0] == 0; }},
      {"L19_AReadBehindItMakesItVisible",
       Shown::kNever,
       {kThreeNodes,
        {{Put(z2, x1, kQuiet), Get(a1, z2), Poll(), Put(y3, x1, 0, kOther)},
         {Await(y3, 1), Load(0, z2)}},
        x_is_1},
       [](auto& w) { return w.registers[0] == 0; }},
      {"L32_BytesOfOneWriteArriveInAnyOrder",
       Shown::kReached,
       {kOne, {{Put(z2, x1, 0, {}, /*words=*/2)}, observer}, {{x1, 1}, {y1, 1}}},
       inverted},
      {"L33_AnAlignedWordIsNotTorn",
       Shown::kNever,
       {kOne, {{Put(z2, x1)}, {Load(0, z2)}}, {{x1, 0x1111222233334444}}},
       [](auto& w) { return w.registers[0] != 0 && w.registers[0] != 0x1111222233334444; }},
      {"L34_NorIsAnAtomicWrite",
       Shown::kNever,
       {kOne, {{AtomicWrite(z2, x1)}, {Load(0, z2)}}, {{x1, 0x1111222233334444}}},
       [](auto& w) { return w.registers[0] != 0 && w.registers[0] != 0x1111222233334444; }},
      {"L35_AnAtomicWriteIsPlacedBehindEarlierWrites",
       Shown::kNever,
       {kOne, {{Put(z2, x1), AtomicWrite(w2, x1)}, observer}, x_is_1},
       inverted},
  };
}

std::vector<Row> MessageRows() {
  const std::vector<std::pair<Place, uint64_t>> x_is_1 = {{x1, 1}};
  const auto stale = [](LitmusWorld& w) { return w.registers[0] == 0; };
  return {
      {"L20_AReceiveCoversTheWritesBeforeIt",
       Shown::kNever,
       {kOne, {{Put(z2, x1), Send()}, {PollRecv(kBack), Load(0, z2)}}, x_is_1},
       stale},
      {"L21_AReceiveOfAWriteWithImmediateDataCoversIt",
       Shown::kNever,
       {kOne, {{PutImm(z2, x1)}, {PollRecv(kBack), Load(0, z2)}}, x_is_1},
       stale},
      {"L22_ButNotTheWritesOfAnotherQueuePair",
       Shown::kReached,
       {kTwoQps, {{Put(z2, x1), Send(kOther)}, {PollRecv(kOtherBack), Load(0, z2)}}, x_is_1},
       stale},
  };
}

// Each node writes to the other and then looks at its own memory.
std::vector<Row> StoreBufferRows() {
  const std::vector<std::pair<Place, uint64_t>> ones = {{y1, 1}, {w2, 1}};
  const auto both_stale = [](LitmusWorld& w) { return Regs(w, 0, 0); };
  return {
      {"L23_TwoWritesMayMissEachOther",
       Shown::kReached,
       {kTwoQps, {{Put(z2, y1), Load(0, x1)}, {Put(x1, w2, 0, kOtherBack), Load(1, z2)}}, ones},
       both_stale},
      {"L24_EvenWhenCompleted",
       Shown::kReached,
       {kTwoQps,
        {{Put(z2, y1), Poll(), Load(0, x1)},
         {Put(x1, w2, 0, kOtherBack), Poll(kOtherBack), Load(1, z2)}},
        ones},
       both_stale},
      {"L25_NotWhenEachReadsBackWhatItWrote",
       Shown::kNever,
       {kTwoQps,
        {{Put(z2, y1, kQuiet), Get(a1, z2), Poll(), Load(0, x1)},
         {Put(x1, w2, kQuiet, kOtherBack), Get(f2, x1, 0, kOtherBack), Poll(kOtherBack),
          Load(1, z2)}},
        ones},
       both_stale},
  };
}

std::vector<Row> AtomicRows() {
  return {
      {"L27_AtomicsOfOneNicAreAtomic",
       Shown::kNever,
       {kTwoRequesters, {{FetchAdd(a1, z2, 1)}, {FetchAdd(a3, z2, 1, kOther)}}, {}},
       [](auto& w) { return w.word(z2) == 1; }},
      {"L28_ButNotAgainstAProcessor",
       Shown::kReached,
       {kOne,
        {{FetchAdd(a1, z2, 1)},
         {{[](LitmusWorld&) { return true; }, [](LitmusWorld& w) { ++w.word(z2); }}}},
        {}},
       [](auto& w) { return w.word(z2) == 1; }},
      {"L29_AProcessorsStoreMayBeLostInside",
       Shown::kReached,
       {kOne, {{CmpSwp(a1, z2, 0, 1), Poll()}, {Store(z2, 2)}}, {{a1, kUnset}}},
       [](auto& w) { return w.word(a1) == 0 && w.word(z2) == 1; }},
      {"L30_AWriteIsPlacedBehindAnAtomic",
       Shown::kNever,
       {kOne, {{CmpSwp(a1, z2, 0, 1), Put(w2, x1)}, {Load(0, w2), Load(1, z2)}}, {{x1, 1}}},
       [](auto& w) { return Regs(w, 1, 0); }},
      {"L31_AReadMaySeeTheAtomicBehindIt",
       Shown::kReached,
       {kOne, {{Get(a1, z2), CmpSwp(b1, z2, 0, 1)}}, {}},
       [](auto& w) { return w.word(a1) == 1; }},
      {"L31_NotIfThatIsFenced",
       Shown::kNever,
       {kOne, {{Get(a1, z2), CmpSwp(b1, z2, 0, 1, kFence)}}, {}},
       [](auto& w) { return w.word(a1) == 1; }},
  };
}

// What a power failure at any moment leaves. A completion that was polled says success.
std::vector<Row> PowerRows() {
  const std::vector<std::pair<Place, uint64_t>> x_is_1 = {{x1, 1}};
  constexpr auto kSuccess = static_cast<uint64_t>(WcStatus::kSuccess);
  const auto completed_and_lost = [](LitmusWorld& w) {
    return w.registers[0] == kSuccess && w.word(z2) == 0;
  };
  const auto commit_without_data = [](LitmusWorld& w) {
    return w.word(f2) == 1 && w.word(z2) == 0;
  };
  const auto data_lost = [](LitmusWorld& w) { return w.word(z2) == 0; };
  const Thread failure = {PowerFailure()};
  const Thread failure_once_committed = {Await(f2, 1), PowerFailure()};
  const auto powered = [&](const char* name, Shown shown, Platform platform,
                           std::vector<Thread> threads, Litmus::Shows shows) {
    return Row{
        name, shown, {kOne, std::move(threads), x_is_1, 0, false, platform}, std::move(shows)};
  };
  const Thread committed = {Put(z2, x1, kQuiet), Flush(z2, kQuiet), AtomicWrite(f2, x1, kQuiet),
                            Flush(f2)};
  const Thread read_back = {Put(z2, x1, kQuiet), Get(a1, z2), PollStatus(0)};
  const Thread flushed = {Put(z2, x1, kQuiet), Flush(z2), PollStatus(0)};
  const Thread completed = {Put(z2, x1), PollStatus(0)};
  using enum Platform;
  return {
      powered("L36_AFlushMakesTheDataPersistentBeforeTheCommit", Shown::kNever, kAdrDdio,
              {committed, failure}, commit_without_data),
      powered("L36_NotWithoutTheFlush", Shown::kReached, kAdrDdio,
              {{Put(z2, x1, kQuiet), AtomicWrite(f2, x1, kQuiet), Flush(f2)}, failure},
              commit_without_data),
      powered(
          "L36_WhoSeesTheAtomicWriteFindsTheDataPersistent", Shown::kNever, kAdrDdio,
          {{Put(z2, x1, kQuiet), Flush(z2, kQuiet), AtomicWrite(f2, x1)}, failure_once_committed},
          data_lost),
      powered("L36_NotWhoSeesAPlainWrite", Shown::kReached, kAdrDdio,
              {{Put(z2, x1, kQuiet), Flush(z2, kQuiet), Put(f2, x1)}, failure_once_committed},
              data_lost),
      powered("L37_ACompletedWriteMayBeLostUnderAdr", Shown::kReached, kAdr, {completed, failure},
              completed_and_lost),
      powered("L37_UnderAdrDdio", Shown::kReached, kAdrDdio, {completed, failure},
              completed_and_lost),
      powered("L37_UnderEadr", Shown::kReached, kEadr, {completed, failure}, completed_and_lost),
      powered("L38_NotOnceItWasReadBackUnderAdr", Shown::kNever, kAdr, {read_back, failure},
              completed_and_lost),
      powered("L38_NorUnderEadr", Shown::kNever, kEadr, {read_back, failure}, completed_and_lost),
      powered("L38_ButUnderAdrDdio", Shown::kReached, kAdrDdio, {read_back, failure},
              completed_and_lost),
      powered("L38_NotOnceItWasFlushedEvenUnderAdrDdio", Shown::kNever, kAdrDdio,
              {flushed, failure}, completed_and_lost),
  };
}

std::vector<Row> AllRows() {
  std::vector<Row> all;
  for (auto* rows :
       {SourceRows, ReadRows, WriteRows, MessageRows, StoreBufferRows, AtomicRows, PowerRows}) {
    for (Row& row : rows()) all.push_back(std::move(row));
  }
  return all;
}

class LitmusTest : public testing::TestWithParam<Row> {};

TEST_P(LitmusTest, EveryRun) {
  const Row& row = GetParam();
  Litmus litmus(row.program, row.shows);

  const Exploration found = Explore(litmus);

  std::printf("%s: %.0f schedules, %zu states\n", row.name, found.schedules, found.states);
  EXPECT_EQ(found.outcomes.count("shown"), row.shown == Shown::kReached ? 1u : 0u);
  EXPECT_EQ(found.outcomes.count("not shown"), 1u);
  EXPECT_EQ(found.outcomes.count("stuck"), 0u);
}

TEST_P(LitmusTest, RunsByChance) {
  const Row& row = GetParam();
  const bool wanted = row.shown == Shown::kReached;
  Litmus litmus(row.program, row.shows);

  bool shown = false;
  for (uint64_t seed = 0; seed < (wanted ? 2000 : 100) && !shown; ++seed) {
    Choices choices(seed);
    shown = RunOnce(litmus, choices) == "shown";
  }

  EXPECT_EQ(shown, wanted);
}

TEST(LitmusRun, RecordedChoicesRepeatIt) {
  for (const Row& row : AllRows()) {
    Litmus litmus(row.program, row.shows);
    Choices by_seed(uint64_t{7});
    const std::string outcome = RunOnce(litmus, by_seed);
    const std::string state = litmus.State();

    Choices recorded(by_seed.made());
    EXPECT_EQ(RunOnce(litmus, recorded), outcome);
    EXPECT_EQ(recorded.made(), by_seed.made()) << row.name;
    EXPECT_EQ(litmus.State(), state) << row.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, LitmusTest, testing::ValuesIn(AllRows()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace fakenic
