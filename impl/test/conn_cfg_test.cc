#include <gtest/gtest.h>
#include <librpma.h>

#include <climits>

namespace {

class RpmaConnCfg : public testing::Test {
 protected:
  RpmaConnCfg() { EXPECT_EQ(rpma_conn_cfg_new(&cfg), 0); }
  ~RpmaConnCfg() override { EXPECT_EQ(rpma_conn_cfg_delete(&cfg), 0); }

  rpma_conn_cfg* cfg = nullptr;
};

struct SizeField {
  const char* name;
  int (*set)(rpma_conn_cfg*, uint32_t);
  int (*get)(const rpma_conn_cfg*, uint32_t*);
  uint32_t at_first;
};

constexpr SizeField kSizes[] = {
    {"cq_size", rpma_conn_cfg_set_cq_size, rpma_conn_cfg_get_cq_size, 10},
    {"rcq_size", rpma_conn_cfg_set_rcq_size, rpma_conn_cfg_get_rcq_size, 0},
    {"sq_size", rpma_conn_cfg_set_sq_size, rpma_conn_cfg_get_sq_size, 10},
    {"rq_size", rpma_conn_cfg_set_rq_size, rpma_conn_cfg_get_rq_size, 10},
};

TEST_F(RpmaConnCfg, StartsWithTheDefaults) {
  int timeout = 0;
  bool shared = true;
  EXPECT_EQ(rpma_conn_cfg_get_timeout(cfg, &timeout), 0);
  EXPECT_EQ(rpma_conn_cfg_get_compl_channel(cfg, &shared), 0);
  EXPECT_EQ(timeout, 1000);
  EXPECT_FALSE(shared);
  for (const SizeField& field : kSizes) {
    uint32_t size = 99;
    EXPECT_EQ(field.get(cfg, &size), 0) << field.name;
    EXPECT_EQ(size, field.at_first) << field.name;
  }
}

TEST_F(RpmaConnCfg, KeepsEverySizeUnclipped) {
  for (const SizeField& field : kSizes) {
    for (const uint32_t value : {0u, 1u, uint32_t{INT_MAX} + 1, UINT32_MAX}) {
      uint32_t size = 99;
      EXPECT_EQ(field.set(cfg, value), 0) << field.name;
      EXPECT_EQ(field.get(cfg, &size), 0) << field.name;
      EXPECT_EQ(size, value) << field.name;
    }
  }
}

TEST_F(RpmaConnCfg, TheTimeoutIsNotNegative) {
  int timeout = 99;
  EXPECT_EQ(rpma_conn_cfg_set_timeout(cfg, -1), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_set_timeout(cfg, INT_MIN), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_set_timeout(cfg, 0), 0);
  EXPECT_EQ(rpma_conn_cfg_get_timeout(cfg, &timeout), 0);
  EXPECT_EQ(timeout, 0);
}

TEST_F(RpmaConnCfg, KeepsTheSharedChannel) {
  bool shared = false;
  EXPECT_EQ(rpma_conn_cfg_set_compl_channel(cfg, true), 0);
  EXPECT_EQ(rpma_conn_cfg_get_compl_channel(cfg, &shared), 0);
  EXPECT_TRUE(shared);
}

TEST_F(RpmaConnCfg, NullIsRefused) {
  uint32_t size;
  int timeout;
  bool shared;
  for (const SizeField& field : kSizes) {
    EXPECT_EQ(field.set(nullptr, 1), RPMA_E_INVAL) << field.name;
    EXPECT_EQ(field.get(nullptr, &size), RPMA_E_INVAL) << field.name;
    EXPECT_EQ(field.get(cfg, nullptr), RPMA_E_INVAL) << field.name;
  }
  EXPECT_EQ(rpma_conn_cfg_set_timeout(nullptr, 1), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_get_timeout(nullptr, &timeout), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_get_timeout(cfg, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_set_compl_channel(nullptr, true), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_get_compl_channel(nullptr, &shared), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_get_compl_channel(cfg, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_new(nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_delete(nullptr), RPMA_E_INVAL);
}

TEST_F(RpmaConnCfg, DeletingTwiceIsHarmless) {
  EXPECT_EQ(rpma_conn_cfg_delete(&cfg), 0);
  EXPECT_EQ(cfg, nullptr);
  EXPECT_EQ(rpma_conn_cfg_delete(&cfg), 0);
}

}  // namespace
