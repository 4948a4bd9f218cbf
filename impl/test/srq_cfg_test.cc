#include <gtest/gtest.h>
#include <librpma.h>

#include <climits>

#include "allocations.h"

namespace rpma::test {
namespace {

class RpmaSrqCfg : public testing::Test {
 protected:
  RpmaSrqCfg() { EXPECT_EQ(rpma_srq_cfg_new(&cfg), 0); }
  ~RpmaSrqCfg() override { EXPECT_EQ(rpma_srq_cfg_delete(&cfg), 0); }

  rpma_srq_cfg* cfg = nullptr;
};

struct SizeField {
  const char* name;
  int (*set)(rpma_srq_cfg*, uint32_t);
  int (*get)(const rpma_srq_cfg*, uint32_t*);
};

constexpr SizeField kSizes[] = {
    {"rq_size", rpma_srq_cfg_set_rq_size, rpma_srq_cfg_get_rq_size},
    {"rcq_size", rpma_srq_cfg_set_rcq_size, rpma_srq_cfg_get_rcq_size},
};

TEST_F(RpmaSrqCfg, StartsWithTheDefaultsOfTheManual) {
  for (const SizeField& field : kSizes) {
    uint32_t size = 0;
    EXPECT_EQ(field.get(cfg, &size), 0) << field.name;
    EXPECT_EQ(size, 100u) << field.name;
  }
}

TEST_F(RpmaSrqCfg, KeepsEverySizeUnclipped) {
  for (const SizeField& field : kSizes) {
    for (const uint32_t value : {0u, 1u, uint32_t{INT_MAX} + 1, UINT32_MAX}) {
      uint32_t size = 99;
      EXPECT_EQ(field.set(cfg, value), 0) << field.name;
      EXPECT_EQ(field.get(cfg, &size), 0) << field.name;
      EXPECT_EQ(size, value) << field.name;
    }
  }
}

TEST_F(RpmaSrqCfg, TheSizesAreTwo) {
  rpma_srq_cfg_set_rq_size(cfg, 1);
  rpma_srq_cfg_set_rcq_size(cfg, 2);
  uint32_t rq_size = 0;
  EXPECT_EQ(rpma_srq_cfg_get_rq_size(cfg, &rq_size), 0);
  EXPECT_EQ(rq_size, 1u);
}

TEST_F(RpmaSrqCfg, NullIsRefused) {
  uint32_t size;
  for (const SizeField& field : kSizes) {
    EXPECT_EQ(field.set(nullptr, 1), RPMA_E_INVAL) << field.name;
    EXPECT_EQ(field.get(nullptr, &size), RPMA_E_INVAL) << field.name;
    EXPECT_EQ(field.get(cfg, nullptr), RPMA_E_INVAL) << field.name;
  }
  EXPECT_EQ(rpma_srq_cfg_new(nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_srq_cfg_delete(nullptr), RPMA_E_INVAL);
}

TEST_F(RpmaSrqCfg, WithoutMemoryTheOutParameterStays) {
  rpma_srq_cfg* other = nullptr;
  FailNthAllocation(1);
  EXPECT_EQ(rpma_srq_cfg_new(&other), RPMA_E_NOMEM);
  FailNthAllocation(0);
  EXPECT_EQ(other, nullptr);
}

TEST_F(RpmaSrqCfg, DeletingTwiceIsHarmless) {
  EXPECT_EQ(rpma_srq_cfg_delete(&cfg), 0);
  EXPECT_EQ(cfg, nullptr);
  EXPECT_EQ(rpma_srq_cfg_delete(&cfg), 0);
}

}  // namespace
}  // namespace rpma::test
