#include "nic/context.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "nic/test_pair.h"

namespace fakenic {
namespace {

class ContextTest : public testing::Test {
 protected:
  TestClock clock_;
  Fabric fabric_{clock_};
  Context context_{fabric_};
  char memory_[64] = {};
};

TEST_F(ContextTest, ADomainInUseCannotBeDeallocated) {
  Pd* pd = context_.AllocPd().object;
  const auto addr = reinterpret_cast<uintptr_t>(memory_);
  Mr* mr = context_.RegMr(pd->handle, addr, sizeof memory_, 0).object;

  EXPECT_EQ(context_.DeallocPd(pd->handle), EBUSY);
  EXPECT_EQ(context_.DeregMr(mr->handle), 0);
  EXPECT_EQ(context_.DeallocPd(pd->handle), 0);
}

TEST_F(ContextTest, ACqInUseCannotBeDestroyed) {
  Pd* pd = context_.AllocPd().object;
  Cq* cq = context_.CreateCq(4, nullptr).object;
  Qp* qp = context_.CreateQp(pd->handle, cq->handle, cq->handle, {1, 1, 1, 1, 0}, false).object;

  EXPECT_EQ(context_.DestroyCq(cq->handle), EBUSY);
  EXPECT_EQ(context_.DeallocPd(pd->handle), EBUSY);
  EXPECT_EQ(context_.DestroyQp(qp->handle), 0);
  EXPECT_EQ(context_.DestroyCq(cq->handle), 0);
}

TEST_F(ContextTest, AChannelInUseCannotBeDestroyed) {
  CompChannel* channel = context_.CreateCompChannel();
  Cq* cq = context_.CreateCq(4, channel).object;

  EXPECT_EQ(context_.DestroyCompChannel(channel), EBUSY);
  EXPECT_EQ(context_.DestroyCq(cq->handle), 0);
  EXPECT_EQ(context_.DestroyCompChannel(channel), 0);
}

TEST_F(ContextTest, DestroyingACqWithdrawsItsUnreadEvents) {
  CompChannel* channel = context_.CreateCompChannel();
  Cq* cq = context_.CreateCq(4, channel).object;
  cq->RequestNotify(false);
  cq->Push({.wr_id = 1});
  cq->RaiseEvent();

  context_.DestroyCq(cq->handle);

  EXPECT_TRUE(channel->events.empty());
  EXPECT_FALSE(channel->events.fd().TryTake());
  context_.DestroyCompChannel(channel);
}

TEST_F(ContextTest, ACorruptedHandleNamesNothing) {
  Pd* pd = context_.AllocPd().object;
  const uint32_t garbled = pd->handle ^ 0xdeadbeef;

  EXPECT_EQ(context_.DeallocPd(garbled), ENOENT);
  EXPECT_EQ(context_.DeregMr(garbled), ENOENT);
  EXPECT_EQ(context_.DestroyCq(garbled), ENOENT);
  EXPECT_EQ(context_.DestroyQp(garbled), ENOENT);
  EXPECT_EQ(context_.RegMr(garbled, 0, 0, 0).error, ENOENT);
  EXPECT_EQ(context_.CreateQp(garbled, 0, 0, {}, false).error, ENOENT);
}

TEST_F(ContextTest, AHandleMeansNothingInAnotherContext) {
  Context other(fabric_);
  Pd* pd = context_.AllocPd().object;

  EXPECT_EQ(other.DeallocPd(pd->handle), ENOENT);
}

TEST_F(ContextTest, LimitsAreThoseThatTheDeviceAdvertises) {
  const DeviceLimits& limits = fabric_.device().limits();
  Pd* pd = context_.AllocPd().object;
  Cq* cq = context_.CreateCq(1, nullptr).object;
  const auto create = [&](const QpCap& cap) {
    return context_.CreateQp(pd->handle, cq->handle, cq->handle, cap, false).error;
  };

  EXPECT_EQ(context_.CreateCq(0, nullptr).error, EINVAL);
  EXPECT_EQ(context_.CreateCq(static_cast<int>(limits.max_cqe) + 1, nullptr).error, EINVAL);
  EXPECT_EQ(create({limits.max_qp_wr, 1, 1, 1, 0}), 0);
  EXPECT_EQ(create({limits.max_qp_wr + 1, 1, 1, 1, 0}), EINVAL);
  EXPECT_EQ(create({1, limits.max_qp_wr + 1, 1, 1, 0}), EINVAL);
  EXPECT_EQ(create({1, 1, limits.max_sge + 1, 1, 0}), EINVAL);
  EXPECT_EQ(create({1, 1, 1, limits.max_sge + 1, 0}), EINVAL);
  EXPECT_EQ(create({1, 1, 1, 1, limits.max_inline_data + 1}), EINVAL);
}

// How many the device makes, over two contexts; then errno.
template <typename Make>
std::pair<size_t, int> Exhaust(Make make) {
  for (size_t made = 0;; ++made) {
    if (const int error = make(made).error) return {made, error};
  }
}

TEST_F(ContextTest, OfEveryKindAsManyCanBeMadeAsTheDeviceSays) {
  Context other(fabric_);
  const DeviceLimits& limits = fabric_.device().limits();
  Context* const contexts[] = {&context_, &other};
  Pd* const pds[] = {context_.AllocPd().object, other.AllocPd().object};
  Cq* const cqs[] = {context_.CreateCq(1, nullptr).object, other.CreateCq(1, nullptr).object};
  const auto addr = reinterpret_cast<uintptr_t>(memory_);
  using Ended = std::pair<size_t, int>;

  EXPECT_EQ(Exhaust([&](size_t i) { return contexts[i % 2]->CreateSrq(pds[i % 2]->handle, 1, 1); }),
            Ended(limits.max_srq, ENOMEM));
  EXPECT_EQ(
      Exhaust([&](size_t i) { return contexts[i % 2]->RegMr(pds[i % 2]->handle, addr, 8, 0); }),
      Ended(limits.max_mr, ENOMEM));
  EXPECT_EQ(Exhaust([&](size_t i) {
              const uint32_t cq = cqs[i % 2]->handle;
              return contexts[i % 2]->CreateQp(pds[i % 2]->handle, cq, cq, {1, 1, 1, 1, 0}, false);
            }),
            Ended(limits.max_qp, ENOMEM));
  EXPECT_EQ(Exhaust([&](size_t i) { return contexts[i % 2]->CreateCq(1, nullptr); }),
            Ended(limits.max_cq - 2, ENOMEM));
  EXPECT_EQ(Exhaust([&](size_t i) { return contexts[i % 2]->AllocPd(); }),
            Ended(limits.max_pd - 2, ENOMEM));
}

TEST_F(ContextTest, ClosingAContextEndsAllThatItOwns) {
  {
    Context closing(fabric_);
    Pd* pd = closing.AllocPd().object;
    Cq* cq = closing.CreateCq(4, nullptr).object;
    closing.CreateQp(pd->handle, cq->handle, cq->handle, {1, 1, 1, 1, 0}, false);
    closing.RegMr(pd->handle, reinterpret_cast<uintptr_t>(memory_), sizeof memory_, 0);
    EXPECT_EQ(fabric_.counts().qps, 1u);
  }

  const Counts& counts = fabric_.counts();
  EXPECT_EQ(counts.pds + counts.mrs + counts.cqs + counts.qps, 0u);
}

}  // namespace
}  // namespace fakenic
