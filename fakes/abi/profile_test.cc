// Where devices disagree, a program sees the profile that was chosen.
#include <string>

#include "abi/raw_pair.h"
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
  const uint32_t longer = is("mlx5") ? 61 : 17;
  EXPECT_EQ(pair.client.Write(pair.server, 1, longer, IBV_SEND_INLINE), expected) << "too long";
  ibv_qp_attr reset{};
  ASSERT_EQ(ibv_modify_qp(pair.client.id->qp, &reset, IBV_QP_STATE), 0);
  EXPECT_EQ(pair.client.Write(pair.server, 1, 8), expected) << "too early";
}

TEST_P(ProfileTest, OneDeviceCarriesOutAListThatItRefusedForItsState) {
  RawPair pair;
  EXPECT_EQ(Modify(pair.qp[0], IBV_QPS_RESET, {}, 0), 0);
  ibv_send_wr second = pair.Wr(2, IBV_WR_RDMA_WRITE), first = pair.Wr(1, IBV_WR_RDMA_WRITE);
  ibv_send_wr* bad = &second;
  first.next = &second;

  EXPECT_NE(ibv_post_send(pair.qp[0], &first, &bad), 0);
  EXPECT_EQ(bad, is("rxe") ? nullptr : &first);
  EXPECT_EQ(MoveToRts(pair.qp[0], pair.qp[1]->qp_num), 0);

  ibv_wc wc[4];
  EXPECT_EQ(ibv_poll_cq(ibv_cq_ex_to_cq(pair.cq[0]), 4, wc), is("rxe") ? 2 : 0);
}

TEST_P(ProfileTest, SoItDoesWithABatch) {
  ProgramPair pair(7609);
  ibv_qp_attr attr{};
  ASSERT_EQ(ibv_modify_qp(pair.client.id->qp, &attr, IBV_QP_STATE), 0);
  ibv_qp_ex* qp = ibv_qp_to_qp_ex(pair.client.id->qp);
  fakenic_counts before, after;
  fakenic_get_counts(&before);

  ibv_wr_start(qp);
  ibv_wr_rdma_write(qp, pair.server.mr->rkey, reinterpret_cast<uintptr_t>(pair.server.memory));
  ibv_wr_set_sge(qp, pair.client.mr->lkey, reinterpret_cast<uintptr_t>(pair.client.memory), 8);
  EXPECT_EQ(ibv_wr_complete(qp), EINVAL);

  fakenic_get_counts(&after);
  EXPECT_EQ(after.sends_posted - before.sends_posted, is("rxe") ? 1u : 0u);
}

TEST_P(ProfileTest, WhoAsksForNoInlineDataIsToldWhatASlotHoldsAndMaySendIt) {
  ProgramPair pair(7608);
  ibv_qp_init_attr asked{};
  asked.send_cq = asked.recv_cq = pair.client.cq;
  asked.cap = {1, 1, 1, 1, 0};
  asked.qp_type = IBV_QPT_RC;
  ibv_qp* qp = ibv_create_qp(pair.client.pd, &asked);
  ASSERT_NE(qp, nullptr);
  EXPECT_EQ(asked.cap.max_inline_data, is("spec") ? 0u : is("mlx5") ? 60u : 16u);
  ibv_qp_attr attr;
  ibv_qp_init_attr init;
  ibv_query_qp(qp, &attr, IBV_QP_CAP, &init);
  EXPECT_EQ(init.cap.max_inline_data, asked.cap.max_inline_data);
  EXPECT_EQ(attr.cap.max_inline_data, asked.cap.max_inline_data);
  ibv_destroy_qp(qp);

  const uint32_t granted = is("mlx5") ? 60 : 16;  // where 16 were asked for
  EXPECT_EQ(pair.client.Write(pair.server, 1, granted, IBV_SEND_INLINE), 0);
}

TEST_P(ProfileTest, ARefusedAccessIsAnEventWhereTheDeviceRaisesIt) {
  ProgramPair pair(7603);
  pair.server.mr->rkey ^= 0x10000;
  EXPECT_EQ(pair.client.Write(pair.server, 1, 8), 0);
  pair.server.mr->rkey ^= 0x10000;

  pollfd descriptor{pair.server.id->verbs->async_fd, POLLIN, 0};
  EXPECT_EQ(poll(&descriptor, 1, 0), is("rxe") ? 0 : 1);
  AcknowledgeEvents(pair.server.id->verbs);
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

TEST_P(ProfileTest, ACqHoldsWhatWasAskedForOrMore) {
  ibv_context* context = ibv_open_device(nullptr);
  ibv_cq* cq = ibv_create_cq(context, 100, nullptr, nullptr, 0);
  EXPECT_EQ(cq->cqe, is("spec") ? 100 : 127);
  EXPECT_EQ(ibv_resize_cq(cq, 200), 0);
  EXPECT_EQ(cq->cqe, is("spec") ? 200 : 255);
  EXPECT_EQ(ibv_destroy_cq(cq), 0);
  ibv_close_device(context);
}

TEST_P(ProfileTest, AnEmptyListIsNothingToDoOrAnError) {
  ProgramPair pair(7606);
  ibv_send_wr* bad = nullptr;
  EXPECT_EQ(ibv_post_send(pair.client.id->qp, nullptr, &bad), is("rxe") ? EINVAL : 0);
}

TEST_P(ProfileTest, ABadBufferOfItsOwnFailsASend) {
  ProgramPair pair(7607);
  pair.client.mr->lkey ^= 0x10000;
  EXPECT_EQ(pair.client.Write(pair.server, 1, 8), 0);
  pair.client.mr->lkey ^= 0x10000;
  ibv_wc wc{};
  ASSERT_EQ(ibv_poll_cq(pair.client.cq, 1, &wc), 1);
  EXPECT_EQ(wc.status, is("rxe") ? IBV_WC_WR_FLUSH_ERR : IBV_WC_LOC_PROT_ERR);
}

// A message with immediate data to a receive of so many bytes; its completion at the responder.
ibv_wc Receive(ProgramPair& pair, uint32_t room, uint32_t lkey_flip, uint32_t rkey_flip,
               ibv_wr_opcode opcode) {
  ibv_sge sge{reinterpret_cast<uintptr_t>(pair.server.memory), room,
              pair.server.mr->lkey ^ lkey_flip};
  ibv_recv_wr recv{}, *bad = nullptr;
  recv.sg_list = &sge;
  recv.num_sge = 1;
  EXPECT_EQ(ibv_post_recv(pair.server.id->qp, &recv, &bad), 0);
  pair.server.mr->rkey ^= rkey_flip;
  EXPECT_EQ(pair.client.Write(pair.server, 1, 8, IBV_SEND_SIGNALED, opcode), 0);
  pair.server.mr->rkey ^= rkey_flip;
  ibv_wc wc{};
  EXPECT_EQ(ibv_poll_cq(pair.server.cq, 1, &wc), 1);
  AcknowledgeEvents(pair.server.id->verbs);
  return wc;
}

TEST_P(ProfileTest, AReceiveThatFailsShowsTheDevicesStatus) {
  struct Row {
    uint32_t room, lkey_flip, rkey_flip;
    ibv_wr_opcode opcode;
    ibv_wc_status usual, rxe;
  } rows[] = {
      {4, 0, 0, IBV_WR_SEND, IBV_WC_LOC_LEN_ERR, IBV_WC_REM_INV_REQ_ERR},
      {8, 0x10000, 0, IBV_WR_SEND, IBV_WC_LOC_PROT_ERR, IBV_WC_LOC_QP_OP_ERR},
      {8, 0, 0x10000, IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WC_LOC_ACCESS_ERR, IBV_WC_REM_ACCESS_ERR}};
  for (const Row& row : rows) {
    ProgramPair pair(7608);
    const ibv_wc wc = Receive(pair, row.room, row.lkey_flip, row.rkey_flip, row.opcode);
    EXPECT_EQ(wc.status, is("rxe") ? row.rxe : row.usual);
  }
  ProgramPair pair(7608);
  const ibv_wc good = Receive(pair, 8, 0, 0, IBV_WR_SEND);
  EXPECT_EQ(good.status, IBV_WC_SUCCESS);
  EXPECT_EQ(good.wc_flags, is("rxe") ? unsigned{IBV_WC_GRH} : 0u);
}

TEST_P(ProfileTest, AMisalignedAtomicFailsAtThePostOrAtTheResponder) {
  ProgramPair pair(7609);
  ibv_sge sge{reinterpret_cast<uintptr_t>(pair.client.memory), 8, pair.client.mr->lkey};
  ibv_send_wr wr{}, *bad = nullptr;
  wr.sg_list = &sge;
  wr.num_sge = 1;
  wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.atomic.remote_addr = reinterpret_cast<uintptr_t>(pair.server.memory) + 1;
  wr.wr.atomic.rkey = pair.server.mr->rkey;
  EXPECT_EQ(ibv_post_send(pair.client.id->qp, &wr, &bad), is("rxe") ? EINVAL : 0);
  ibv_wc wc{};
  EXPECT_EQ(ibv_poll_cq(pair.client.cq, 1, &wc), is("rxe") ? 0 : 1);
  EXPECT_EQ(wc.status, is("rxe") ? IBV_WC_SUCCESS : IBV_WC_REM_INV_REQ_ERR) << "if any";
  AcknowledgeEvents(pair.server.id->verbs);
}

TEST_P(ProfileTest, RegionsThatArePagedInAreOfferedAdvisedAndUsed) {
  ProgramPair pair(7615);
  ibv_pd* pd = pair.client.id->pd;
  ibv_device_attr_ex attr{};
  ASSERT_EQ(ibv_query_device_ex(pd->context, nullptr, &attr), 0);
  const bool offered = is("mlx5");
  EXPECT_EQ(attr.odp_caps.general_caps, offered ? uint64_t{IBV_ODP_SUPPORT} : 0u);

  alignas(8) char memory[64] = {};
  errno = 0;
  ibv_mr* mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND);
  ibv_sge whole{reinterpret_cast<uintptr_t>(memory), sizeof memory, 0};
  const auto advise = [&](ibv_advise_mr_advice advice, uint32_t flags, uint32_t num_sge = 1) {
    return ibv_advise_mr(pd, advice, flags, &whole, num_sge);
  };
  if (!offered) {
    EXPECT_EQ(mr, nullptr);
    EXPECT_EQ(errno, EOPNOTSUPP);
    EXPECT_EQ(advise(IBV_ADVISE_MR_ADVICE_PREFETCH, 0), EOPNOTSUPP);
    return;
  }
  ASSERT_NE(mr, nullptr);
  whole.lkey = mr->lkey;
  EXPECT_EQ(advise(IBV_ADVISE_MR_ADVICE_PREFETCH, 0), 0);
  EXPECT_EQ(advise(IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, IBV_ADVISE_MR_FLAG_FLUSH), 0);
  EXPECT_EQ(advise(IBV_ADVISE_MR_ADVICE_PREFETCH, 2), EINVAL);
  EXPECT_EQ(advise(IBV_ADVISE_MR_ADVICE_PREFETCH, 0, 0), EINVAL);
  EXPECT_EQ(advise(static_cast<ibv_advise_mr_advice>(3), 0), EOPNOTSUPP);
  whole.length = sizeof memory + 1;
  EXPECT_EQ(advise(IBV_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT, 0), EFAULT);
  whole = {reinterpret_cast<uintptr_t>(pair.client.memory), 8, pair.client.mr->lkey};
  EXPECT_EQ(advise(IBV_ADVISE_MR_ADVICE_PREFETCH, 0), ENOENT) << "it is pinned";
  EXPECT_EQ(ibv_dereg_mr(mr), 0);
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

TEST(Profile, WhatIsPostedTooEarlyVanishesOnADeviceThatDoesNotLook) {
  ASSERT_EQ(fakenic_set_profile("mlx5-drop"), 0);
  {
    ProgramPair pair(7614);
    ibv_qp* qp = pair.client.id->qp;
    ibv_qp_attr reset{};
    ASSERT_EQ(ibv_modify_qp(qp, &reset, IBV_QP_STATE), 0);
    EXPECT_EQ(pair.client.Write(pair.server, 1, 8), 0);
    ibv_recv_wr recv{}, *bad = nullptr;
    EXPECT_EQ(ibv_post_recv(qp, &recv, &bad), 0);

    ibv_qp_attr init{};
    init.qp_state = IBV_QPS_INIT;
    init.port_num = 1;
    ASSERT_EQ(ibv_modify_qp(qp, &init,
                            IBV_QP_STATE | IBV_QP_PORT | IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS),
              0);
    ibv_qp_attr error{};
    error.qp_state = IBV_QPS_ERR;
    ASSERT_EQ(ibv_modify_qp(qp, &error, IBV_QP_STATE), 0);
    ibv_wc wc;
    EXPECT_EQ(ibv_poll_cq(qp->send_cq, 1, &wc), 0);
    EXPECT_EQ(ibv_poll_cq(qp->recv_cq, 1, &wc), 0);
  }
  EXPECT_EQ(fakenic_set_profile("spec"), 0);
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
