// Extended CQs: polling in batches, the accessors, resizing.
#include <thread>

#include "abi/raw_pair.h"

namespace fakenic {
namespace {

TEST(CqEx, ABatchGoesThroughTheCompletionsInOrder) {
  RawPair pair;
  ibv_poll_cq_attr attr{};
  EXPECT_EQ(ibv_start_poll(pair.cq[0], &attr), ENOENT);
  for (uint64_t wr_id : {1, 2}) pair.Post(0, pair.Wr(wr_id, IBV_WR_RDMA_WRITE));

  ASSERT_EQ(ibv_start_poll(pair.cq[0], &attr), 0);
  EXPECT_EQ(pair.cq[0]->wr_id, 1u);
  EXPECT_EQ(pair.cq[0]->status, IBV_WC_SUCCESS);
  ASSERT_EQ(ibv_next_poll(pair.cq[0]), 0);
  EXPECT_EQ(pair.cq[0]->wr_id, 2u);
  EXPECT_EQ(ibv_next_poll(pair.cq[0]), ENOENT);
  EXPECT_EQ(pair.cq[0]->wr_id, 2u) << "what was read stays readable until the batch ends";
  ibv_end_poll(pair.cq[0]);

  EXPECT_EQ(ibv_start_poll(pair.cq[0], &attr), ENOENT);
}

TEST(CqEx, AccessorsReadWhatAnOrdinaryPollWouldTell) {
  RawPair pair;
  pair.PostRecv(1, 90);
  pair.Post(0, pair.Wr(1, IBV_WR_SEND_WITH_IMM));
  ibv_poll_cq_attr attr{};

  ASSERT_EQ(ibv_start_poll(pair.cq[1], &attr), 0);

  EXPECT_EQ(pair.cq[1]->wr_id, 90u);
  EXPECT_EQ(ibv_wc_read_opcode(pair.cq[1]), IBV_WC_RECV);
  EXPECT_EQ(ibv_wc_read_byte_len(pair.cq[1]), 8u);
  EXPECT_EQ(ibv_wc_read_imm_data(pair.cq[1]), htonl(5));
  EXPECT_EQ(ibv_wc_read_qp_num(pair.cq[1]), pair.qp[1]->qp_num);
  EXPECT_EQ(ibv_wc_read_wc_flags(pair.cq[1]), unsigned{IBV_WC_WITH_IMM});
  EXPECT_EQ(ibv_wc_read_vendor_err(pair.cq[1]), 0u);
  EXPECT_EQ(ibv_wc_read_src_qp(pair.cq[1]), 0u);
  EXPECT_EQ(ibv_wc_read_slid(pair.cq[1]), 0u);
  EXPECT_EQ(ibv_wc_read_sl(pair.cq[1]), 0);
  EXPECT_EQ(ibv_wc_read_dlid_path_bits(pair.cq[1]), 0);
  ibv_end_poll(pair.cq[1]);
}

TEST(CqEx, IsAnOrdinaryCqAsWell) {
  RawPair pair;
  pair.Post(0, pair.Wr(7, IBV_WR_RDMA_WRITE));
  ibv_wc wc;

  EXPECT_EQ(ibv_poll_cq(ibv_cq_ex_to_cq(pair.cq[0]), 1, &wc), 1);

  EXPECT_EQ(wc.wr_id, 7u);
}

TEST(CqEx, ABatchKeepsOtherPollersOut) {
  RawPair pair;
  for (uint64_t wr_id : {1, 2}) pair.Post(0, pair.Wr(wr_id, IBV_WR_RDMA_WRITE));
  ibv_poll_cq_attr attr{};
  ASSERT_EQ(ibv_start_poll(pair.cq[0], &attr), 0);
  uint64_t other = 0;

  std::thread poller([&] {
    ASSERT_EQ(ibv_start_poll(pair.cq[0], &attr), 0);
    other = pair.cq[0]->wr_id;
    ibv_end_poll(pair.cq[0]);
  });
  const uint64_t own = pair.cq[0]->wr_id;
  ibv_end_poll(pair.cq[0]);
  poller.join();

  EXPECT_EQ(own, 1u);
  EXPECT_EQ(other, 2u);
}

TEST(CqEx, WhatIsNotOfferedIsRefused) {
  ibv_context* context = ibv_open_device(nullptr);
  const auto made = [&](void (*asks)(ibv_cq_init_attr_ex&)) {
    ibv_cq_init_attr_ex attr{};
    attr.cqe = 1;
    asks(attr);
    ibv_cq_ex* cq = ibv_create_cq_ex(context, &attr);
    const int error = cq == nullptr ? errno : 0;
    if (cq != nullptr) ibv_destroy_cq(ibv_cq_ex_to_cq(cq));
    return error;
  };
  EXPECT_EQ(made([](auto& a) { a.wc_flags = IBV_WC_EX_WITH_COMPLETION_TIMESTAMP; }), EOPNOTSUPP);
  EXPECT_EQ(made([](auto& a) { a.comp_mask = IBV_CQ_INIT_ATTR_MASK_PD; }), EOPNOTSUPP);
  EXPECT_EQ(made([](auto& a) {
              a.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS;
              a.flags = IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
            }),
            EOPNOTSUPP);
  EXPECT_EQ(made([](auto& a) {
              a.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS;
              a.flags = IBV_CREATE_CQ_ATTR_SINGLE_THREADED;
            }),
            0);
  EXPECT_EQ(made([](auto& a) { a.comp_vector = 99; }), EINVAL);
  EXPECT_EQ(made([](auto& a) { a.cqe = 0; }), EINVAL);
  ibv_close_device(context);
}

TEST(ResizeCq, KeepsTheCompletionsAndNeverLosesOne) {
  RawPair pair(/*cqe=*/4);
  ibv_cq* cq = ibv_cq_ex_to_cq(pair.cq[0]);
  for (uint64_t wr_id : {1, 2, 3}) pair.Post(0, pair.Wr(wr_id, IBV_WR_RDMA_WRITE));

  EXPECT_EQ(ibv_resize_cq(cq, 2), EINVAL) << "three completions are in it";
  EXPECT_EQ(ibv_resize_cq(cq, 0), EINVAL);
  EXPECT_EQ(ibv_resize_cq(cq, 3), 0);
  EXPECT_EQ(cq->cqe, 3);
  EXPECT_EQ(ibv_resize_cq(cq, 8), 0);
  for (uint64_t wr_id : {4, 5}) pair.Post(0, pair.Wr(wr_id, IBV_WR_RDMA_WRITE));

  ibv_wc wc[8];
  ASSERT_EQ(ibv_poll_cq(cq, 8, wc), 5);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(wc[i].wr_id, static_cast<uint64_t>(i + 1));
}

}  // namespace
}  // namespace fakenic
