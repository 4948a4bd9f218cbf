#include "connection.h"

namespace rpma::test {
namespace {

class RpmaPeerCfg : public testing::Test {
 protected:
  RpmaPeerCfg() { EXPECT_EQ(rpma_peer_cfg_new(&pcfg), 0); }
  ~RpmaPeerCfg() override { EXPECT_EQ(rpma_peer_cfg_delete(&pcfg), 0); }

  static bool DirectWrite(const rpma_peer_cfg* from) {
    bool supported = false;
    EXPECT_EQ(rpma_peer_cfg_get_direct_write_to_pmem(from, &supported), 0);
    return supported;
  }

  rpma_peer_cfg* pcfg = nullptr;
};

TEST_F(RpmaPeerCfg, StartsWithoutDirectWriteAndKeepsWhatIsSet) {
  EXPECT_FALSE(DirectWrite(pcfg));
  EXPECT_EQ(rpma_peer_cfg_set_direct_write_to_pmem(pcfg, true), 0);
  EXPECT_TRUE(DirectWrite(pcfg));
  EXPECT_EQ(rpma_peer_cfg_set_direct_write_to_pmem(pcfg, false), 0);
  EXPECT_FALSE(DirectWrite(pcfg));
}

TEST_F(RpmaPeerCfg, TheDescriptorIsOneByteOfZeroOrOne) {
  size_t size = 0;
  ASSERT_EQ(rpma_peer_cfg_get_descriptor_size(pcfg, &size), 0);
  ASSERT_EQ(size, 1u);

  for (const bool supported : {false, true}) {
    uint8_t bytes[] = {0xEE, 0xEE, 0xEE};
    rpma_peer_cfg_set_direct_write_to_pmem(pcfg, supported);
    EXPECT_EQ(rpma_peer_cfg_get_descriptor(pcfg, bytes + 1), 0);
    EXPECT_THAT(bytes, testing::ElementsAre(0xEE, supported ? 1 : 0, 0xEE));
  }
}

TEST_F(RpmaPeerCfg, OnlyTheFirstByteOfADescriptorIsReadAndAnyButZeroMeansTrue) {
  for (const uint8_t byte : {0, 1, 2, 0x80, 0xff}) {
    const uint8_t bytes[] = {byte, 1};
    for (const size_t size : {1, 2}) {
      rpma_peer_cfg* remote = nullptr;
      ASSERT_EQ(rpma_peer_cfg_from_descriptor(bytes, size, &remote), 0);
      EXPECT_EQ(DirectWrite(remote), byte != 0) << int{byte};
      EXPECT_EQ(rpma_peer_cfg_delete(&remote), 0);
    }
  }
}

TEST_F(RpmaPeerCfg, ADescriptorWithoutBytesIsRefused) {
  const uint8_t byte = 1;
  rpma_peer_cfg* remote = nullptr;
  EXPECT_EQ(rpma_peer_cfg_from_descriptor(&byte, 0, &remote), RPMA_E_INVAL);
  EXPECT_EQ(remote, nullptr);
}

TEST_F(RpmaPeerCfg, NullIsRefused) {
  bool supported;
  uint8_t byte = 1;
  size_t size;
  rpma_peer_cfg* remote = nullptr;
  EXPECT_EQ(rpma_peer_cfg_new(nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_cfg_delete(nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_cfg_set_direct_write_to_pmem(nullptr, true), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_cfg_get_direct_write_to_pmem(nullptr, &supported), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_cfg_get_direct_write_to_pmem(pcfg, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_cfg_get_descriptor(nullptr, &byte), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_cfg_get_descriptor(pcfg, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_cfg_get_descriptor_size(nullptr, &size), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_cfg_get_descriptor_size(pcfg, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_cfg_from_descriptor(nullptr, 1, &remote), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_cfg_from_descriptor(&byte, 1, nullptr), RPMA_E_INVAL);
}

TEST_F(RpmaPeerCfg, WithoutMemoryTheOutParameterStays) {
  const uint8_t byte = 1;
  rpma_peer_cfg* remote = nullptr;
  FailNthAllocation(1);
  EXPECT_EQ(rpma_peer_cfg_new(&remote), RPMA_E_NOMEM);
  FailNthAllocation(1);
  EXPECT_EQ(rpma_peer_cfg_from_descriptor(&byte, 1, &remote), RPMA_E_NOMEM);
  FailNthAllocation(0);
  EXPECT_EQ(remote, nullptr);
}

TEST_F(RpmaPeerCfg, DeletingTwiceIsHarmless) {
  EXPECT_EQ(rpma_peer_cfg_delete(&pcfg), 0);
  EXPECT_EQ(pcfg, nullptr);
  EXPECT_EQ(rpma_peer_cfg_delete(&pcfg), 0);
}

class RpmaConnApplyRemotePeerCfg : public ConnectionTest {};

TEST_F(RpmaConnApplyRemotePeerCfg, TakesADescriptionAgainAndAgain) {
  rpma_peer_cfg* pcfg = nullptr;
  ASSERT_EQ(rpma_peer_cfg_new(&pcfg), 0);
  EXPECT_EQ(rpma_conn_apply_remote_peer_cfg(conn, pcfg), 0);
  rpma_peer_cfg_set_direct_write_to_pmem(pcfg, true);
  EXPECT_EQ(rpma_conn_apply_remote_peer_cfg(conn, pcfg), 0);
  EXPECT_EQ(rpma_peer_cfg_delete(&pcfg), 0);
}

}  // namespace
}  // namespace rpma::test
