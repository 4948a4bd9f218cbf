// Flushes: what they answer, what they need, and how they are ordered with other operations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <optional>

#include "nic/test_far_pair.h"
#include "nic/test_schedules.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::Pair;

using enum WcStatus;
constexpr uint8_t kGlobal = flush_type::kGlobal;
constexpr uint8_t kPersistent = flush_type::kPersistent;

TEST(EagerFlush, CompletesWithItsOpcodeAndWithoutBytes) {
  TestPair pair;

  EXPECT_EQ(pair.Post(pair.Flush(7)), 0);

  const Completion& completion = pair.fabric.Poll(*pair.local.cq);
  EXPECT_EQ(completion.wr_id, 7u);
  EXPECT_EQ(completion.status, kSuccess);
  EXPECT_EQ(completion.opcode, WcOpcode::kFlush);
  EXPECT_EQ(completion.byte_len, 0u);
}

TEST(EagerFlush, OfAWholeRegionLooksAtNoRange) {
  TestPair pair;
  SendWr wr = pair.Flush(1, UINT64_MAX);
  wr.remote_addr = 1;
  wr.flush.level = flush_level::kMr;

  EXPECT_EQ(pair.Post(wr), 0);

  EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(1, kSuccess)));
}

TEST(EagerFlush, OfOneTypeNeedsItsRightsOnly) {
  for (const uint8_t type : {kGlobal, kPersistent}) {
    TestPair pair;
    pair.remote.mr->access = pair.remote.qp->attr().access_flags = uint32_t{type} << 8;
    SendWr wr = pair.Flush(1);
    wr.flush.types = type;

    pair.Post(wr);

    EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(1, kSuccess)));
  }
}

TEST(EagerFlush, OfNothingAtTheEndOfTheRegionSucceeds) {
  TestPair pair;
  SendWr wr = pair.Flush(1, 0);
  wr.remote_addr = pair.remote.addr(0) + 256;

  pair.Post(wr);

  EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(1, kSuccess)));
}

TEST(EagerFlush, NeedsNoReadResourcesOfTheResponder) {
  TestPair pair;
  pair.remote.qp->attr().max_dest_rd_atomic = pair.local.qp->attr().max_rd_atomic = 0;

  pair.Post(pair.Flush(1));

  EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(1, kSuccess)));
}

TEST(PostedFlush, OfAnUnknownKindIsRefused) {
  TestPair pair;
  const auto post = [&](Flush flush) {
    SendWr wr = pair.Flush(1);
    wr.flush = flush;
    return pair.Post(wr);
  };

  EXPECT_EQ(post({.length = 8, .types = 0}), EINVAL);
  EXPECT_EQ(post({.length = 8, .types = kPersistent | 4}), EINVAL);
  EXPECT_EQ(post({.length = 8, .types = kGlobal, .level = 2}), EINVAL);
  EXPECT_EQ(post({.length = (uint64_t{1} << 31) + 1, .types = kGlobal}), EINVAL);
  SendWr with_bytes = pair.Flush(1);
  with_bytes.sges = {&pair.sge, 1};
  EXPECT_EQ(pair.Post(with_bytes), EINVAL);
  EXPECT_EQ(pair.fabric.counts().sends_posted, 0u);
}

// Step by step.
class FlushSteps : public StepByStep {
 protected:
  // An inline write of a word, delivered and not placed.
  void PostWord(uint64_t wr_id, WrOpcode opcode = WrOpcode::kRdmaWrite, uint32_t flags = 0) {
    SendWr wr = pair_.Write(wr_id, 8, send_flag::kSignaled | send_flag::kInline | flags);
    wr.opcode = opcode;
    pair_.Post(wr);
    Take(StepKind::kDeliver, wr_id);
  }

  void PostFlush(uint64_t wr_id) {
    pair_.Post(pair_.Flush(wr_id));
    Take(StepKind::kDeliver, wr_id);
  }
};

TEST_F(FlushSteps, ItWaitsForThePlacementOfWhatIsBeforeItAndItsAnswerForIt) {
  PostWord(1);
  PostWord(2, WrOpcode::kAtomicWrite);
  PostFlush(3);
  Take(StepKind::kAcknowledge, 1);
  Take(StepKind::kAcknowledge, 2);

  EXPECT_FALSE(Find(StepKind::kFlush, 3));
  Take(StepKind::kPlace, 1);
  EXPECT_FALSE(Find(StepKind::kFlush, 3));
  Take(StepKind::kPlaceWord, 2);
  EXPECT_FALSE(Find(StepKind::kAcknowledge, 3));
  Take(StepKind::kFlush, 3);
  Take(StepKind::kAcknowledge, 3);
  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local),
              ElementsAre(Pair(1, kSuccess), Pair(2, kSuccess), Pair(3, kSuccess)));
}

TEST_F(FlushSteps, ItWaitsForAnAtomicAndForAReadBeforeIt) {
  SendWr add = pair_.Read(1, 8);
  add.opcode = WrOpcode::kAtomicFetchAndAdd;
  pair_.Post(add);
  pair_.Post(pair_.Read(2, 8));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kDeliver, 2);
  PostFlush(3);

  Take(StepKind::kExecute, 1);
  EXPECT_FALSE(Find(StepKind::kFlush, 3)) << "the atomic is not placed";
  Take(StepKind::kPlace, 1);
  EXPECT_FALSE(Find(StepKind::kFlush, 3)) << "the read is not executed";
  Take(StepKind::kExecute, 2);

  EXPECT_TRUE(Find(StepKind::kFlush, 3));
}

TEST_F(FlushSteps, ALaterWriteMayBePlacedBeforeItALaterAtomicWriteMayNot) {
  PostFlush(1);
  PostWord(2);
  PostWord(3, WrOpcode::kAtomicWrite);

  Take(StepKind::kPlace, 2);
  EXPECT_FALSE(Find(StepKind::kPlaceWord, 3));
  Take(StepKind::kFlush, 1);

  EXPECT_TRUE(Find(StepKind::kPlaceWord, 3));
}

TEST_F(FlushSteps, RelaxedOrderingDoesNotLetAnAtomicWritePassIt) {
  pair_.remote.mr->access |= access_flag::kRelaxedOrdering;
  PostFlush(1);
  PostWord(2, WrOpcode::kAtomicWrite);

  EXPECT_FALSE(Find(StepKind::kPlaceWord, 2));
}

TEST_F(FlushSteps, ItIsNoReadThatAFenceWaitsForOrThatCountsAsOne) {
  pair_.Post(pair_.Read(1, 8));
  pair_.Post(pair_.Read(2, 8));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kDeliver, 2);
  PostFlush(3);
  for (const uint64_t read : {1, 2}) Take(StepKind::kExecute, read);
  for (const uint64_t read : {1, 2}) Take(StepKind::kAcknowledge, read);
  for (const uint64_t read : {1, 2}) Take(StepKind::kLand, read);

  PostWord(4, WrOpcode::kRdmaWrite, send_flag::kFence);

  EXPECT_TRUE(Find(StepKind::kPlace, 4));
}

TEST_F(FlushSteps, ARegionThatGoesBeforeItIsExecutedIsAnAccessError) {
  PostFlush(1);

  pair_.context.DeregMr(pair_.remote.mr->handle);
  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, kRemAccessErr)));
}

TEST_F(FlushSteps, AWriteThatIsRefusedBehindItFindsItExecuted) {
  PostFlush(1);
  SendWr bad = pair_.Write(2, 8);
  bad.rkey = 2;
  pair_.Post(bad);
  Take(StepKind::kFetch, 2);
  Take(StepKind::kDeliver, 2);
  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, kSuccess), Pair(2, kRemAccessErr)));
}

// Between two fabrics, whose responder is eager or takes steps.
class FarFlush : public testing::TestWithParam<bool> {};

TEST_P(FarFlush, ReachesTheRegionBehindTheWriteBeforeIt) {
  FarPair pair;
  pair.far.fabric.set_eager(GetParam());
  pair.local().Fill("abcdefgh");
  Sge sge{pair.local().addr(0), 8, pair.local().mr->key};
  const uint64_t to = pair.remote().addr(0);
  const uint32_t rkey = pair.remote().mr->key;

  pair.Post({1, WrOpcode::kRdmaWrite, 0, {&sge, 1}, to, rkey});
  pair.Post({.wr_id = 2,
             .opcode = WrOpcode::kFlush,
             .flags = send_flag::kSignaled,
             .sges = {},
             .remote_addr = to,
             .rkey = rkey,
             .flush = {8, kPersistent, flush_level::kRange}});
  do {
    pair.Run();
  } while (pair.far.fabric.RunInOrder() > 0);

  EXPECT_EQ(pair.remote().text(0, 8), "abcdefgh");
  EXPECT_THAT(FarPair::Poll(pair.near), ElementsAre(Pair(2, kSuccess)));
}

INSTANTIATE_TEST_SUITE_P(Responder, FarFlush, testing::Bool(),
                         [](const auto& info) { return info.param ? "Eager" : "InSteps"; });

}  // namespace
}  // namespace fakenic
