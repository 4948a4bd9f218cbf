// What a power failure leaves of each operation: eager, step by step, and between two fabrics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nic/test_far_pair.h"
#include "nic/test_pair.h"

namespace fakenic {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

// An operation that writes eight bytes into the start of the remote memory.
constexpr WrOpcode kWriting[] = {WrOpcode::kRdmaWrite, WrOpcode::kRdmaWriteWithImm, WrOpcode::kSend,
                                 WrOpcode::kAtomicWrite, WrOpcode::kAtomicFetchAndAdd};

SendWr Writing(WrOpcode opcode, const TestEnd& local, const TestEnd& remote, const Sge& sge) {
  return {.wr_id = 1,
          .opcode = opcode,
          .flags = 0,
          .sges = {&sge, 1},
          .remote_addr = remote.addr(0),
          .rkey = remote.mr->key,
          .compare_add = local.mr->key};
}

SendWr FlushOfBoth(const TestEnd& remote) {
  return {.wr_id = 2,
          .opcode = WrOpcode::kFlush,
          .flags = 0,
          .sges = {},
          .remote_addr = remote.addr(0),
          .rkey = remote.mr->key,
          .flush = {8, flush_type::kPersistent}};
}

class PowerTest : public testing::TestWithParam<std::tuple<WrOpcode, bool>> {
 protected:
  WrOpcode opcode() const { return std::get<0>(GetParam()); }
  bool eager() const { return std::get<1>(GetParam()); }
};

TEST_P(PowerTest, WhatAnOperationWroteIsLostUnlessItIsFlushed) {
  for (const bool flushed : {false, true}) {
    TestPair pair;
    pair.fabric.set_platform(Platform::kAdrDdio);
    pair.fabric.set_eager(eager());
    pair.local.Fill("abcdefgh");
    pair.PostRecvInto(9, 0, 8);
    const Sge sge{pair.local.addr(0), 8, pair.local.mr->key};

    pair.Post(Writing(opcode(), pair.local, pair.remote, sge));
    if (flushed) pair.Post(FlushOfBoth(pair.remote));
    pair.fabric.RunInOrder();
    const std::string written = pair.remote.text(0, 8);
    EXPECT_NE(written, std::string(8, '\0'));
    EXPECT_EQ(pair.fabric.persistence()->Survives(pair.remote.addr(0), 8), flushed);
    pair.fabric.FailPower();

    EXPECT_EQ(pair.remote.text(0, 8), flushed ? written : std::string(8, '\0'));
    EXPECT_EQ(pair.remote.qp->state(), QpState::kErr);
  }
}

TEST_P(PowerTest, BetweenTwoFabricsTheResponderKnows) {
  for (const bool flushed : {false, true}) {
    FarPair pair;
    Fabric& fabric = pair.far.fabric;
    fabric.set_platform(Platform::kAdrDdio);
    fabric.set_eager(eager());
    pair.local().Fill("abcdefgh");
    pair.PostRecv(9, 0, 8);
    const Sge sge{pair.local().addr(0), 8, pair.local().mr->key};

    pair.Post(Writing(opcode(), pair.local(), pair.remote(), sge));
    if (flushed) pair.Post(FlushOfBoth(pair.remote()));
    do {
      pair.Run();
    } while (fabric.RunInOrder() > 0);

    EXPECT_NE(pair.remote().text(0, 8), std::string(8, '\0'));
    EXPECT_EQ(fabric.persistence()->Survives(pair.remote().addr(0), 8), flushed);
    fabric.FailPower();
    EXPECT_EQ(pair.remote().text(0, 8) != std::string(8, '\0'), flushed);
  }
}

INSTANTIATE_TEST_SUITE_P(Schedule, PowerTest,
                         testing::Combine(testing::ValuesIn(kWriting), testing::Bool()));

class ReadBack : public testing::TestWithParam<bool> {};

TEST_P(ReadBack, MakesWhatIsBeforeItPersistentWhereverItReads) {
  TestPair pair;
  pair.fabric.set_platform(Platform::kAdr);
  pair.fabric.set_eager(GetParam());
  pair.Post(pair.Write(1, 8));
  SendWr nothing = pair.Read(2, 0);
  pair.Post(nothing);
  pair.fabric.RunInOrder();
  EXPECT_FALSE(pair.fabric.persistence()->Survives(pair.remote.addr(0), 8)) << "it read nothing";

  SendWr read = pair.Read(3, 8);
  read.remote_addr = pair.remote.addr(200);
  pair.Post(read);
  pair.fabric.RunInOrder();

  EXPECT_TRUE(pair.fabric.persistence()->Survives(pair.remote.addr(0), 8));
}

TEST_P(ReadBack, BetweenTwoFabricsToo) {
  FarPair pair;
  pair.far.fabric.set_platform(Platform::kEadr);
  pair.far.fabric.set_eager(GetParam());

  pair.Post(pair.Write(1, 8));
  pair.Post(pair.Make(WrOpcode::kRdmaRead, 2, 8));
  do {
    pair.Run();
  } while (pair.far.fabric.RunInOrder() > 0);

  EXPECT_TRUE(pair.far.fabric.persistence()->Survives(pair.remote().addr(0), 8));
}

INSTANTIATE_TEST_SUITE_P(Schedule, ReadBack, testing::Bool());

TEST(Power, AFlushOfAWholeRegionKeepsAllOfIt) {
  TestPair pair;
  pair.fabric.set_platform(Platform::kAdrDdio);
  SendWr far_away = pair.Write(1, 8);
  far_away.remote_addr = pair.remote.addr(248);
  pair.Post(far_away);
  SendWr flush = pair.Flush(2, 0);
  flush.flush.level = flush_level::kMr;

  pair.Post(flush);

  EXPECT_TRUE(pair.fabric.persistence()->Survives(pair.remote.addr(0), 256));
}

TEST(Power, WhatIsUnderWayWhenItFailsNeverArrives) {
  TestPair pair;
  pair.fabric.set_platform(Platform::kAdr);
  pair.fabric.set_eager(false);
  pair.local.Fill("abcdefgh");
  pair.Post(pair.Write(1, 64));
  for (const StepKind kind : {StepKind::kFetch, StepKind::kDeliver, StepKind::kPlace}) {
    const auto steps = pair.fabric.EnabledSteps();
    ASSERT_EQ(steps[0].kind, kind == StepKind::kPlace ? StepKind::kPlace : kind);
    pair.fabric.Take(steps[0]);
  }

  pair.fabric.FailPower();
  pair.fabric.RunInOrder();

  EXPECT_EQ(pair.remote.text(0, 64), std::string(64, '\0'));
  EXPECT_THAT(pair.Poll(pair.local), Each(Pair(1, WcStatus::kWrFlushErr)));
  EXPECT_FALSE(pair.fabric.busy());
  EXPECT_THAT(pair.remote.qp->first_cause, HasSubstr("the power has failed"));
}

TEST(Power, AMessageThatFoundAReceiveIsLostToo) {
  TestPair pair;
  pair.fabric.set_platform(Platform::kAdr);
  pair.fabric.set_eager(false);
  pair.local.Fill("abcdefgh");
  pair.PostRecvInto(9, 0, 8);
  pair.Post(pair.Send(1, 8));
  pair.fabric.Take(pair.fabric.EnabledSteps()[0]);
  pair.fabric.Take(pair.fabric.EnabledSteps()[0]);

  pair.fabric.FailPower();
  pair.fabric.RunInOrder();

  EXPECT_EQ(pair.remote.text(0, 8), std::string(8, '\0'));
}

TEST(Power, ADeregisteredRegionIsTheProgramsAgain) {
  TestPair pair;
  pair.fabric.set_platform(Platform::kAdr);
  pair.local.Fill("abcdefgh");
  pair.Post(pair.Write(1, 8));
  const Mr* again =
      pair.context.RegMr(pair.remote.pd->handle, pair.remote.addr(4), 8, kEverything).object;

  pair.context.DeregMr(pair.remote.mr->handle);
  EXPECT_TRUE(pair.fabric.persistence()->Survives(pair.remote.addr(0), 4));
  EXPECT_FALSE(pair.fabric.persistence()->Survives(pair.remote.addr(4), 4))
      << "registered once more";
  pair.context.DeregMr(again->handle);

  EXPECT_TRUE(pair.fabric.persistence()->Survives(pair.remote.addr(0), 256));
  pair.fabric.FailPower();
  EXPECT_EQ(pair.remote.text(0, 8), "abcdefgh");
}

TEST(Power, OfNoPlatformNothingIsKnown) {
  TestPair pair;
  pair.fabric.set_platform(Platform::kAdr);
  pair.fabric.set_platform(std::nullopt);

  EXPECT_EQ(pair.fabric.persistence(), nullptr);
}

}  // namespace
}  // namespace fakenic
