// Where devices disagree, a program sees the profile that was chosen.
#include <poll.h>

#include <string>

#include "abi/test_programs.h"

namespace fakenic {
namespace {

class ProfileTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ASSERT_EQ(fakenic_set_profile(GetParam()), 0); }
  void TearDown() override { EXPECT_EQ(fakenic_set_profile("spec"), 0); }
  bool is(const char* name) const { return std::string(GetParam()) == name; }
};

TEST_P(ProfileTest, NamesTheDeviceAndItsLimits) {
  int count = 0;
  ibv_device** list = ibv_get_device_list(&count);
  ASSERT_EQ(count, 1);
  EXPECT_STREQ(ibv_get_device_name(list[0]), is("spec")   ? "fakenic0"
                                             : is("mlx5") ? "mlx5_0"
                                                          : "rxe0");
  ibv_context* context = ibv_open_device(list[0]);
  ibv_device_attr attr;
  ASSERT_EQ(ibv_query_device(context, &attr), 0);
  EXPECT_EQ(attr.max_qp_rd_atom, is("mlx5") ? 16 : 128);
  EXPECT_EQ(attr.max_cqe, is("spec") ? 1048576 : is("mlx5") ? 4194303 : 32767);
  EXPECT_EQ(ibv_create_cq(context, attr.max_cqe + 1, nullptr, nullptr, 0), nullptr);
  ibv_close_device(context);
  ibv_free_device_list(list);
  EXPECT_STREQ(fakenic_profile(), GetParam());
}

TEST_P(ProfileTest, TheDevicesDepthIsTheDefaultOfAConnection) {
  ProgramPair pair(7601);
  ibv_qp_attr attr;
  ibv_qp_init_attr init;
  ibv_query_qp(pair.client.id->qp, &attr, IBV_QP_MAX_QP_RD_ATOMIC, &init);
  EXPECT_EQ(attr.max_rd_atomic, is("mlx5") ? 16 : 128);
  EXPECT_EQ(fakenic_set_profile("spec"), EBUSY) << "while queue pairs live";
}

TEST_P(ProfileTest, APostThatIsRefusedSaysWhyInTheWayOfTheDevice) {
  ProgramPair pair(7602);
  const int expected = is("mlx5") ? ENOMEM : EINVAL;
  ibv_sge sges[2] = {{reinterpret_cast<uintptr_t>(pair.client.memory), 8, pair.client.mr->lkey},
                     {reinterpret_cast<uintptr_t>(pair.client.memory), 8, pair.client.mr->lkey}};
  ibv_send_wr wr{}, *bad = nullptr;
  wr.sg_list = sges;
  wr.num_sge = 2;
  wr.opcode = IBV_WR_RDMA_WRITE;
  EXPECT_EQ(ibv_post_send(pair.client.id->qp, &wr, &bad), expected) << "too many sges";
  EXPECT_EQ(pair.client.Write(pair.server, 1, 17, IBV_SEND_INLINE), expected) << "too long";
  ibv_qp_attr reset{};
  ASSERT_EQ(ibv_modify_qp(pair.client.id->qp, &reset, IBV_QP_STATE), 0);
  EXPECT_EQ(pair.client.Write(pair.server, 1, 8), expected) << "too early";
}

TEST_P(ProfileTest, ARefusedAccessIsAnEventWhereTheDeviceRaisesIt) {
  ProgramPair pair(7603);
  pair.server.mr->rkey ^= 0x10000;
  EXPECT_EQ(pair.client.Write(pair.server, 1, 8), 0);
  pair.server.mr->rkey ^= 0x10000;

  pollfd descriptor{pair.server.id->verbs->async_fd, POLLIN, 0};
  const bool raised = poll(&descriptor, 1, 0) == 1;
  EXPECT_EQ(raised, !is("rxe"));
  ibv_async_event event;
  while (poll(&descriptor, 1, 0) == 1 && ibv_get_async_event(pair.server.id->verbs, &event) == 0) {
    ibv_ack_async_event(&event);
  }
}

TEST_P(ProfileTest, AFailureWakesWhoWaitsForSolicitedEventsWhereTheDeviceCountsIt) {
  ProgramPair pair(7604);
  ASSERT_EQ(ibv_req_notify_cq(pair.client.cq, /*solicited_only=*/1), 0);
  pair.client.mr->lkey ^= 0x10000;
  EXPECT_EQ(pair.client.Write(pair.server, 1, 8), 0);
  pair.client.mr->lkey ^= 0x10000;

  pollfd descriptor{pair.client.channel->fd, POLLIN, 0};
  EXPECT_EQ(poll(&descriptor, 1, 0), is("rxe") ? 0 : 1);
  if (is("rxe")) return;
  ibv_cq* cq = nullptr;
  void* context = nullptr;
  ASSERT_EQ(ibv_get_cq_event(pair.client.channel, &cq, &context), 0);
  ibv_ack_cq_events(cq, 1);
}

TEST_P(ProfileTest, ARetryCountOfSevenEndsOrNot) {
  ProgramPair pair(7605);
  rdma_disconnect(pair.server.id);
  fakenic_set_schedule(FAKENIC_MANUAL);
  pair.client.Write(pair.server, 1, 8);
  fakenic_run();
  fakenic_advance_time(60'000'000'000);
  fakenic_run();
  ibv_wc wc{};
  EXPECT_EQ(ibv_poll_cq(pair.client.cq, 1, &wc), is("rxe") ? 0 : 1);
  fakenic_set_schedule(FAKENIC_EAGER);
}

INSTANTIATE_TEST_SUITE_P(Devices, ProfileTest, testing::Values("spec", "mlx5", "rxe"),
                         [](const auto& profile) { return std::string(profile.param); });

TEST(Profile, AnUnknownOneIsRefused) {
  EXPECT_EQ(fakenic_set_profile("cx7"), EINVAL);
  EXPECT_EQ(fakenic_set_profile(nullptr), EINVAL);
}

TEST(Profile, ADeviceOfAnotherNameKeepsItWhateverTheProfile) {
  EXPECT_EQ(fakenic_set_device_name("mlx4_3"), 0);
  EXPECT_EQ(fakenic_set_profile("rxe"), 0);
  ibv_device** list = ibv_get_device_list(nullptr);
  EXPECT_STREQ(ibv_get_device_name(list[0]), "mlx4_3");
  ibv_free_device_list(list);
  EXPECT_EQ(fakenic_set_profile("spec"), 0);
  EXPECT_EQ(fakenic_set_device_name("fakenic0"), 0);
  EXPECT_EQ(fakenic_set_device_name(""), EINVAL);
  EXPECT_EQ(fakenic_set_device_name("a/b"), EINVAL);
  EXPECT_EQ(fakenic_set_device_name(nullptr), EINVAL);
}

TEST(Profile, WhatIsNotModelledCanBeListed) {
  size_t rows = 0;
  bool rsocket = false;
  while (const char* name = fakenic_unmodelled(rows)) {
    rsocket = rsocket || std::string(name) == "rsocket";
    ++rows;
  }
  EXPECT_GT(rows, 40u);
  EXPECT_TRUE(rsocket);
}

}  // namespace
}  // namespace fakenic
