// Messages between two fabrics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nic/test_far_pair.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr auto kOk = WcStatus::kSuccess;
constexpr auto kFlush = WcStatus::kWrFlushErr;
constexpr uint64_t kBudgetNs = (4096ull << 14) * 3;  // of the queue pairs of the tests

class FabricFar : public testing::Test {
 protected:
  auto PollNear() { return FarPair::Poll(pair_.near); }
  auto PollFar() { return FarPair::Poll(pair_.far); }
  QpState NearState() { return pair_.local().qp->state(); }
  QpState FarState() { return pair_.remote().qp->state(); }

  FarPair pair_;
};

TEST_F(FabricFar, AWriteIsPlacedBeforeItsCompletionIsThere) {
  pair_.local().Fill("abcdefgh");
  ASSERT_EQ(pair_.Post(pair_.Write(1, 8)), 0);
  EXPECT_THAT(PollNear(), IsEmpty());

  pair_.near.wire.DeliverOne(pair_.far.fabric);
  EXPECT_EQ(pair_.remote().text(0, 8), "abcdefgh");
  EXPECT_THAT(PollNear(), IsEmpty());

  pair_.Run();
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk)));
}

TEST_F(FabricFar, AnUnsignaledWriteLeavesNoTraceButItsBytes) {
  pair_.local().Fill("abcd");
  pair_.Post(pair_.Write(1, 4, 0));
  pair_.Run();

  EXPECT_EQ(pair_.remote().text(0, 4), "abcd");
  EXPECT_THAT(PollNear(), IsEmpty());
  EXPECT_TRUE(pair_.local().qp->outstanding.empty());
}

TEST_F(FabricFar, InlineBytesAreThoseOfThePost) {
  pair_.local().Fill("abcd");
  pair_.near.wire.room = 0;
  pair_.Post(pair_.Write(1, 4, send_flag::kSignaled | send_flag::kInline));
  pair_.local().Fill("wxyz");
  pair_.near.wire.room = SIZE_MAX;
  pair_.Run();

  EXPECT_EQ(pair_.remote().text(0, 4), "abcd");
}

TEST_F(FabricFar, AReadLandsAndCompletesWithItsLength) {
  pair_.remote().Fill("abcdefgh");
  pair_.Post(pair_.Make(WrOpcode::kRdmaRead, 1, 8));
  pair_.Run();

  EXPECT_EQ(pair_.local().text(0, 8), "abcdefgh");
  ASSERT_EQ(pair_.local().cq->size(), 1u);
  EXPECT_EQ(pair_.near.fabric.Poll(*pair_.local().cq).byte_len, 8u);
}

TEST_F(FabricFar, AnAtomicAddsThereAndReturnsWhatWasThere) {
  pair_.remote().Fill(std::string("\x05\0\0\0\0\0\0\0", 8));
  SendWr wr = pair_.Make(WrOpcode::kAtomicFetchAndAdd, 1, 8);
  wr.compare_add = 3;
  pair_.Post(wr);
  pair_.Run();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk)));
  EXPECT_EQ(pair_.remote().text(0, 1), "\x08");
  EXPECT_EQ(pair_.local().text(0, 1), "\x05");
}

TEST_F(FabricFar, ACompareAndSwapStoresOnlyWhatItWasToFind) {
  pair_.remote().Fill(std::string("\x05\0\0\0\0\0\0\0", 8));
  for (const uint64_t compare : {4, 5}) {
    SendWr wr = pair_.Make(WrOpcode::kAtomicCmpAndSwp, compare, 8);
    wr.compare_add = compare;
    wr.swap = 9;
    pair_.Post(wr);
    pair_.Run();
    EXPECT_EQ(pair_.remote().text(0, 1), compare == 5 ? "\x09" : "\x05");
  }
}

TEST_F(FabricFar, ASendTakesAReceiveAndTellsWhatItIs) {
  pair_.local().Fill("abcd");
  pair_.PostRecv(7, 100, 8);
  pair_.Post(pair_.Make(WrOpcode::kSendWithImm, 1, 4));
  pair_.Run();

  EXPECT_EQ(pair_.remote().text(100, 4), "abcd");
  ASSERT_EQ(pair_.remote().cq->size(), 1u);
  const Completion& received = pair_.far.fabric.Poll(*pair_.remote().cq);
  EXPECT_EQ(received.wr_id, 7u);
  EXPECT_EQ(received.byte_len, 4u);
  EXPECT_EQ(received.imm_data, 0x12345678u);
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk)));
}

TEST_F(FabricFar, AWriteWithImmediateDataTakesAReceiveAndNotItsBuffers) {
  pair_.local().Fill("abcd");
  pair_.PostRecv(7, 100, 8);
  pair_.Post(pair_.Make(WrOpcode::kRdmaWriteWithImm, 1, 4));
  pair_.Run();

  EXPECT_EQ(pair_.remote().text(0, 4), "abcd");
  EXPECT_EQ(pair_.remote().text(100, 4), std::string(4, '\0'));
  EXPECT_THAT(PollFar(), ElementsAre(Pair(7, kOk)));
}

TEST_F(FabricFar, WhatComesBeforeTheResponderIsReadyIsAskedForWhenItIs) {
  FarPair fresh;
  fresh.far.fabric.ModifyQp(*fresh.remote().qp, {}, qp_mask::kState);
  fresh.local().Fill("abcdefgh");
  fresh.Post(fresh.Write(1, 4));
  fresh.Post(fresh.Write(2, 8));
  fresh.Run();
  EXPECT_THAT(FarPair::Poll(fresh.near), IsEmpty());

  Connect(fresh.far.fabric, *fresh.remote().qp, fresh.local().qp->num);
  fresh.Run();

  EXPECT_THAT(FarPair::Poll(fresh.near), ElementsAre(Pair(1, kOk), Pair(2, kOk)));
  EXPECT_EQ(fresh.remote().text(0, 8), "abcdefgh");
}

TEST_F(FabricFar, ASendWithoutAReceiveWaitsForOneAndWhatComesAfterItToo) {
  pair_.local().Fill("abcdefgh");
  pair_.Post(pair_.Make(WrOpcode::kSend, 1, 4));
  pair_.Post(pair_.Write(2, 8));
  pair_.Run();
  EXPECT_EQ(pair_.remote().text(0, 8), std::string(8, '\0'));

  pair_.PostRecv(7, 100, 8);
  pair_.Run();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk), Pair(2, kOk)));
  EXPECT_THAT(PollFar(), ElementsAre(Pair(7, kOk)));
  EXPECT_EQ(pair_.remote().text(0, 8), "abcdefgh");
}

TEST_F(FabricFar, WithoutAReceiveTheRetriesEndAndTheResponderStays) {
  pair_.Post(pair_.Make(WrOpcode::kSend, 1, 4));
  pair_.Post(pair_.Write(2, 8));
  pair_.Run();
  pair_.Advance(3 * 640'000 - 1);
  EXPECT_THAT(PollNear(), IsEmpty());

  pair_.Advance(2);

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, WcStatus::kRnrRetryExcErr), Pair(2, kFlush)));
  EXPECT_EQ(NearState(), QpState::kErr);
  EXPECT_EQ(FarState(), QpState::kRts);
  pair_.PostRecv(7, 100, 8);
  pair_.Run();
  EXPECT_THAT(PollFar(), IsEmpty()) << "nobody sends again";
}

TEST_F(FabricFar, ASilentPeerEndsTheRetries) {
  pair_.Post(pair_.Write(1, 8));
  pair_.Post(pair_.Write(2, 8));
  pair_.near.wire.packets.clear();
  pair_.Advance(kBudgetNs - 1);
  EXPECT_THAT(PollNear(), IsEmpty());

  pair_.Advance(2);

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, WcStatus::kRetryExcErr), Pair(2, kFlush)));
  EXPECT_FALSE(pair_.near.fabric.awaits_remote());
}

TEST_F(FabricFar, APeerInErrorIsSilent) {
  QpAttr error;
  error.state = QpState::kErr;
  pair_.far.fabric.ModifyQp(*pair_.remote().qp, error, qp_mask::kState);
  pair_.Post(pair_.Write(1, 8));
  pair_.Run();
  EXPECT_TRUE(pair_.far.wire.packets.empty());

  pair_.Advance(kBudgetNs + 1);
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, WcStatus::kRetryExcErr)));
}

struct Refused {
  const char* name;
  void (*breaks)(FarPair&, SendWr&);
  WcStatus status;
  bool responder_fails;
};

class FabricFarRefuses : public testing::TestWithParam<Refused> {};

TEST_P(FabricFarRefuses, AndTheRestIsFlushed) {
  FarPair pair;
  pair.Post(pair.Write(1, 0));
  pair.Run();
  SendWr wr = pair.Write(2, 8);
  GetParam().breaks(pair, wr);
  ASSERT_EQ(pair.Post(wr), 0);
  pair.Post(pair.Write(3, 0));
  pair.Run();

  EXPECT_THAT(FarPair::Poll(pair.near),
              ElementsAre(Pair(1, kOk), Pair(2, GetParam().status), Pair(3, kFlush)));
  EXPECT_EQ(pair.local().qp->state(), QpState::kErr);
  EXPECT_EQ(pair.remote().qp->state() == QpState::kErr, GetParam().responder_fails);
  EXPECT_EQ(pair.remote().text(0, 8), std::string(8, '\0'));
}

INSTANTIATE_TEST_SUITE_P(
    All, FabricFarRefuses,
    testing::Values(Refused{"SourceKey", [](FarPair& p, SendWr&) { p.sge.lkey ^= 1; },
                            WcStatus::kLocProtErr, false},
                    Refused{"TargetKey", [](FarPair&, SendWr& wr) { wr.rkey ^= 1; },
                            WcStatus::kRemAccessErr, true},
                    Refused{"TargetRange", [](FarPair&, SendWr& wr) { wr.remote_addr += 249; },
                            WcStatus::kRemAccessErr, true},
                    Refused{"ReadOfABadKey",
                            [](FarPair&, SendWr& wr) {
                              wr.opcode = WrOpcode::kRdmaRead;
                              wr.rkey ^= 1;
                            },
                            WcStatus::kRemAccessErr, true},
                    Refused{"ReadIntoABadKey",
                            [](FarPair& p, SendWr& wr) {
                              wr.opcode = WrOpcode::kRdmaRead;
                              p.sge.lkey ^= 1;
                            },
                            WcStatus::kLocProtErr, false},
                    Refused{"MisalignedAtomic",
                            [](FarPair&, SendWr& wr) {
                              wr.opcode = WrOpcode::kAtomicFetchAndAdd;
                              wr.remote_addr += 4;
                            },
                            WcStatus::kRemInvReqErr, true},
                    Refused{"QpWithoutTheRight",
                            [](FarPair& p, SendWr&) { p.remote().qp->attr().access_flags = 0; },
                            WcStatus::kRemInvReqErr, true},
                    Refused{"NoReadResources",
                            [](FarPair& p, SendWr& wr) {
                              wr.opcode = WrOpcode::kRdmaRead;
                              p.remote().qp->attr().max_dest_rd_atomic = 0;
                            },
                            WcStatus::kRemInvReqErr, true},
                    Refused{"ReceiveTooShort",
                            [](FarPair& p, SendWr& wr) {
                              wr.opcode = WrOpcode::kSend;
                              p.PostRecv(7, 100, 7);
                            },
                            WcStatus::kRemInvReqErr, true},
                    Refused{"ReceiveKey",
                            [](FarPair& p, SendWr& wr) {
                              wr.opcode = WrOpcode::kSend;
                              p.recv_sge = {p.remote().addr(0), 8, 0x77};
                              p.far.fabric.PostRecv(*p.remote().qp, {7, {&p.recv_sge, 1}});
                            },
                            WcStatus::kRemOpErr, true}),
    [](const auto& test) { return test.param.name; });

TEST_F(FabricFar, ReadsBeyondTheDepthWaitForThoseBefore) {
  for (uint64_t i = 1; i <= 4; ++i) pair_.Post(pair_.Make(WrOpcode::kRdmaRead, i, 8));
  EXPECT_EQ(pair_.near.wire.packets.size(), 2u);

  pair_.Run();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk), Pair(2, kOk), Pair(3, kOk), Pair(4, kOk)));
}

TEST_F(FabricFar, AFencedMessageWaitsForTheReadsBefore) {
  pair_.Post(pair_.Make(WrOpcode::kRdmaRead, 1, 8));
  pair_.Post(pair_.Write(2, 8, send_flag::kSignaled | send_flag::kFence));
  EXPECT_EQ(pair_.near.wire.packets.size(), 1u);

  pair_.Run();
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk), Pair(2, kOk)));
}

// A message of many packets over a wire with room for one.
class FabricFarLong : public testing::Test {
 protected:
  static constexpr uint32_t kLength = 5 * kMaxPayload + 100;

  FabricFarLong() {
    for (uint32_t i = 0; i < kLength; ++i) source_[i] = static_cast<char>(i * 7 + i / 4096);
    source_mr_ = Register(pair_.near, source_);
    target_mr_ = Register(pair_.far, target_);
    pair_.near.wire.room = pair_.far.wire.room = 1;
  }

  static Mr* Register(FarSide& side, std::vector<char>& memory) {
    return side.context
        .RegMr(side.end->pd->handle, reinterpret_cast<uintptr_t>(memory.data()), memory.size(),
               kEverything)
        .object;
  }

  SendWr Long(WrOpcode opcode) {
    pair_.sge = {source_mr_->addr, kLength, source_mr_->key};
    return {1, opcode, send_flag::kSignaled, {&pair_.sge, 1}, target_mr_->addr, target_mr_->key};
  }

  void PostLongRecv(uint32_t first) {
    const Sge into[] = {{target_mr_->addr, first, target_mr_->key},
                        {target_mr_->addr + first, kLength - first, target_mr_->key}};
    ASSERT_EQ(pair_.far.fabric.PostRecv(*pair_.remote().qp, {7, into}), 0);
  }

  std::vector<char> source_ = std::vector<char>(kLength), target_ = std::vector<char>(kLength);
  FarPair pair_;
  Mr* source_mr_ = nullptr;
  Mr* target_mr_ = nullptr;
};

TEST_F(FabricFarLong, AWriteArrivesWhole) {
  pair_.Post(Long(WrOpcode::kRdmaWrite));
  pair_.Run();

  EXPECT_EQ(target_, source_);
  EXPECT_THAT(FarPair::Poll(pair_.near), ElementsAre(Pair(1, kOk)));
}

TEST_F(FabricFarLong, AReadLandsWhole) {
  std::swap(source_, target_);
  std::swap(source_mr_->addr, target_mr_->addr);
  const std::vector<char> expected = target_;
  SendWr wr = Long(WrOpcode::kRdmaRead);
  pair_.Post(wr);
  pair_.Run();

  EXPECT_THAT(FarPair::Poll(pair_.near), ElementsAre(Pair(1, kOk)));
  EXPECT_EQ(source_, expected);
  EXPECT_EQ(target_, expected);
}

TEST_F(FabricFarLong, ASendFillsTheBuffersOfItsReceive) {
  PostLongRecv(kMaxPayload + 3);
  pair_.Post(Long(WrOpcode::kSend));
  pair_.Run();

  EXPECT_EQ(target_, source_);
  EXPECT_THAT(FarPair::Poll(pair_.far), ElementsAre(Pair(7, kOk)));
}

TEST_F(FabricFarLong, WithoutItsRegionTheRestIsRefused) {
  pair_.Post(Long(WrOpcode::kRdmaWrite));
  pair_.near.wire.DeliverOne(pair_.far.fabric);
  pair_.far.context.DeregMr(target_mr_->handle);
  pair_.Run();

  EXPECT_THAT(FarPair::Poll(pair_.near), ElementsAre(Pair(1, WcStatus::kRemAccessErr)));
  EXPECT_EQ(target_.back(), '\0');
  EXPECT_EQ(target_[0], source_[0]);
}

TEST_F(FabricFarLong, AReceiveWhoseMessageIsCutOffIsFlushedFirst) {
  PostLongRecv(kMaxPayload);
  pair_.PostRecv(8, 0, 8);
  pair_.Post(Long(WrOpcode::kSend));
  pair_.near.wire.DeliverOne(pair_.far.fabric);
  QpAttr error;
  error.state = QpState::kErr;
  pair_.far.fabric.ModifyQp(*pair_.remote().qp, error, qp_mask::kState);
  pair_.Run();

  EXPECT_THAT(FarPair::Poll(pair_.far), ElementsAre(Pair(7, kFlush), Pair(8, kFlush)));
  pair_.Advance(kBudgetNs + 1);
  EXPECT_THAT(FarPair::Poll(pair_.near), ElementsAre(Pair(1, WcStatus::kRetryExcErr)));
}

TEST_F(FabricFarLong, AReadWhosePeerFailsMeanwhileIsNotAnsweredFurther) {
  pair_.Post(Long(WrOpcode::kRdmaRead));
  pair_.near.wire.DeliverOne(pair_.far.fabric);
  QpAttr error;
  error.state = QpState::kErr;
  pair_.far.fabric.ModifyQp(*pair_.remote().qp, error, qp_mask::kState);
  pair_.Run();
  EXPECT_THAT(FarPair::Poll(pair_.near), IsEmpty());

  pair_.Advance(kBudgetNs + 1);
  EXPECT_THAT(FarPair::Poll(pair_.near), ElementsAre(Pair(1, WcStatus::kRetryExcErr)));
}

TEST_F(FabricFarLong, APeerThatGoesOnWithoutTheRestIsRefused) {
  pair_.near.wire.room = 2;
  pair_.Post(Long(WrOpcode::kRdmaWrite));
  pair_.near.wire.packets.pop_back();
  pair_.near.wire.DeliverOne(pair_.far.fabric);
  PacketHeader next{.kind = PacketKind::kRequest,
                    .from_qp = pair_.local().qp->num,
                    .to_qp = pair_.remote().qp->num,
                    .sequence = 1};
  pair_.far.fabric.Arrive(next, {});

  EXPECT_EQ(pair_.remote().qp->state(), QpState::kErr);
}

// The same outcomes when both fabrics take steps.
class FabricFarInSteps : public FabricFar {
 protected:
  FabricFarInSteps() {
    pair_.near.fabric.set_eager(false);
    pair_.far.fabric.set_eager(false);
  }

  void RunInSteps() {
    for (bool moved = true; moved;) {
      moved = pair_.near.fabric.RunInOrder() + pair_.far.fabric.RunInOrder() > 0;
      moved = !pair_.near.wire.packets.empty() || !pair_.far.wire.packets.empty() || moved;
      pair_.Run();
    }
  }
};

TEST_F(FabricFarInSteps, EveryOperationHasTheSameOutcome) {
  pair_.local().Fill("abcdefgh");
  pair_.PostRecv(7, 100, 8);
  pair_.PostRecv(8, 200, 8);
  uint64_t wr_id = 1;
  for (const auto opcode :
       {WrOpcode::kRdmaWrite, WrOpcode::kSend, WrOpcode::kRdmaWriteWithImm, WrOpcode::kRdmaRead,
        WrOpcode::kAtomicFetchAndAdd, WrOpcode::kAtomicCmpAndSwp}) {
    ASSERT_EQ(pair_.Post(pair_.Make(opcode, wr_id++, 8)), 0);
  }
  EXPECT_TRUE(pair_.near.wire.packets.empty());
  RunInSteps();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk), Pair(2, kOk), Pair(3, kOk), Pair(4, kOk),
                                      Pair(5, kOk), Pair(6, kOk)));
  EXPECT_THAT(PollFar(), ElementsAre(Pair(7, kOk), Pair(8, kOk)));
  EXPECT_EQ(pair_.remote().text(0, 8), "abcdefgh");
  EXPECT_EQ(pair_.remote().text(100, 8), "abcdefgh");
  EXPECT_FALSE(pair_.near.fabric.busy());
  EXPECT_FALSE(pair_.far.fabric.busy());
}

TEST_F(FabricFarInSteps, AWriteMayBeAcknowledgedBeforeItIsPlaced) {
  pair_.local().Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8));
  pair_.near.fabric.RunInOrder();
  pair_.near.wire.DeliverOne(pair_.far.fabric);
  const auto take = [&](StepKind kind) {
    for (const Step& step : pair_.far.fabric.EnabledSteps()) {
      if (step.kind == kind) return pair_.far.fabric.Take(step);
    }
    FAIL() << "no such step";
  };
  take(StepKind::kDeliver);
  take(StepKind::kAcknowledge);
  pair_.far.wire.DeliverOne(pair_.near.fabric);
  pair_.near.fabric.RunInOrder();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk)));
  EXPECT_EQ(pair_.remote().text(0, 8), std::string(8, '\0'));
  pair_.far.fabric.RunInOrder();
  EXPECT_EQ(pair_.remote().text(0, 8), "abcdefgh");
}

TEST_F(FabricFarInSteps, ARefusedMessageFailsBothEnds) {
  pair_.Post(pair_.Write(1, 8));
  SendWr wr = pair_.Write(2, 8);
  wr.rkey ^= 1;
  pair_.Post(wr);
  pair_.Post(pair_.Write(3, 8));
  RunInSteps();

  EXPECT_THAT(PollNear(),
              ElementsAre(Pair(1, kOk), Pair(2, WcStatus::kRemAccessErr), Pair(3, kFlush)));
  EXPECT_EQ(FarState(), QpState::kErr);
  EXPECT_FALSE(pair_.far.fabric.busy()) << "what came after it is dropped";
}

TEST_F(FabricFarInSteps, AResponderThatIsResetWhileMessagesWaitForgetsThem) {
  pair_.Post(pair_.Write(1, 8));
  pair_.near.fabric.RunInOrder();
  pair_.near.wire.DeliverOne(pair_.far.fabric);
  pair_.far.fabric.ModifyQp(*pair_.remote().qp, {}, qp_mask::kState);

  EXPECT_FALSE(pair_.far.fabric.busy());
  pair_.Advance(kBudgetNs + 1);
  pair_.near.fabric.RunInOrder();
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, WcStatus::kRetryExcErr)));
}

TEST_F(FabricFar, AScheduleThatChangesMidwayLosesNothing) {
  pair_.local().Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8));
  pair_.Post(pair_.Make(WrOpcode::kRdmaRead, 2, 8));
  pair_.near.fabric.set_eager(false);
  pair_.Run();
  EXPECT_THAT(PollNear(), IsEmpty());
  pair_.near.fabric.set_eager(true);
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk), Pair(2, kOk)));

  pair_.Post(pair_.Write(3, 8));
  pair_.Run();
  EXPECT_THAT(PollNear(), ElementsAre(Pair(3, kOk)));
}

TEST_F(FabricFar, ADestroyedQueuePairLeavesNoTimer) {
  pair_.Post(pair_.Write(1, 8));
  pair_.near.context.DestroyQp(pair_.local().qp->handle);
  pair_.Run();
  pair_.Advance(kBudgetNs + 1);

  EXPECT_FALSE(pair_.near.fabric.awaits_remote());
}

TEST_F(FabricFar, AQueuePairThatIsConnectedAgainGoesOnWithAPeerThatWasNot) {
  pair_.Post(pair_.Make(WrOpcode::kSend, 1, 4));
  pair_.Run();
  pair_.Advance(10'000'000);  // the RNR retries end
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, WcStatus::kRnrRetryExcErr)));
  pair_.near.fabric.ModifyQp(*pair_.local().qp, {}, qp_mask::kState);
  Connect(pair_.near.fabric, *pair_.local().qp, pair_.remote().qp->num);
  pair_.local().Fill("abcd");

  pair_.Post(pair_.Write(2, 4));
  pair_.Run();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(2, kOk)));
  EXPECT_EQ(pair_.remote().text(0, 4), "abcd");
}

TEST_F(FabricFar, AnAnswerThatNobodyWaitsForIsDropped) {
  PacketHeader stray{.kind = PacketKind::kAnswer,
                     .from_qp = pair_.remote().qp->num,
                     .to_qp = pair_.local().qp->num,
                     .sequence = 0};
  pair_.near.fabric.Arrive(stray, {});
  pair_.Post(pair_.Make(WrOpcode::kRdmaRead, 1, 8));
  stray.length = 100;  // longer than what was asked for
  std::vector<std::byte> bytes(100);
  stray.payload = 100;
  pair_.near.fabric.Arrive(stray, bytes);
  EXPECT_THAT(PollNear(), IsEmpty());

  pair_.Run();
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk)));
}

}  // namespace
}  // namespace fakenic
