// Configurations that threads set and read at the same time: a reader sees what some thread has
// set.
#include <gtest/gtest.h>
#include <librpma.h>

#include "concurrently.h"

namespace {

template <typename Cfg, typename T>
struct Field {
  int (*set)(Cfg*, T);
  int (*get)(const Cfg*, T*);
};

template <typename Cfg>
void SetAndGet(Cfg* cfg, const Field<Cfg, uint32_t>& field, int thread) {
  uint32_t value = 0;
  EXPECT_EQ(field.set(cfg, 1000 + static_cast<uint32_t>(thread)), 0);
  EXPECT_EQ(field.get(cfg, &value), 0);
  EXPECT_GE(value, 1000u);
  EXPECT_LT(value, 1000u + kThreads);
}

TEST(ConnCfg, IsSetAndReadByManyThreads) {
  constexpr Field<rpma_conn_cfg, uint32_t> kSizes[] = {
      {rpma_conn_cfg_set_cq_size, rpma_conn_cfg_get_cq_size},
      {rpma_conn_cfg_set_rcq_size, rpma_conn_cfg_get_rcq_size},
      {rpma_conn_cfg_set_sq_size, rpma_conn_cfg_get_sq_size},
      {rpma_conn_cfg_set_rq_size, rpma_conn_cfg_get_rq_size},
  };
  rpma_conn_cfg* cfg = nullptr;
  ASSERT_EQ(rpma_conn_cfg_new(&cfg), 0);

  Concurrently([&](int thread, int round) {
    for (const auto& size : kSizes) SetAndGet(cfg, size, thread);
    int timeout = -1;
    bool shared = false;
    rpma_srq* srq = nullptr;
    EXPECT_EQ(rpma_conn_cfg_set_timeout(cfg, 1000 + thread), 0);
    EXPECT_EQ(rpma_conn_cfg_get_timeout(cfg, &timeout), 0);
    EXPECT_GE(timeout, 1000);
    EXPECT_LT(timeout, 1000 + kThreads);
    EXPECT_EQ(rpma_conn_cfg_set_compl_channel(cfg, round % 2 == 0), 0);
    EXPECT_EQ(rpma_conn_cfg_get_compl_channel(cfg, &shared), 0);
    EXPECT_EQ(rpma_conn_cfg_set_srq(cfg, nullptr), 0);
    EXPECT_EQ(rpma_conn_cfg_get_srq(cfg, &srq), 0);
    EXPECT_EQ(srq, nullptr);
  });

  EXPECT_EQ(rpma_conn_cfg_delete(&cfg), 0);
}

TEST(SrqCfg, IsSetAndReadByManyThreads) {
  rpma_srq_cfg* cfg = nullptr;
  ASSERT_EQ(rpma_srq_cfg_new(&cfg), 0);

  Concurrently([&](int thread, int) {
    SetAndGet<rpma_srq_cfg>(cfg, {rpma_srq_cfg_set_rq_size, rpma_srq_cfg_get_rq_size}, thread);
    SetAndGet<rpma_srq_cfg>(cfg, {rpma_srq_cfg_set_rcq_size, rpma_srq_cfg_get_rcq_size}, thread);
  });

  EXPECT_EQ(rpma_srq_cfg_delete(&cfg), 0);
}

TEST(PeerCfg, IsSetReadAndDescribedByManyThreads) {
  rpma_peer_cfg* pcfg = nullptr;
  ASSERT_EQ(rpma_peer_cfg_new(&pcfg), 0);

  Concurrently([&](int, int round) {
    bool supported = false;
    char described = 2;
    size_t size = 0;
    EXPECT_EQ(rpma_peer_cfg_set_direct_write_to_pmem(pcfg, round % 2 == 0), 0);
    EXPECT_EQ(rpma_peer_cfg_get_direct_write_to_pmem(pcfg, &supported), 0);
    EXPECT_EQ(rpma_peer_cfg_get_descriptor_size(pcfg, &size), 0);
    EXPECT_EQ(rpma_peer_cfg_get_descriptor(pcfg, &described), 0);
    EXPECT_TRUE(described == 0 || described == 1);
  });

  EXPECT_EQ(rpma_peer_cfg_delete(&pcfg), 0);
}

TEST(Configurations, AreMadeAndDeletedByManyThreads) {
  Concurrently([](int, int) {
    rpma_conn_cfg* conn_cfg = nullptr;
    rpma_srq_cfg* srq_cfg = nullptr;
    rpma_peer_cfg *made = nullptr, *decoded = nullptr;
    const char described = 1;
    EXPECT_EQ(rpma_conn_cfg_new(&conn_cfg), 0);
    EXPECT_EQ(rpma_srq_cfg_new(&srq_cfg), 0);
    EXPECT_EQ(rpma_peer_cfg_new(&made), 0);
    EXPECT_EQ(rpma_peer_cfg_from_descriptor(&described, sizeof(described), &decoded), 0);
    EXPECT_EQ(rpma_conn_cfg_delete(&conn_cfg), 0);
    EXPECT_EQ(rpma_srq_cfg_delete(&srq_cfg), 0);
    EXPECT_EQ(rpma_peer_cfg_delete(&made), 0);
    EXPECT_EQ(rpma_peer_cfg_delete(&decoded), 0);
  });
}

}  // namespace
