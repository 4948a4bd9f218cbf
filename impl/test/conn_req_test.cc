#include <climits>

#include "connection.h"

namespace rpma::test {
namespace {

using testing::ElementsAre;

class RpmaConnReq : public ProviderTest {
 protected:
  rpma_conn_req* Incoming() {
    rpma_ep* ep = Listen();
    rpma_conn_req* req = nullptr;
    provider.PushRequest();
    EXPECT_EQ(rpma_ep_next_conn_req(ep, nullptr, &req), 0);
    EXPECT_EQ(rpma_ep_shutdown(&ep), 0);
    return req;
  }

  rpma_conn_req* Outgoing(const rpma_conn_cfg* cfg = nullptr) {
    rpma_conn_req* req = nullptr;
    EXPECT_EQ(rpma_conn_req_new(peer, "192.0.2.1", "7204", cfg, &req), 0);
    return req;
  }
};

TEST_F(RpmaConnReq, NullIsRefused) {
  auto* req = Untouched<rpma_conn_req>();
  rpma_conn_private_data pdata;
  EXPECT_EQ(rpma_conn_req_new(nullptr, "a", "1", nullptr, &req), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_req_new(peer, nullptr, "1", nullptr, &req), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_req_new(peer, "a", nullptr, nullptr, &req), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_req_new(peer, "a", "1", nullptr, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_req_delete(nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_req_get_private_data(nullptr, &pdata), RPMA_E_INVAL);
  EXPECT_EQ(req, Untouched<rpma_conn_req>());
}

TEST_F(RpmaConnReq, AnOutgoingRequestHasNoPrivateData) {
  rpma_conn_req* req = Outgoing();
  rpma_conn_private_data pdata{Untouched<void>(), 9};

  EXPECT_EQ(rpma_conn_req_get_private_data(req, &pdata), 0);
  EXPECT_EQ(pdata.ptr, nullptr);
  EXPECT_EQ(pdata.len, 0);
  EXPECT_EQ(rpma_conn_req_get_private_data(req, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_req_delete(&req), 0);
}

TEST_F(RpmaConnReq, TheQpIsAsTheDefaultsSay) {
  rpma_conn_req* req = Outgoing();

  const ibv_qp_init_attr_ex& attr = provider.qp_attr;
  EXPECT_EQ(attr.cap.max_send_wr, 10u);
  EXPECT_EQ(attr.cap.max_recv_wr, 10u);
  EXPECT_EQ(attr.cap.max_send_sge, 1u);
  EXPECT_EQ(attr.cap.max_recv_sge, 1u);
  EXPECT_EQ(attr.cap.max_inline_data, 8u);
  EXPECT_EQ(attr.qp_type, IBV_QPT_RC);
  EXPECT_EQ(attr.sq_sig_all, 0);
  EXPECT_EQ(attr.comp_mask, unsigned{IBV_QP_INIT_ATTR_PD});
  EXPECT_EQ(attr.send_cq, attr.recv_cq);
  EXPECT_THAT(provider.cqe, ElementsAre(10));
  EXPECT_THAT(provider.timeouts, ElementsAre(1000, 1000));
  EXPECT_EQ(rpma_conn_req_delete(&req), 0);
}

TEST_F(RpmaConnReq, TheConfigurationIsUsedAndCqSizesAreClipped) {
  rpma_conn_cfg* cfg = nullptr;
  ASSERT_EQ(rpma_conn_cfg_new(&cfg), 0);
  rpma_conn_cfg_set_timeout(cfg, 5);
  rpma_conn_cfg_set_cq_size(cfg, UINT32_MAX);
  rpma_conn_cfg_set_rcq_size(cfg, 30);
  rpma_conn_cfg_set_sq_size(cfg, 40);
  rpma_conn_cfg_set_rq_size(cfg, UINT32_MAX);
  rpma_conn_req* req = Outgoing(cfg);
  EXPECT_EQ(rpma_conn_cfg_delete(&cfg), 0);

  EXPECT_THAT(provider.cqe, ElementsAre(INT_MAX, 30));
  EXPECT_THAT(provider.timeouts, ElementsAre(5, 5));
  EXPECT_EQ(provider.qp_attr.cap.max_send_wr, 40u);
  EXPECT_EQ(provider.qp_attr.cap.max_recv_wr, UINT32_MAX);
  EXPECT_NE(provider.qp_attr.send_cq, provider.qp_attr.recv_cq);
  EXPECT_EQ(rpma_conn_req_delete(&req), 0);
}

TEST_F(RpmaConnReq, TheOtherFamilyIsTriedWhenTheFirstHasNoRoute) {
  rpma_conn_req* req = nullptr;
  provider.FailVerb("rdma_resolve_addr", EHOSTUNREACH);

  EXPECT_EQ(rpma_conn_req_new(peer, "both", "7204", nullptr, &req), 0);
  EXPECT_EQ(rpma_conn_req_delete(&req), 0);
}

TEST_F(RpmaConnReq, WithoutAnotherFamilyTheFirstErrnoStays) {
  auto* req = Untouched<rpma_conn_req>();
  provider.FailVerb("rdma_resolve_addr", EHOSTUNREACH);

  EXPECT_EQ(rpma_conn_req_new(peer, "192.0.2.1", "7204", nullptr, &req), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, EHOSTUNREACH);
}

TEST_F(RpmaConnReq, ADeletedIncomingRequestIsRejectedAndItsIdGoes) {
  rpma_conn_req* req = Incoming();

  EXPECT_EQ(rpma_conn_req_delete(&req), 0);

  EXPECT_EQ(req, nullptr);
  EXPECT_EQ(provider.CountCalls("rdma_reject"), 1);
  EXPECT_EQ(rpma_conn_req_delete(&req), 0);
}

TEST_F(RpmaConnReq, ADeletedOutgoingRequestIsNotRejected) {
  rpma_conn_req* req = Outgoing();
  EXPECT_EQ(rpma_conn_req_delete(&req), 0);
  EXPECT_EQ(provider.CountCalls("rdma_reject"), 0);
}

TEST_F(RpmaConnReq, AFailedPartOfADeletionIsReportedAndTheRestGoes) {
  for (const char* verb :
       {"ibv_destroy_cq", "ibv_destroy_comp_channel", "rdma_reject", "rdma_destroy_id"}) {
    rpma_conn_req* req = Incoming();
    provider.FailVerb(verb, EIO);

    EXPECT_EQ(rpma_conn_req_delete(&req), RPMA_E_PROVIDER) << verb;

    EXPECT_EQ(errno, EIO) << verb;
    EXPECT_EQ(req, nullptr) << verb;
  }
}

TEST_F(RpmaConnReq, ConnectSendsThePrivateDataAndTheParameters) {
  rpma_conn_req* req = Outgoing();
  rpma_conn* conn = nullptr;
  char bytes[] = {'a', 'b', 'c'};
  const rpma_conn_private_data pdata{bytes, sizeof(bytes)};

  ASSERT_EQ(rpma_conn_req_connect(&req, &pdata, &conn), 0);

  EXPECT_EQ(req, nullptr);
  EXPECT_EQ(provider.sent_private_data, "abc");
  EXPECT_EQ(provider.conn_param.responder_resources, RDMA_MAX_RESP_RES);
  EXPECT_EQ(provider.conn_param.initiator_depth, RDMA_MAX_INIT_DEPTH);
  EXPECT_EQ(provider.conn_param.flow_control, 1);
  EXPECT_EQ(provider.conn_param.retry_count, 7);
  EXPECT_EQ(provider.conn_param.rnr_retry_count, 7);
  EXPECT_EQ(rpma_conn_delete(&conn), 0);
}

TEST_F(RpmaConnReq, ConnectWithoutARequestIsRefused) {
  rpma_conn_req* none = nullptr;
  auto* conn = Untouched<rpma_conn>();
  EXPECT_EQ(rpma_conn_req_connect(nullptr, nullptr, &conn), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_req_connect(&none, nullptr, &conn), RPMA_E_INVAL);
  EXPECT_EQ(conn, Untouched<rpma_conn>());
}

TEST_F(RpmaConnReq, ConnectConsumesTheRequestAlsoWhenArgumentsAreBad) {
  char byte = 0;
  const rpma_conn_private_data no_len{&byte, 0};
  const rpma_conn_private_data no_ptr{nullptr, 1};
  for (const auto* pdata : {&no_len, &no_ptr}) {
    auto* conn = Untouched<rpma_conn>();
    rpma_conn_req* req = Incoming();
    EXPECT_EQ(rpma_conn_req_connect(&req, pdata, &conn), RPMA_E_INVAL);
    EXPECT_EQ(req, nullptr);
    EXPECT_EQ(conn, Untouched<rpma_conn>());
  }
  rpma_conn_req* req = Outgoing();
  EXPECT_EQ(rpma_conn_req_connect(&req, nullptr, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(req, nullptr);
}

TEST_F(RpmaConnReq, ARequestThatCannotBeAcceptedIsRejected) {
  rpma_conn_req* req = Incoming();
  auto* conn = Untouched<rpma_conn>();
  provider.FailVerb("rdma_accept", EINVAL);

  EXPECT_EQ(rpma_conn_req_connect(&req, nullptr, &conn), RPMA_E_PROVIDER);

  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(req, nullptr);
  EXPECT_EQ(conn, Untouched<rpma_conn>());
  EXPECT_EQ(provider.CountCalls("rdma_reject"), 1);
}

TEST_F(RpmaConnReq, AnAcceptedRequestIsNotRejectedWhenItsConnectionGoes) {
  rpma_conn_req* req = Incoming();
  rpma_conn* conn = nullptr;
  ASSERT_EQ(rpma_conn_req_connect(&req, nullptr, &conn), 0);

  EXPECT_EQ(rpma_conn_delete(&conn), 0);
  EXPECT_EQ(provider.CountCalls("rdma_reject"), 0);
}

}  // namespace
}  // namespace rpma::test
