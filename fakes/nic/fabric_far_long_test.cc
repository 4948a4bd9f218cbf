// Messages of many packets between two fabrics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nic/test_far_pair.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

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

}  // namespace
}  // namespace fakenic
