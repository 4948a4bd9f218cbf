#include "connection.h"
#include "work_request.h"

namespace rpma::test {
namespace {

using testing::Return;

class RpmaRecv : public ConnectionTest {
 protected:
  RpmaRecv() { EXPECT_EQ(rpma_conn_req_new(peer, "192.0.2.1", "7204", nullptr, &req), 0); }
  ~RpmaRecv() override { EXPECT_EQ(rpma_conn_req_delete(&req), 0); }

  Message At8Of100() const {
    return {.wr_id = 0x1234567890, .sge = {{AddressOf(memory) + 8, 100, kLkey}}};
  }

  rpma_conn_req* req = nullptr;
};

TEST_F(RpmaRecv, PostsOneReceiveWithOneSge) {
  EXPECT_CALL(provider.data_path, PostRecv(qp, IsReceive(At8Of100())));
  EXPECT_EQ(rpma_recv(conn, src, 8, 100, kContext), 0);
}

TEST_F(RpmaRecv, ARequestPostsToItsOwnQp) {
  EXPECT_CALL(provider.data_path, PostRecv(provider.last_id->qp, IsReceive(At8Of100())));
  EXPECT_NE(provider.last_id->qp, qp);
  EXPECT_EQ(rpma_conn_req_recv(req, src, 8, 100, kContext), 0);
}

TEST_F(RpmaRecv, ANullRegionPostsNoSge) {
  EXPECT_CALL(provider.data_path, PostRecv(qp, IsReceive({})));
  EXPECT_CALL(provider.data_path, PostRecv(provider.last_id->qp, IsReceive({})));
  EXPECT_EQ(rpma_recv(conn, nullptr, 0, 0, nullptr), 0);
  EXPECT_EQ(rpma_conn_req_recv(req, nullptr, 0, 0, nullptr), 0);
}

TEST_F(RpmaRecv, ARequestTakesANullContext) {
  EXPECT_CALL(provider.data_path,
              PostRecv(provider.last_id->qp,
                       IsReceive({.wr_id = 0, .sge = {{AddressOf(memory), 8, kLkey}}})));
  EXPECT_EQ(rpma_conn_req_recv(req, src, 0, 8, /*op_context=*/nullptr), 0);
}

TEST_F(RpmaRecv, BadArgumentsPostNothing) {
  EXPECT_EQ(rpma_recv(nullptr, src, 0, 8, kContext), RPMA_E_INVAL);
  EXPECT_EQ(rpma_recv(conn, nullptr, 1, 0, kContext), RPMA_E_INVAL);
  EXPECT_EQ(rpma_recv(conn, nullptr, 0, 1, kContext), RPMA_E_INVAL);
  EXPECT_EQ(rpma_recv(conn, src, 0, kTooLong, kContext), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_req_recv(nullptr, src, 0, 8, kContext), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_req_recv(req, nullptr, 1, 0, kContext), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_req_recv(req, nullptr, 0, 1, kContext), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_req_recv(req, src, 0, kTooLong, kContext), RPMA_E_INVAL);
}

TEST_F(RpmaRecv, ARefusedPostIsAProviderErrorWithItsErrno) {
  EXPECT_CALL(provider.data_path, PostRecv).WillOnce(Return(ENOMEM)).WillOnce(Return(EINVAL));

  EXPECT_EQ(rpma_recv(conn, src, 0, 8, kContext), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(rpma_conn_req_recv(req, src, 0, 8, kContext), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, EINVAL);
}

}  // namespace
}  // namespace rpma::test
