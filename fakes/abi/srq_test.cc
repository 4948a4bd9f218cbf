// Shared receive queues, as a program sees them.
#include "abi/test_programs.h"

namespace fakenic {
namespace {

// A domain with one shared receive queue of 4 receives, and what makes queue pairs.
class SrqProgramTest : public testing::Test {
 protected:
  SrqProgramTest() {
    ibv_srq_init_attr attr{};
    attr.srq_context = this;
    attr.attr = {4, 2, 3};
    srq_ = ibv_create_srq(pd_, &attr);
  }

  ~SrqProgramTest() override {
    EXPECT_EQ(srq_ == nullptr ? 0 : ibv_destroy_srq(srq_), 0);
    EXPECT_EQ(ibv_destroy_cq(cq_), 0);
    EXPECT_EQ(ibv_dealloc_pd(pd_), 0);
    ibv_close_device(context_);
  }

  ibv_qp* CreateQp() {
    ibv_qp_init_attr attr{};
    attr.send_cq = attr.recv_cq = cq_;
    attr.srq = srq_;
    attr.cap = {1, 100, 1, 100, 0};
    attr.qp_type = IBV_QPT_RC;
    ibv_qp* qp = ibv_create_qp(pd_, &attr);
    EXPECT_EQ(attr.cap.max_recv_wr, qp == nullptr ? 100u : 0u)
        << "the receives are those of the SRQ";
    return qp;
  }

  ibv_context* context_ = ibv_open_device(nullptr);
  ibv_pd* pd_ = ibv_alloc_pd(context_);
  ibv_cq* cq_ = ibv_create_cq(context_, 8, nullptr, nullptr, 0);
  ibv_srq* srq_ = nullptr;
};

TEST_F(SrqProgramTest, TellsItsSizeAndForgetsTheLimitGivenAtItsCreation) {
  ibv_srq_attr attr;
  ASSERT_EQ(ibv_query_srq(srq_, &attr), 0);

  EXPECT_EQ(attr.max_wr, 4u);
  EXPECT_EQ(attr.max_sge, 2u);
  EXPECT_EQ(attr.srq_limit, 0u);
  EXPECT_EQ(srq_->srq_context, this);
}

TEST_F(SrqProgramTest, CreationLimitsAreTheDevices) {
  ibv_device_attr device;
  ASSERT_EQ(ibv_query_device(context_, &device), 0);
  const auto wr = static_cast<uint32_t>(device.max_srq_wr);
  const auto sge = static_cast<uint32_t>(device.max_srq_sge);
  const struct {
    ibv_srq_attr attr;
    bool made;
  } cases[] = {
      {{0, 1, 0}, false}, {{wr, sge, 0}, true}, {{wr + 1, 1, 0}, false}, {{1, sge + 1, 0}, false}};
  for (const auto& c : cases) {
    ibv_srq_init_attr attr{nullptr, c.attr};
    ibv_srq* srq = ibv_create_srq(pd_, &attr);
    EXPECT_EQ(srq != nullptr, c.made) << c.attr.max_wr << " " << c.attr.max_sge;
    EXPECT_EQ(srq == nullptr ? 0 : ibv_destroy_srq(srq), 0);
  }
}

TEST_F(SrqProgramTest, OnlyItsLimitCanBeModifiedUpToItsSize) {
  ibv_srq_attr attr{.max_wr = 8, .max_sge = 1, .srq_limit = 4};

  EXPECT_EQ(ibv_modify_srq(srq_, &attr, IBV_SRQ_MAX_WR), EINVAL);
  EXPECT_EQ(ibv_modify_srq(srq_, &attr, IBV_SRQ_LIMIT), 0);
  EXPECT_EQ(ibv_query_srq(srq_, &attr), 0);
  EXPECT_EQ(attr.srq_limit, 4u);
  attr.srq_limit = 5;
  EXPECT_EQ(ibv_modify_srq(srq_, &attr, IBV_SRQ_LIMIT), EINVAL);
}

TEST_F(SrqProgramTest, AChainThatDoesNotFitStopsThereEvenIfItHasNoEnd) {
  ibv_recv_wr wr{}, *bad = nullptr;
  wr.next = &wr;
  EXPECT_EQ(ibv_post_srq_recv(srq_, &wr, &bad), ENOMEM);
  EXPECT_EQ(bad, &wr);

  ibv_recv_wr wide{};
  wide.num_sge = 3;
  bad = nullptr;
  EXPECT_EQ(ibv_post_srq_recv(srq_, &wide, &bad), EINVAL);
  EXPECT_EQ(bad, &wide);
}

TEST_F(SrqProgramTest, CannotBeDestroyedWhileAQueuePairUsesIt) {
  ibv_qp* qp = CreateQp();
  ASSERT_NE(qp, nullptr);
  ibv_qp_attr attr;
  ibv_qp_init_attr init;
  EXPECT_EQ(ibv_query_qp(qp, &attr, IBV_QP_CAP, &init), 0);
  EXPECT_EQ(init.srq, srq_);
  ibv_recv_wr wr{}, *bad = nullptr;
  EXPECT_EQ(ibv_post_recv(qp, &wr, &bad), EINVAL);

  EXPECT_EQ(ibv_destroy_srq(srq_), EBUSY);
  EXPECT_EQ(ibv_dealloc_pd(pd_), EBUSY);
  EXPECT_EQ(ibv_destroy_qp(qp), 0);
}

TEST_F(SrqProgramTest, ACorruptedHandleAnswersEnoent) {
  ibv_srq_attr attr{};
  srq_->handle ^= 0xdeadbeef;
  EXPECT_EQ(CreateQp(), nullptr);
  EXPECT_EQ(ibv_query_srq(srq_, &attr), ENOENT);
  EXPECT_EQ(ibv_modify_srq(srq_, &attr, IBV_SRQ_LIMIT), ENOENT);
  EXPECT_EQ(ibv_destroy_srq(srq_), ENOENT);
  srq_->handle ^= 0xdeadbeef;
}

TEST_F(SrqProgramTest, IsCountedWhileItLives) {
  fakenic_counts counts;
  fakenic_get_counts(&counts);
  EXPECT_EQ(counts.srqs, 1u);
  EXPECT_EQ(ibv_destroy_srq(srq_), 0);
  srq_ = nullptr;
  fakenic_get_counts(&counts);
  EXPECT_EQ(counts.srqs, 0u);
}

}  // namespace
}  // namespace fakenic
