#include "connection.h"
#include "work_request.h"

namespace rpma::test {
namespace {

using testing::AllOf;
using testing::Return;

using RpmaWrite = ConnectionTest;

TEST_F(RpmaWrite, PostsOneRdmaWriteWithOneSge) {
  EXPECT_CALL(provider.data_path,
              PostSend(qp, IsWrite({.wr_id = 0x1234567890,
                                    .send_flags = IBV_SEND_SIGNALED,
                                    .remote_addr = kRemoteAddr + 24,
                                    .rkey = kRkey,
                                    .sge = {{AddressOf(memory) + 8, 100, kLkey}}})));

  EXPECT_EQ(rpma_write(conn, dst, 24, src, 8, 100, kAlways, kContext), 0);
}

TEST_F(RpmaWrite, OnErrorAloneIsUnsignaled) {
  EXPECT_CALL(provider.data_path, PostSend(qp, HasSendFlags(0u)));

  EXPECT_EQ(rpma_write(conn, dst, 0, src, 0, 8, kOnError, kContext), 0);
}

TEST_F(RpmaWrite, NullRegionsPostNoSgeAndNoAddress) {
  EXPECT_CALL(provider.data_path, PostSend(qp, IsWrite({.wr_id = 0x1234567890,
                                                        .send_flags = IBV_SEND_SIGNALED,
                                                        .remote_addr = 0,
                                                        .rkey = 0,
                                                        .sge = {}})));

  EXPECT_EQ(rpma_write(conn, nullptr, 0, nullptr, 0, 0, kAlways, kContext), 0);
}

TEST_F(RpmaWrite, NoBytesOfARegionPostAnSgeOfLengthZero) {
  EXPECT_CALL(provider.data_path, PostSend(qp, IsWrite({.wr_id = 0,
                                                        .send_flags = 0,
                                                        .remote_addr = kRemoteAddr,
                                                        .rkey = kRkey,
                                                        .sge = {{AddressOf(memory), 0, kLkey}}})));

  EXPECT_EQ(rpma_write(conn, dst, 0, src, 0, 0, kOnError, nullptr), 0);
}

TEST_F(RpmaWrite, TheLongestMessageIsPostedWhole) {
  EXPECT_CALL(provider.data_path, PostSend(qp, HasLength(0x80000000u)));

  EXPECT_EQ(rpma_write(conn, dst, 0, src, 0, size_t{1} << 31, kOnError, kContext), 0);
}

TEST_F(RpmaWrite, ALongerMessageIsRefusedNotCut) {
  for (const size_t len :
       {(size_t{1} << 31) + 1, size_t{1} << 32, (size_t{1} << 32) + 5, SIZE_MAX}) {
    EXPECT_EQ(rpma_write(conn, dst, 0, src, 0, len, kAlways, kContext), RPMA_E_INVAL) << len;
  }
}

TEST_F(RpmaWrite, BadArgumentsPostNothing) {
  EXPECT_EQ(rpma_write(nullptr, dst, 0, src, 0, 8, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_write(conn, dst, 0, src, 0, 8, /*flags=*/0, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_write(conn, nullptr, 0, src, 0, 8, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_write(conn, dst, 0, nullptr, 0, 8, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_write(conn, nullptr, 1, nullptr, 0, 0, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_write(conn, nullptr, 0, nullptr, 1, 0, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_write(conn, nullptr, 0, nullptr, 0, 1, kAlways, nullptr), RPMA_E_INVAL);
}

TEST_F(RpmaWrite, ARefusedPostIsAProviderErrorWithItsErrno) {
  EXPECT_CALL(provider.data_path, PostSend).WillOnce(Return(ENOMEM));

  errno = 0;
  EXPECT_EQ(rpma_write(conn, dst, 0, src, 0, 8, kAlways, kContext), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, ENOMEM);
}

using RpmaWriteWithImm = ConnectionTest;

TEST_F(RpmaWriteWithImm, PostsOneRdmaWriteWithImmInNetworkOrder) {
  EXPECT_CALL(provider.data_path,
              PostSend(qp, AllOf(HasImm(0x01020304u),
                                 IsRdma(IBV_WR_RDMA_WRITE_WITH_IMM,
                                        Rdma{.wr_id = 0x1234567890,
                                             .send_flags = IBV_SEND_SIGNALED,
                                             .remote_addr = kRemoteAddr + 24,
                                             .rkey = kRkey,
                                             .sge = {{AddressOf(memory) + 8, 100, kLkey}}}))));

  EXPECT_EQ(rpma_write_with_imm(conn, dst, 24, src, 8, 100, kAlways, 0x01020304, kContext), 0);
}

TEST_F(RpmaWriteWithImm, NullRegionsPostTheImmAlone) {
  EXPECT_CALL(provider.data_path,
              PostSend(qp, AllOf(HasImm(7u), IsRdma(IBV_WR_RDMA_WRITE_WITH_IMM, Rdma{}))));

  EXPECT_EQ(rpma_write_with_imm(conn, nullptr, 0, nullptr, 0, 0, kOnError, 7, nullptr), 0);
}

TEST_F(RpmaWriteWithImm, BadArgumentsPostNothing) {
  const size_t too_long = (size_t{1} << 31) + 1;
  EXPECT_EQ(rpma_write_with_imm(nullptr, dst, 0, src, 0, 8, kAlways, 1, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_write_with_imm(conn, dst, 0, src, 0, 8, 0, 1, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_write_with_imm(conn, nullptr, 0, src, 0, 8, kAlways, 1, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_write_with_imm(conn, dst, 0, nullptr, 0, 8, kAlways, 1, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_write_with_imm(conn, nullptr, 0, nullptr, 0, 1, kAlways, 1, nullptr),
            RPMA_E_INVAL);
  EXPECT_EQ(rpma_write_with_imm(conn, dst, 0, src, 0, too_long, kAlways, 1, nullptr), RPMA_E_INVAL);
}

}  // namespace
}  // namespace rpma::test
