// Objects and their lifetimes: what pins what, which limits hold, and which events tell of trouble.
#include <vector>

#include "abi/raw_pair.h"

namespace fakenic {
namespace {

TEST(Objects, WhatHasChildrenCannotBeDestroyed) {
  RawPair pair;
  EXPECT_EQ(ibv_dealloc_pd(pair.pd), EBUSY);
  EXPECT_EQ(errno, EBUSY);
  EXPECT_EQ(ibv_destroy_cq(ibv_cq_ex_to_cq(pair.cq[0])), EBUSY);
}

TEST(Objects, ABadHandleIsNoObject) {
  RawPair pair;
  constexpr uint32_t kGarble = 0xdeadbeef;
  ibv_cq* cq = ibv_cq_ex_to_cq(pair.cq[0]);
  ibv_qp_attr attr{};
  ibv_qp_init_attr init{};
  pair.qp[0]->handle ^= kGarble;
  EXPECT_EQ(ibv_destroy_qp(pair.qp[0]), ENOENT);
  EXPECT_EQ(ibv_modify_qp(pair.qp[0], &attr, IBV_QP_STATE), ENOENT);
  EXPECT_EQ(ibv_query_qp(pair.qp[0], &attr, IBV_QP_STATE, &init), ENOENT);
  pair.qp[0]->handle ^= kGarble;
  cq->handle ^= kGarble;
  EXPECT_EQ(ibv_destroy_cq(cq), ENOENT);
  EXPECT_EQ(ibv_req_notify_cq(cq, 0), ENOENT);
  EXPECT_EQ(ibv_resize_cq(cq, 4), ENOENT);
  init.send_cq = init.recv_cq = cq;
  init.qp_type = IBV_QPT_RC;
  EXPECT_EQ(ibv_create_qp(pair.pd, &init), nullptr);
  cq->handle ^= kGarble;
  pair.mr->handle ^= kGarble;
  EXPECT_EQ(ibv_dereg_mr(pair.mr), ENOENT);
  EXPECT_EQ(errno, ENOENT);
  pair.mr->handle ^= kGarble;
}

TEST(Objects, HandlesAreThoseOfTheirContext) {
  RawPair pair;
  ibv_context* other = ibv_open_device(nullptr);
  pair.pd->context = other;
  EXPECT_EQ(ibv_dealloc_pd(pair.pd), ENOENT);
  pair.pd->context = pair.context;
  ibv_close_device(other);
}

TEST(Objects, AQueuePairsCapabilitiesAreLimitedByTheDevices) {
  RawPair pair;
  ibv_device_attr device;
  ASSERT_EQ(ibv_query_device(pair.context, &device), 0);
  const auto wr = static_cast<uint32_t>(device.max_qp_wr);
  const auto sge = static_cast<uint32_t>(device.max_sge);
  const struct {
    ibv_qp_cap cap;
    bool made;
  } cases[] = {{{wr, wr, sge, sge, 0}, true},  {{wr + 1, 1, 1, 1, 0}, false},
               {{1, wr + 1, 1, 1, 0}, false},  {{1, 1, sge + 1, 1, 0}, false},
               {{1, 1, 1, sge + 1, 0}, false}, {{0, 0, 0, 0, 0}, true},
               {{1, 1, 1, 1, 1u << 20}, false}};
  for (const auto& c : cases) {
    ibv_qp_init_attr attr{};
    attr.send_cq = attr.recv_cq = ibv_cq_ex_to_cq(pair.cq[0]);
    attr.cap = c.cap;
    attr.qp_type = IBV_QPT_RC;
    ibv_qp* qp = ibv_create_qp(pair.pd, &attr);
    EXPECT_EQ(qp != nullptr, c.made) << c.cap.max_send_wr << " " << c.cap.max_recv_wr;
    if (qp == nullptr) continue;
    EXPECT_GE(qp->qp_num, 16u);
    EXPECT_EQ(ibv_destroy_qp(qp), 0);
  }
}

TEST(Objects, AsManyCanBeMadeAsTheDeviceSays) {
  ibv_context* context = ibv_open_device(nullptr);
  ibv_device_attr device;
  ASSERT_EQ(ibv_query_device(context, &device), 0);
  std::vector<ibv_pd*> pds;
  while (ibv_pd* pd = ibv_alloc_pd(context)) pds.push_back(pd);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(pds.size(), static_cast<size_t>(device.max_pd));
  for (ibv_pd* pd : pds) EXPECT_EQ(ibv_dealloc_pd(pd), 0);
  ibv_close_device(context);
}

TEST(Objects, TheGidTableHasTheEntriesThatThePortTells) {
  RawPair pair;
  ibv_port_attr port;
  ASSERT_EQ(ibv_query_port(pair.context, 1, &port), 0);
  EXPECT_EQ(port.state, IBV_PORT_ACTIVE);
  std::vector<ibv_gid_entry> entries(static_cast<size_t>(port.gid_tbl_len));
  EXPECT_EQ(ibv_query_gid_table(pair.context, entries.data(), entries.size(), 0), port.gid_tbl_len);
  for (const ibv_gid_entry& entry : entries) {
    ibv_gid gid;
    ibv_gid_entry same;
    EXPECT_EQ(ibv_query_gid(pair.context, 1, static_cast<int>(entry.gid_index), &gid), 0);
    EXPECT_EQ(ibv_query_gid_ex(pair.context, 1, entry.gid_index, &same, 0), 0);
    EXPECT_EQ(std::memcmp(&gid, &entry.gid, sizeof gid), 0);
    EXPECT_EQ(same.gid_type, unsigned{IBV_GID_TYPE_ROCE_V2});
  }
  ibv_gid_entry none;
  EXPECT_EQ(ibv_query_gid_ex(pair.context, 1, entries.size(), &none, 0), EINVAL);
}

TEST(Objects, AQueuePairInErrorIsUsedAgainThroughReset) {
  RawPair pair;
  ibv_send_wr bad = pair.Wr(1, IBV_WR_RDMA_WRITE);
  bad.wr.rdma.rkey = 1;
  pair.Post(0, bad);
  ibv_qp_attr attr;
  ibv_qp_init_attr init;
  for (ibv_qp* qp : pair.qp) {
    EXPECT_EQ(qp->state, IBV_QPS_RTS) << "the struct tells what the program did";
    EXPECT_EQ(ibv_query_qp(qp, &attr, IBV_QP_STATE, &init), 0);
    EXPECT_EQ(attr.qp_state, IBV_QPS_ERR);
  }

  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Modify(pair.qp[i], IBV_QPS_RESET, {}, 0), 0);
    EXPECT_EQ(MoveToRts(pair.qp[i], pair.qp[1 - i]->qp_num), 0);
  }
  pair.Post(0, pair.Wr(2, IBV_WR_RDMA_WRITE));

  ibv_wc wc;
  ASSERT_EQ(ibv_poll_cq(ibv_cq_ex_to_cq(pair.cq[0]), 1, &wc), 1);
  EXPECT_EQ(wc.wr_id, 2u);
  EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
}

TEST(Objects, AtomicsWorkByBothWaysOfPosting) {
  RawPair pair;
  ibv_send_wr wr = pair.Wr(1, IBV_WR_ATOMIC_FETCH_AND_ADD);
  wr.wr.atomic = {reinterpret_cast<uintptr_t>(pair.memory + 32), 5, 0, pair.mr->rkey};

  EXPECT_EQ(pair.Post(0, wr), 0);
  wr.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
  wr.wr.atomic.swap = 9;
  EXPECT_EQ(pair.Post(0, wr), 0);

  EXPECT_EQ(*reinterpret_cast<uint64_t*>(pair.memory + 32), 9u);
  EXPECT_EQ(*reinterpret_cast<uint64_t*>(pair.memory), 5u);
}

TEST(AsyncEvents, AnOverrunCqTellsOfItselfAndOfTheQueuePairsItEnded) {
  RawPair pair(/*cqe=*/1);
  for (uint64_t wr_id : {1, 2}) pair.Post(0, pair.Wr(wr_id, IBV_WR_RDMA_WRITE));

  std::vector<int> types;
  for (int i = 0; i < 2; ++i) {
    ibv_async_event event;
    ASSERT_EQ(ibv_get_async_event(pair.context, &event), 0);
    types.push_back(event.event_type);
    ibv_ack_async_event(&event);
  }
  EXPECT_EQ(types, (std::vector<int>{IBV_EVENT_CQ_ERR, IBV_EVENT_QP_FATAL}));
}

TEST(AsyncEvents, EveryContextLearnsThatTheDeviceIsGone) {
  RawPair pair;
  ibv_context* other = ibv_open_device(nullptr);
  pair.Post(0, pair.Wr(1, IBV_WR_RDMA_WRITE));

  fakenic_set_device_present(0);

  for (ibv_context* context : {pair.context, other}) {
    ibv_async_event event;
    ASSERT_EQ(ibv_get_async_event(context, &event), 0);
    EXPECT_EQ(event.event_type, IBV_EVENT_DEVICE_FATAL);
    ibv_ack_async_event(&event);
  }
  int devices = -1;
  ibv_free_device_list(ibv_get_device_list(&devices));
  EXPECT_EQ(devices, 0);
  EXPECT_EQ(pair.Post(0, pair.Wr(2, IBV_WR_RDMA_WRITE)), 0);
  ibv_wc wc[3];
  ASSERT_EQ(ibv_poll_cq(ibv_cq_ex_to_cq(pair.cq[0]), 3, wc), 2);
  EXPECT_EQ(wc[0].status, IBV_WC_SUCCESS) << "done before";
  EXPECT_EQ(wc[1].status, IBV_WC_WR_FLUSH_ERR);
  ReturnDevice();
  ibv_free_device_list(ibv_get_device_list(&devices));
  EXPECT_EQ(devices, 1);
  ibv_close_device(other);
}

TEST(AsyncEvents, ASuspendedSendQueueTellsThatItIsDrained) {
  RawPair pair;
  ibv_qp_attr attr{};
  attr.en_sqd_async_notify = 1;

  EXPECT_EQ(Modify(pair.qp[0], IBV_QPS_SQD, attr, IBV_QP_EN_SQD_ASYNC_NOTIFY), 0);

  ibv_async_event event;
  ASSERT_EQ(ibv_get_async_event(pair.context, &event), 0);
  EXPECT_EQ(event.event_type, IBV_EVENT_SQ_DRAINED);
  EXPECT_EQ(event.element.qp, pair.qp[0]);
  ibv_ack_async_event(&event);
}

TEST(ModifyQp, ImpossibleValuesAreRefusedAndChangeNothing) {
  RawPair pair;
  struct Case {
    const char* name;
    void (*breaks)(ibv_qp_attr&);
  };
  const Case cases[] = {
      {"another port than that of the path", [](ibv_qp_attr& a) { a.ah_attr.port_num = 2; }},
      {"a path without a global route", [](ibv_qp_attr& a) { a.ah_attr.is_global = 0; }},
      {"a GID that the port has not", [](ibv_qp_attr& a) { a.ah_attr.grh.sgid_index = 2; }},
      {"path_mtu 0", [](ibv_qp_attr& a) { a.path_mtu = static_cast<ibv_mtu>(0); }},
      {"path_mtu above the active one",
       [](ibv_qp_attr& a) { a.path_mtu = static_cast<ibv_mtu>(6); }},
      {"max_dest_rd_atomic above the device's", [](ibv_qp_attr& a) { a.max_dest_rd_atomic = 129; }},
      {"min_rnr_timer above 31", [](ibv_qp_attr& a) { a.min_rnr_timer = 32; }},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Modify(pair.qp[0], IBV_QPS_RESET, {}, 0), 0);
    ibv_qp_attr attr{};
    attr.port_num = 1;
    attr.ah_attr = PathHere(pair.context);
    attr.path_mtu = IBV_MTU_1024;
    EXPECT_EQ(Modify(pair.qp[0], IBV_QPS_INIT, attr,
                     IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
              0);
    c.breaks(attr);
    EXPECT_EQ(Modify(pair.qp[0], IBV_QPS_RTR, attr,
                     IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                         IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
              EINVAL)
        << c.name;
    EXPECT_EQ(pair.qp[0]->state, IBV_QPS_INIT);
  }
}

}  // namespace
}  // namespace fakenic
