#include "nic/cq.h"

#include <gtest/gtest.h>

namespace fakenic {
namespace {

Completion Success(uint64_t wr_id) { return {.wr_id = wr_id}; }

TEST(Cq, GivesCompletionsInTheOrderOfTheirArrivalAcrossTheWrap) {
  Cq cq(2, nullptr);
  cq.Push(Success(1));
  cq.Push(Success(2));
  EXPECT_EQ(cq.Pop().wr_id, 1u);

  cq.Push(Success(3));

  EXPECT_EQ(cq.Pop().wr_id, 2u);
  EXPECT_EQ(cq.Pop().wr_id, 3u);
  EXPECT_EQ(cq.size(), 0u);
}

TEST(Cq, LosesACompletionBeyondItsCapacityAndIsOverrunForGood) {
  Cq cq(1, nullptr);

  EXPECT_TRUE(cq.Push(Success(1)));
  EXPECT_FALSE(cq.Push(Success(2)));

  EXPECT_EQ(cq.Pop().wr_id, 1u);
  EXPECT_EQ(cq.size(), 0u);
  EXPECT_TRUE(cq.overrun());
}

TEST(Cq, OwesOneEventForEachArming) {
  CompChannel channel;
  Cq cq(4, &channel);
  cq.Push(Success(1));
  EXPECT_EQ(cq.events_owed(), 0u) << "not armed";

  cq.RequestNotify(false);
  EXPECT_EQ(cq.events_owed(), 0u) << "what is there already does not count";
  cq.Push(Success(2));
  cq.Push(Success(3));

  EXPECT_EQ(cq.events_owed(), 1u);
  cq.RaiseEvent();
  EXPECT_EQ(cq.events_owed(), 0u);
  EXPECT_EQ(channel.events.Pop(), &cq);
}

TEST(Cq, SolicitedArmingWaitsForAnError) {
  CompChannel channel;
  Cq cq(4, &channel);
  cq.RequestNotify(true);

  cq.Push(Success(1));
  EXPECT_EQ(cq.events_owed(), 0u);
  cq.Push({.wr_id = 2, .status = WcStatus::kWrFlushErr});

  EXPECT_EQ(cq.events_owed(), 1u);
}

TEST(Cq, ASolicitedRequestDoesNotWeakenOneForAnyCompletion) {
  CompChannel channel;
  Cq cq(4, &channel);
  cq.RequestNotify(false);
  cq.RequestNotify(true);

  cq.Push(Success(1));

  EXPECT_EQ(cq.events_owed(), 1u);
}

TEST(Cq, PurgeForgetsOneQueuePairAndKeepsTheOrderOfTheOthers) {
  Cq cq(3, nullptr);
  const Qp* const gone = reinterpret_cast<Qp*>(0x10);
  const Qp* const stays = reinterpret_cast<Qp*>(0x20);
  cq.Push(Success(0));
  cq.Pop();
  cq.Push({.wr_id = 1, .qp = const_cast<Qp*>(gone)});
  cq.Push({.wr_id = 2, .qp = const_cast<Qp*>(stays)});
  cq.Push({.wr_id = 3, .qp = const_cast<Qp*>(stays)});

  cq.Purge(gone);

  EXPECT_EQ(cq.Pop().wr_id, 2u);
  EXPECT_EQ(cq.Pop().wr_id, 3u);
  EXPECT_EQ(cq.size(), 0u);
  EXPECT_TRUE(cq.Push(Success(4)));
  EXPECT_EQ(cq.Pop().wr_id, 4u);
}

}  // namespace
}  // namespace fakenic
