#include "connection.h"
#include "work_request.h"

namespace rpma::test {
namespace {

using testing::Return;

using testing::AllOf;

using RpmaSend = ConnectionTest;

TEST_F(RpmaSend, PostsOneMessageWithOneSge) {
  const Message expected{.wr_id = 0x1234567890, .sge = {{AddressOf(memory) + 8, 100, kLkey}}};
  EXPECT_CALL(provider.data_path, PostSend(qp, AllOf(HasOpcode(IBV_WR_SEND), IsMessage(expected),
                                                     HasSendFlags(IBV_SEND_SIGNALED))));

  EXPECT_EQ(rpma_send(conn, src, 8, 100, kAlways, kContext), 0);
}

TEST_F(RpmaSend, AnImmGoesInNetworkOrder) {
  const Message expected{.wr_id = 0x1234567890, .sge = {{AddressOf(memory), 8, kLkey}}};
  EXPECT_CALL(provider.data_path,
              PostSend(qp, AllOf(HasOpcode(IBV_WR_SEND_WITH_IMM), IsMessage(expected),
                                 HasImm(0x01020304u), HasSendFlags(0u))));

  EXPECT_EQ(rpma_send_with_imm(conn, src, 0, 8, kOnError, 0x01020304, kContext), 0);
}

TEST_F(RpmaSend, ANullRegionPostsNoSge) {
  EXPECT_CALL(provider.data_path, PostSend(qp, IsMessage(Message{}))).Times(2);

  EXPECT_EQ(rpma_send(conn, nullptr, 0, 0, kOnError, nullptr), 0);
  EXPECT_EQ(rpma_send_with_imm(conn, nullptr, 0, 0, kOnError, 1, nullptr), 0);
}

TEST_F(RpmaSend, BadArgumentsPostNothing) {
  EXPECT_EQ(rpma_send(nullptr, src, 0, 8, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_send(conn, src, 0, 8, /*flags=*/0, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_send(conn, nullptr, 1, 0, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_send(conn, nullptr, 0, 1, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_send(conn, src, 0, kTooLong, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_send_with_imm(nullptr, src, 0, 8, kAlways, 1, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_send_with_imm(conn, src, 0, 8, /*flags=*/0, 1, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_send_with_imm(conn, nullptr, 1, 0, kAlways, 1, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_send_with_imm(conn, nullptr, 0, 1, kAlways, 1, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_send_with_imm(conn, src, 0, kTooLong, kAlways, 1, nullptr), RPMA_E_INVAL);
}

TEST_F(RpmaSend, ARefusedPostIsAProviderErrorWithItsErrno) {
  EXPECT_CALL(provider.data_path, PostSend).WillOnce(Return(ENOMEM));

  EXPECT_EQ(rpma_send(conn, src, 0, 8, kAlways, kContext), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, ENOMEM);
}

}  // namespace
}  // namespace rpma::test
