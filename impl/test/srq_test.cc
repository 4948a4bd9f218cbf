#include "connection.h"
#include "work_request.h"

namespace rpma::test {
namespace {

using testing::Return;

class RpmaSrq : public ProviderTest {
 protected:
  RpmaSrq() { Renew(/*rq_size=*/7, /*rcq_size=*/9); }
  ~RpmaSrq() override {
    EXPECT_EQ(rpma_srq_delete(&srq), 0);
    EXPECT_EQ(rpma_conn_cfg_delete(&cfg), 0);
  }

  // The queue, and a configuration that names it.
  void Renew(uint32_t rq_size, uint32_t rcq_size) {
    EXPECT_EQ(rpma_srq_delete(&srq), 0);
    EXPECT_EQ(rpma_conn_cfg_delete(&cfg), 0);
    provider.cqe.clear();
    rpma_srq_cfg* srq_cfg = nullptr;
    EXPECT_EQ(rpma_srq_cfg_new(&srq_cfg), 0);
    rpma_srq_cfg_set_rq_size(srq_cfg, rq_size);
    rpma_srq_cfg_set_rcq_size(srq_cfg, rcq_size);
    EXPECT_EQ(rpma_srq_new(peer, srq_cfg, &srq), 0);
    EXPECT_EQ(rpma_srq_cfg_delete(&srq_cfg), 0);
    EXPECT_EQ(rpma_conn_cfg_new(&cfg), 0);
    EXPECT_EQ(rpma_conn_cfg_set_srq(cfg, srq), 0);
  }

  rpma_cq* RcqOf(const rpma_conn* conn) {
    auto* rcq = Untouched<rpma_cq>();
    EXPECT_EQ(rpma_conn_get_rcq(conn, &rcq), 0);
    return rcq;
  }

  rpma_srq* srq = nullptr;
  rpma_conn_cfg* cfg = nullptr;
};

TEST_F(RpmaSrq, IsAsTheConfigurationSays) {
  rpma_cq* rcq = nullptr;
  EXPECT_EQ(rpma_srq_get_rcq(srq, &rcq), 0);
  EXPECT_NE(rcq, nullptr);
  EXPECT_EQ(provider.srq_attr.attr.max_wr, 7u);
  EXPECT_EQ(provider.srq_attr.attr.max_sge, 1u);
  EXPECT_EQ(provider.srq_attr.attr.srq_limit, 0u);
  EXPECT_THAT(provider.cqe, testing::ElementsAre(9));
  EXPECT_EQ(provider.CountCalls("ibv_req_notify_cq"), 1);
}

TEST_F(RpmaSrq, WithoutAConfigurationItHasTheDefaults) {
  EXPECT_EQ(rpma_srq_delete(&srq), 0);
  EXPECT_EQ(rpma_srq_new(peer, nullptr, &srq), 0);
  EXPECT_EQ(provider.srq_attr.attr.max_wr, 100u);
  EXPECT_EQ(provider.cqe.back(), 100);
}

TEST_F(RpmaSrq, WithoutACqSizeItHasNoCq) {
  Renew(/*rq_size=*/7, /*rcq_size=*/0);
  auto* rcq = Untouched<rpma_cq>();
  EXPECT_EQ(rpma_srq_get_rcq(srq, &rcq), 0);
  EXPECT_EQ(rcq, nullptr);
  EXPECT_TRUE(provider.cqe.empty());
}

TEST_F(RpmaSrq, TakesTheReceivesOfAConnection) {
  rpma_conn_cfg_set_rcq_size(cfg, 5);
  rpma_conn* conn = Connect(cfg);

  EXPECT_EQ(provider.qp_attr.srq, provider.last_srq);
  EXPECT_NE(provider.qp_attr.recv_cq, provider.qp_attr.send_cq);
  EXPECT_THAT(provider.cqe, testing::ElementsAre(9, 10)) << "no receive CQ beside the queue's";
  EXPECT_EQ(RcqOf(conn), nullptr);
  EXPECT_EQ(rpma_conn_delete(&conn), 0);
}

TEST_F(RpmaSrq, WithoutACqLeavesTheConnectionItsOwn) {
  Renew(/*rq_size=*/7, /*rcq_size=*/0);
  rpma_conn_cfg_set_rcq_size(cfg, 5);
  rpma_conn_cfg_set_compl_channel(cfg, true);
  rpma_conn* conn = Connect(cfg);

  EXPECT_EQ(provider.qp_attr.srq, provider.last_srq);
  EXPECT_NE(RcqOf(conn), nullptr);
  EXPECT_EQ(rpma_conn_delete(&conn), 0);
}

TEST_F(RpmaSrq, CanBeTakenOutOfAConfigurationAgain) {
  auto* got = Untouched<rpma_srq>();
  EXPECT_EQ(rpma_conn_cfg_get_srq(cfg, &got), 0);
  EXPECT_EQ(got, srq);
  EXPECT_EQ(rpma_conn_cfg_set_srq(cfg, nullptr), 0);
  EXPECT_EQ(rpma_conn_cfg_get_srq(cfg, &got), 0);
  EXPECT_EQ(got, nullptr);

  rpma_conn* conn = Connect(cfg);
  EXPECT_EQ(provider.qp_attr.srq, nullptr);
  EXPECT_EQ(rpma_conn_delete(&conn), 0);
}

TEST_F(RpmaSrq, AConfigurationWhoseQueueIsDeletedIsRefused) {
  EXPECT_EQ(rpma_srq_delete(&srq), 0);
  rpma_conn_req* req = nullptr;
  auto* got = Untouched<rpma_srq>();

  EXPECT_EQ(rpma_conn_req_new(peer, "192.0.2.1", "7204", cfg, &req), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_get_srq(cfg, &got), RPMA_E_INVAL);
  EXPECT_EQ(got, Untouched<rpma_srq>());
}

TEST_F(RpmaSrq, DeletedWhileAConnectionUsesItItGoesWithTheConnection) {
  rpma_conn* conn = Connect(cfg);
  EXPECT_EQ(rpma_srq_delete(&srq), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, EBUSY);
  EXPECT_EQ(srq, nullptr);
  EXPECT_TRUE(provider.IsLive(provider.last_srq));
  rpma_conn_req* req = nullptr;
  EXPECT_EQ(rpma_conn_req_new(peer, "192.0.2.1", "7204", cfg, &req), RPMA_E_INVAL);

  EXPECT_EQ(rpma_conn_delete(&conn), 0);

  EXPECT_EQ(provider.Leftovers(), "pd ");
}

TEST_F(RpmaSrq, ASharedChannelBesideItsCqIsRefusedBeforeAnybodyIsAsked) {
  rpma_conn_cfg_set_compl_channel(cfg, true);
  rpma_ep* ep = Listen();
  rpma_conn_req* req = nullptr;
  const int before = provider.CountCalls("rdma_getaddrinfo");

  EXPECT_EQ(rpma_conn_req_new(peer, "192.0.2.1", "7204", cfg, &req), RPMA_E_INVAL);
  EXPECT_EQ(provider.CountCalls("rdma_getaddrinfo"), before);

  provider.PushRequest();
  EXPECT_EQ(rpma_ep_next_conn_req(ep, cfg, &req), RPMA_E_INVAL);
  EXPECT_EQ(rpma_ep_next_conn_req(ep, nullptr, &req), 0) << "the request is still there";
  EXPECT_EQ(rpma_conn_req_delete(&req), 0);
  EXPECT_EQ(rpma_ep_shutdown(&ep), 0);
}

TEST_F(RpmaSrq, PostsOneReceive) {
  char memory[64];
  rpma_mr_local* mr = nullptr;
  ASSERT_EQ(rpma_mr_reg(peer, memory, sizeof(memory), RPMA_MR_USAGE_RECV, &mr), 0);
  const Message expected{.wr_id = 0x1234567890, .sge = {{AddressOf(memory) + 8, 32, 0x1111}}};
  EXPECT_CALL(provider.data_path, PostSrqRecv(provider.last_srq, IsReceive(expected)));
  EXPECT_CALL(provider.data_path, PostSrqRecv(provider.last_srq, IsReceive({})))
      .WillOnce(Return(0))
      .WillOnce(Return(ENOMEM));

  EXPECT_EQ(rpma_srq_recv(srq, mr, 8, 32, kContext), 0);
  EXPECT_EQ(rpma_srq_recv(srq, nullptr, 0, 0, nullptr), 0);
  EXPECT_EQ(rpma_srq_recv(srq, nullptr, 0, 0, nullptr), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(rpma_srq_recv(srq, mr, 0, kTooLong, kContext), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_dereg(&mr), 0);
}

TEST_F(RpmaSrq, NullIsRefused) {
  auto* other = Untouched<rpma_srq>();
  rpma_cq* rcq;
  EXPECT_EQ(rpma_srq_new(nullptr, nullptr, &other), RPMA_E_INVAL);
  EXPECT_EQ(rpma_srq_new(peer, nullptr, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_srq_delete(nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_srq_get_rcq(nullptr, &rcq), RPMA_E_INVAL);
  EXPECT_EQ(rpma_srq_get_rcq(srq, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_srq_recv(nullptr, nullptr, 0, 0, kContext), RPMA_E_INVAL);
  EXPECT_EQ(rpma_srq_recv(srq, nullptr, 1, 0, kContext), RPMA_E_INVAL);
  EXPECT_EQ(rpma_srq_recv(srq, nullptr, 0, 1, kContext), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_set_srq(nullptr, srq), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_get_srq(nullptr, &other), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_cfg_get_srq(cfg, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(other, Untouched<rpma_srq>());
}

TEST_F(RpmaSrq, AFailedPartOfADeletionIsReportedAndTheRestGoes) {
  for (const char* verb : {"ibv_destroy_cq", "ibv_destroy_comp_channel", "ibv_destroy_srq"}) {
    Renew(/*rq_size=*/7, /*rcq_size=*/9);
    provider.FailVerb(verb, EBUSY);

    EXPECT_EQ(rpma_srq_delete(&srq), RPMA_E_PROVIDER) << verb;
    EXPECT_EQ(errno, EBUSY) << verb;
    EXPECT_EQ(srq, nullptr) << verb;
  }
}

}  // namespace
}  // namespace rpma::test
