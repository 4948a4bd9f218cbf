#include <algorithm>
#include <cstring>

#include "connection.h"
#include "work_request.h"

namespace rpma::test {
namespace {

using testing::Return;

constexpr auto kVisibility = RPMA_FLUSH_TYPE_VISIBILITY;
constexpr auto kPersistent = RPMA_FLUSH_TYPE_PERSISTENT;

class RpmaFlush : public ConnectionTest {
 protected:
  RpmaFlush() { Region(4096, 0xff); }
  ~RpmaFlush() override { EXPECT_EQ(rpma_mr_remote_delete(&region), 0); }

  void Region(uint16_t size, uint8_t usage) {
    EXPECT_EQ(rpma_mr_remote_delete(&region), 0);
    uint8_t descriptor[21] = {};
    std::memcpy(descriptor, &kRemoteAddr, sizeof(kRemoteAddr));
    std::memcpy(descriptor + 8, &size, sizeof(size));
    descriptor[16] = kRkey;
    descriptor[20] = usage;
    EXPECT_EQ(rpma_mr_remote_from_descriptor(descriptor, sizeof(descriptor), &region), 0);
  }

  void ApplyDirectWrite(bool supported) {
    rpma_peer_cfg* pcfg = nullptr;
    EXPECT_EQ(rpma_peer_cfg_new(&pcfg), 0);
    EXPECT_EQ(rpma_peer_cfg_set_direct_write_to_pmem(pcfg, supported), 0);
    EXPECT_EQ(rpma_conn_apply_remote_peer_cfg(conn, pcfg), 0);
    EXPECT_EQ(rpma_peer_cfg_delete(&pcfg), 0);
  }

  // What a flush that is posted reads.
  struct Read {
    uint64_t offset;
    uint32_t length;

    bool operator==(const Read&) const = default;
  };
  Read Flush(size_t offset, size_t len, rpma_flush_type type = kVisibility) {
    Read read{};
    EXPECT_CALL(provider.data_path, PostSend(qp, HasOpcode(IBV_WR_RDMA_READ)))
        .WillOnce([&](ibv_qp*, ibv_send_wr* wr) {
          read = {wr->wr.rdma.remote_addr - kRemoteAddr, wr->sg_list[0].length};
          return 0;
        });
    EXPECT_EQ(rpma_flush(conn, region, offset, len, type, kAlways, kContext), 0);
    return read;
  }

  rpma_mr_remote* region = nullptr;
};

TEST_F(RpmaFlush, PostsOneReadOfEightBytesIntoAPageOfTheConnection) {
  EXPECT_CALL(provider.data_path, PostSend).WillOnce([&](ibv_qp* used, ibv_send_wr* wr) {
    EXPECT_EQ(used, qp);
    EXPECT_EQ(wr->sg_list[0].addr % 4096, 0u);
    EXPECT_THAT(wr, IsRead({.wr_id = 0x1234567890,
                            .send_flags = IBV_SEND_SIGNALED,
                            .remote_addr = kRemoteAddr + 24,
                            .rkey = kRkey,
                            .sge = {{wr->sg_list[0].addr, 8, kLkey}}}));
    *reinterpret_cast<uint64_t*>(wr->sg_list[0].addr) = ~uint64_t{0};  // is writable
    return 0;
  });

  EXPECT_EQ(rpma_flush(conn, region, 24, 100, kVisibility, kAlways, kContext), 0);
  EXPECT_EQ(provider.access.front(), IBV_ACCESS_LOCAL_WRITE);
}

TEST_F(RpmaFlush, OnErrorAloneIsUnsignaled) {
  EXPECT_CALL(provider.data_path, PostSend(qp, HasSendFlags(0u)));
  EXPECT_EQ(rpma_flush(conn, region, 0, 8, kVisibility, kOnError, kContext), 0);
}

TEST_F(RpmaFlush, TheReadStaysInsideTheRegion) {
  EXPECT_EQ(Flush(4088, 8), (Read{4088, 8}));
  EXPECT_EQ(Flush(4089, 7), (Read{4088, 8}));
  EXPECT_EQ(Flush(4095, 1), (Read{4088, 8}));
  EXPECT_EQ(Flush(4096, 0), (Read{4088, 8}));
  for (const uint16_t size : {1, 5, 7, 8}) {
    Region(size, 0xff);
    EXPECT_EQ(Flush(0, size), (Read{0, size}));
    EXPECT_EQ(Flush(size - 1u, 1), (Read{0, size}));
  }
}

TEST_F(RpmaFlush, OutsideTheRegionTheReadIsWhereItWasAskedFor) {
  EXPECT_EQ(Flush(4097, 8), (Read{4097, 8}));
  EXPECT_EQ(Flush(5000, 8), (Read{5000, 8}));
  Region(0, 0xff);
  EXPECT_EQ(Flush(0, 8), (Read{0, 8}));
}

TEST_F(RpmaFlush, APersistentOneNeedsDirectWriteOfTheOtherSide) {
  EXPECT_EQ(rpma_flush(conn, region, 0, 8, kPersistent, kAlways, nullptr), RPMA_E_NOSUPP);
  ApplyDirectWrite(true);
  EXPECT_EQ(Flush(0, 8, kPersistent), (Read{0, 8}));
  ApplyDirectWrite(false);
  EXPECT_EQ(rpma_flush(conn, region, 0, 8, kPersistent, kAlways, nullptr), RPMA_E_NOSUPP);
}

TEST_F(RpmaFlush, TheRegionHasToAllowTheType) {
  ApplyDirectWrite(true);
  Region(4096, RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT);
  EXPECT_EQ(Flush(0, 8, kPersistent), (Read{0, 8}));
  EXPECT_EQ(rpma_flush(conn, region, 0, 8, kVisibility, kAlways, nullptr), RPMA_E_NOSUPP);
  Region(4096, RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY);
  EXPECT_EQ(Flush(0, 8, kVisibility), (Read{0, 8}));
  EXPECT_EQ(rpma_flush(conn, region, 0, 8, kPersistent, kAlways, nullptr), RPMA_E_NOSUPP);
}

TEST_F(RpmaFlush, BadArgumentsPostNothing) {
  const auto unknown = static_cast<rpma_flush_type>(2);
  EXPECT_EQ(rpma_flush(nullptr, region, 0, 8, kVisibility, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_flush(conn, nullptr, 0, 8, kVisibility, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_flush(conn, region, 0, 8, kVisibility, /*flags=*/0, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_flush(conn, region, 0, 8, kPersistent, /*flags=*/0, nullptr), RPMA_E_INVAL);
  Region(4096, RPMA_MR_USAGE_WRITE_DST);
  EXPECT_EQ(rpma_flush(conn, region, 0, 8, unknown, kAlways, nullptr), RPMA_E_INVAL);
}

TEST_F(RpmaFlush, ARefusedPostIsAProviderErrorWithItsErrno) {
  EXPECT_CALL(provider.data_path, PostSend).WillOnce(Return(ENOMEM));

  EXPECT_EQ(rpma_flush(conn, region, 0, 8, kVisibility, kAlways, kContext), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, ENOMEM);
}

TEST_F(RpmaFlush, TheBufferGoesAfterTheQp) {
  EXPECT_EQ(rpma_conn_delete(&conn), 0);

  const auto& calls = provider.calls();
  const auto qp_gone = std::find(calls.begin(), calls.end(), "rdma_destroy_qp");
  ASSERT_NE(qp_gone, calls.end());
  EXPECT_EQ(std::find(calls.begin(), qp_gone, "ibv_dereg_mr"), qp_gone);
  EXPECT_NE(std::find(qp_gone, calls.end(), "ibv_dereg_mr"), calls.end());
}

}  // namespace
}  // namespace rpma::test
