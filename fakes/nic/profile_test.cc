// What devices do differently, one choice of a profile at a time.
#include "nic/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nic/fabric.h"
#include "nic/test_far_pair.h"
#include "nic/test_pair.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using enum WcStatus;

// A pair on a device that differs from `spec` in one choice.
template <typename T>
class DeviceWith {
 public:
  DeviceWith(T Profile::*choice, T value) { profile_.*choice = value; }
  void Use(TestPair& pair) { pair.fabric.device().set_profile(profile_); }

 private:
  Profile profile_ = kSpecProfile;
};

TEST(Profiles, SendSlotsMayBeFreeBeforeTheirCompletionIsPolled) {
  DeviceWith device(&Profile::send_slots_are_freed_early, true);
  TestPair pair;
  device.Use(pair);
  for (uint64_t wr_id = 1; wr_id <= 6; ++wr_id) {
    EXPECT_EQ(pair.Post(pair.Write(wr_id, 8, /*flags=*/0)), 0) << "4 slots";
  }

  pair.fabric.set_eager(false);
  for (uint64_t wr_id = 7; wr_id <= 10; ++wr_id) EXPECT_EQ(pair.Post(pair.Write(wr_id, 8)), 0);
  EXPECT_EQ(pair.Post(pair.Write(11, 8)), ENOMEM) << "none of them is done";
  pair.fabric.RunInOrder();
  EXPECT_EQ(pair.Post(pair.Write(12, 8)), 0) << "done, though not polled";
  pair.fabric.RunInOrder();
  EXPECT_EQ(pair.Poll(pair.local).size(), 5u);
}

void Reset(Fabric& fabric, Qp& qp) {
  QpAttr attr;
  attr.state = QpState::kReset;
  fabric.ModifyQp(qp, attr, qp_mask::kState);
}

TEST(Profiles, ASendThatIsRefusedForItsStateMayBeCarriedOutLater) {
  for (const bool stays : {false, true}) {
    for (const bool eager : {false, true}) {
      DeviceWith device(&Profile::early_sends_stay, stays);
      TestPair pair;
      device.Use(pair);
      pair.fabric.set_eager(eager);
      Reset(pair.fabric, *pair.local.qp);
      pair.local.Fill("abcdefgh");
      EXPECT_EQ(pair.Post(pair.Write(1, 8)), EINVAL);
      EXPECT_EQ(pair.Post(pair.Write(2, 8)), EINVAL);
      pair.fabric.RunInOrder();
      EXPECT_EQ(pair.remote.text(0, 8), std::string(8, '\0')) << "not before RTS";

      Connect(pair.fabric, *pair.local.qp, pair.remote.qp->num);
      pair.fabric.RunInOrder();

      EXPECT_EQ(pair.remote.text(0, 8), stays ? "abcdefgh" : std::string(8, '\0'));
      EXPECT_EQ(pair.Poll(pair.local).size(), stays ? 2u : 0u);
    }
  }
}

TEST(Profiles, SoItIsBetweenTwoFabrics) {
  for (const bool eager : {false, true}) {
    Profile profile = kSpecProfile;
    profile.early_sends_stay = true;
    FarPair pair;
    pair.near.fabric.device().set_profile(profile);
    pair.near.fabric.set_eager(eager);
    Reset(pair.near.fabric, *pair.local().qp);
    for (uint64_t wr_id = 1; wr_id <= 2; ++wr_id) pair.Post(pair.Write(wr_id, 8));
    pair.local().Fill("abcdefgh");

    Connect(pair.near.fabric, *pair.local().qp, pair.remote().qp->num);
    do {
      pair.Run();
    } while (pair.near.fabric.RunInOrder() > 0);

    EXPECT_EQ(pair.remote().text(0, 8), "abcdefgh");
    EXPECT_THAT(FarPair::Poll(pair.near), ElementsAre(Pair(1, kSuccess), Pair(2, kSuccess)));
  }
}

TEST(Profiles, AnEarlySendThatStayedIsGoneWithAReset) {
  DeviceWith device(&Profile::early_sends_stay, true);
  TestPair pair;
  device.Use(pair);
  Reset(pair.fabric, *pair.local.qp);
  pair.Post(pair.Write(1, 8));
  Reset(pair.fabric, *pair.local.qp);

  Connect(pair.fabric, *pair.local.qp, pair.remote.qp->num);

  EXPECT_THAT(pair.Poll(pair.local), IsEmpty());
  EXPECT_EQ(pair.Post(pair.Write(2, 8)), 0);
}

TEST(Profiles, AReceiveMayBeCheckedBeyondWhatArrives) {
  for (const bool whole : {false, true}) {
    DeviceWith device(&Profile::receives_are_checked_whole, whole);
    TestPair pair;
    device.Use(pair);
    pair.PostRecvInto(90, /*offset=*/248, /*length=*/64);

    pair.Post(pair.Send(1, 8));

    EXPECT_THAT(pair.Poll(pair.remote), ElementsAre(Pair(90, whole ? kLocProtErr : kSuccess)));
    EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(1, whole ? kRemOpErr : kSuccess)));
  }
}

TEST(Profiles, TheDomainOfASharedReceiveIsTheQueuesOrTheQueuePairs) {
  for (const bool of_qp : {false, true}) {
    DeviceWith device(&Profile::shared_receives_are_of_the_qps_pd, of_qp);
    TestPair pair;
    device.Use(pair);
    Pd* pd = pair.context.AllocPd().object;
    Srq* srq = pair.context.CreateSrq(pair.remote.pd->handle, 4, 1).object;
    Cq* cq = pair.context.CreateCq(4, nullptr).object;
    Qp* qp = pair.context.CreateQp(pd->handle, cq->handle, cq->handle, {1, 0, 1, 0, 0}, false, srq)
                 .object;
    Connect(pair.fabric, *qp, pair.local.qp->num);
    pair.local.qp->attr().dest_qp_num = qp->num;
    const Sge of_the_queue{pair.remote.addr(0), 8, pair.remote.mr->key};
    pair.fabric.PostSrqRecv(*srq, {90, {&of_the_queue, 1}});

    pair.Post(pair.Send(1, 8));

    EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(1, of_qp ? kRemOpErr : kSuccess)));
  }
}

TEST(Profiles, CompletionsMayOutliveTheirQueuePair) {
  for (const bool outlive : {false, true}) {
    DeviceWith device(&Profile::completions_outlive_their_qp, outlive);
    TestPair pair;
    device.Use(pair);
    pair.PostRecvInto(90, 0, 16);
    pair.Post(pair.Send(1, 8));

    EXPECT_EQ(pair.context.DestroyQp(pair.local.qp->handle), 0);
    QpAttr reset;
    pair.fabric.ModifyQp(*pair.remote.qp, reset, qp_mask::kState);

    if (outlive) {
      EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(1, kSuccess)));
      EXPECT_THAT(pair.Poll(pair.remote), ElementsAre(Pair(90, kSuccess)));
    } else {
      EXPECT_THAT(pair.Poll(pair.local), IsEmpty());
      EXPECT_THAT(pair.Poll(pair.remote), IsEmpty());
    }
    for (uint64_t wr_id = 91; wr_id < 95; ++wr_id) {
      Connect(pair.fabric, *pair.remote.qp, 0x99);
      EXPECT_EQ(pair.PostRecv(pair.remote, wr_id), 0) << "all 4 slots are free";
    }
  }
}

TEST(Profiles, ArmingMayFindWhatNobodyHasPolled) {
  for (const bool finds : {false, true}) {
    DeviceWith device(&Profile::arming_sees_unpolled_completions, finds);
    TestPair pair;
    device.Use(pair);
    CompChannel* channel = pair.context.CreateCompChannel();
    Cq* cq = pair.context.CreateCq(4, channel).object;
    pair.fabric.RequestNotify(*cq, /*solicited_only=*/false);
    EXPECT_TRUE(channel->events.empty()) << "there is nothing yet";
    cq->Push({.wr_id = 1});
    cq->RaiseEvent();
    channel->events.Pop();

    pair.fabric.RequestNotify(*cq, false);

    EXPECT_EQ(channel->events.empty(), !finds);
    EXPECT_EQ(cq->armed(), !finds);
  }
}

TEST(Profiles, AnOverrunCqMayLeaveItsQueuePairsAlone) {
  DeviceWith device(&Profile::overrun_fails_qps, false);
  TestPair pair({8, 1, 1, 1, 0}, /*cqe=*/2);
  device.Use(pair);

  for (uint64_t wr_id : {1, 2, 3}) pair.Post(pair.Write(wr_id, 8));

  EXPECT_EQ(pair.local.qp->state(), QpState::kRts);
  EXPECT_EQ(pair.Poll(pair.local).size(), 2u) << "the third is lost";
}

TEST(Profiles, InlineDataIsGrantedAsFarAsItsSlotReaches) {
  const struct {
    const char* profile;
    uint32_t sges, asked, granted;
  } kRows[] = {
      {"spec", 1, 0, 0},      {"spec", 32, 512, 512},  //
      {"mlx5", 1, 0, 60},     {"mlx5", 1, 60, 60},    {"mlx5", 1, 61, 124}, {"mlx5", 30, 0, 508},
      {"mlx5", 30, 828, 828},  //
      {"rxe", 1, 0, 16},      {"rxe", 1, 17, 17},     {"rxe", 4, 17, 64},   {"rxe", 32, 512, 512},
  };
  for (const auto& row : kRows) {
    TestPair pair;
    pair.fabric.device().set_profile(*FindProfile(row.profile));
    Cq* cq = pair.context.CreateCq(4, nullptr).object;
    Qp* qp = pair.context
                 .CreateQp(pair.local.pd->handle, cq->handle, cq->handle,
                           {1, 1, row.sges, 1, row.asked}, false)
                 .object;
    ASSERT_NE(qp, nullptr);
    EXPECT_EQ(qp->init().cap.max_inline_data, row.granted)
        << row.profile << ", " << row.sges << " sges, " << row.asked << " asked for";
  }
}

}  // namespace
}  // namespace fakenic
