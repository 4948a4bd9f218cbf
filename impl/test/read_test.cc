#include "connection.h"
#include "work_request.h"

namespace rpma::test {
namespace {

using testing::Return;

using RpmaRead = ConnectionTest;

TEST_F(RpmaRead, PostsOneRdmaReadIntoOneSge) {
  EXPECT_CALL(provider.data_path,
              PostSend(qp, IsRead({.wr_id = 0x1234567890,
                                   .send_flags = IBV_SEND_SIGNALED,
                                   .remote_addr = kRemoteAddr + 24,
                                   .rkey = kRkey,
                                   .sge = {{AddressOf(memory) + 8, 100, kLkey}}})));

  EXPECT_EQ(rpma_read(conn, src, 8, dst, 24, 100, kAlways, kContext), 0);
}

TEST_F(RpmaRead, NullRegionsPostNoSgeAndNoAddress) {
  EXPECT_CALL(provider.data_path, PostSend(qp, IsRead({})));

  EXPECT_EQ(rpma_read(conn, nullptr, 0, nullptr, 0, 0, kOnError, nullptr), 0);
}

TEST_F(RpmaRead, BadArgumentsPostNothing) {
  EXPECT_EQ(rpma_read(nullptr, src, 0, dst, 0, 8, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_read(conn, src, 0, dst, 0, 8, /*flags=*/0, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_read(conn, nullptr, 0, dst, 0, 8, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_read(conn, src, 0, nullptr, 0, 8, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_read(conn, nullptr, 1, nullptr, 0, 0, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_read(conn, nullptr, 0, nullptr, 1, 0, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_read(conn, nullptr, 0, nullptr, 0, 1, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_read(conn, src, 0, dst, 0, kTooLong, kAlways, nullptr), RPMA_E_INVAL);
}

TEST_F(RpmaRead, ARefusedPostIsAProviderErrorWithItsErrno) {
  EXPECT_CALL(provider.data_path, PostSend).WillOnce(Return(ENOMEM));

  EXPECT_EQ(rpma_read(conn, src, 0, dst, 0, 8, kAlways, kContext), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, ENOMEM);
}

}  // namespace
}  // namespace rpma::test
