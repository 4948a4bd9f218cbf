#include "connection.h"

namespace rpma::test {
namespace {

class RpmaConn : public ProviderTest {
 protected:
  RpmaConn() { Reconnect(/*rcq_size=*/0, /*shared=*/false); }
  ~RpmaConn() override { EXPECT_EQ(rpma_conn_delete(&conn), 0); }

  void Reconnect(uint32_t rcq_size, bool shared) {
    EXPECT_EQ(rpma_conn_delete(&conn), 0);
    rpma_conn_cfg* cfg = nullptr;
    EXPECT_EQ(rpma_conn_cfg_new(&cfg), 0);
    rpma_conn_cfg_set_rcq_size(cfg, rcq_size);
    rpma_conn_cfg_set_compl_channel(cfg, shared);
    conn = Connect(cfg);
    EXPECT_EQ(rpma_conn_cfg_delete(&cfg), 0);
  }

  void Push(rdma_cm_event_type type, std::string_view data = "") {
    provider.Push(provider.last_id->channel, type, provider.last_id, data);
  }

  std::string PrivateData() {
    rpma_conn_private_data pdata{};
    EXPECT_EQ(rpma_conn_get_private_data(conn, &pdata), 0);
    return {static_cast<char*>(pdata.ptr), pdata.len};
  }

  rpma_conn* conn = nullptr;
};

TEST_F(RpmaConn, EachCmEventMeansOneConnectionEvent) {
  struct {
    rdma_cm_event_type type;
    rpma_conn_event event;
  } const cases[] = {
      {RDMA_CM_EVENT_ESTABLISHED, RPMA_CONN_ESTABLISHED},
      {RDMA_CM_EVENT_CONNECT_ERROR, RPMA_CONN_LOST},
      {RDMA_CM_EVENT_DEVICE_REMOVAL, RPMA_CONN_LOST},
      {RDMA_CM_EVENT_UNREACHABLE, RPMA_CONN_UNREACHABLE},
      {RDMA_CM_EVENT_REJECTED, RPMA_CONN_REJECTED},
      {RDMA_CM_EVENT_DISCONNECTED, RPMA_CONN_CLOSED},
      {RDMA_CM_EVENT_TIMEWAIT_EXIT, RPMA_CONN_CLOSED},
  };
  for (const auto& c : cases) {
    Reconnect(/*rcq_size=*/0, /*shared=*/false);
    rpma_conn_event event = RPMA_CONN_UNDEFINED;
    Push(c.type);
    EXPECT_EQ(rpma_conn_next_event(conn, &event), 0) << c.type;
    EXPECT_EQ(event, c.event) << c.type;
  }
}

TEST_F(RpmaConn, AnEventOfNoMeaningIsUnknownAndAcknowledged) {
  rpma_conn_event event = RPMA_CONN_UNDEFINED;
  for (const auto type : {RDMA_CM_EVENT_ADDR_RESOLVED, RDMA_CM_EVENT_CONNECT_REQUEST,
                          RDMA_CM_EVENT_CONNECT_RESPONSE, RDMA_CM_EVENT_ADDR_CHANGE}) {
    Push(type);
    EXPECT_EQ(rpma_conn_next_event(conn, &event), RPMA_E_UNKNOWN) << type;
  }
  EXPECT_EQ(event, RPMA_CONN_UNDEFINED);
}

TEST_F(RpmaConn, TheEndOfTheTimeWaitIsNoSecondClosed) {
  rpma_conn_event event = RPMA_CONN_UNDEFINED;
  Push(RDMA_CM_EVENT_DISCONNECTED);
  Push(RDMA_CM_EVENT_TIMEWAIT_EXIT);
  ASSERT_EQ(rpma_conn_next_event(conn, &event), 0);
  event = RPMA_CONN_UNDEFINED;

  EXPECT_EQ(rpma_conn_next_event(conn, &event), RPMA_E_NO_EVENT);
  EXPECT_EQ(event, RPMA_CONN_UNDEFINED);
}

TEST_F(RpmaConn, ANonBlockingChannelWithoutEventsHasNoEvent) {
  rpma_conn_event event = RPMA_CONN_UNDEFINED;
  EXPECT_EQ(rpma_conn_next_event(conn, &event), RPMA_E_NO_EVENT);
  provider.FailVerb("rdma_get_cm_event", ENODATA);
  EXPECT_EQ(rpma_conn_next_event(conn, &event), RPMA_E_NO_EVENT);
  provider.FailVerb("rdma_get_cm_event", EINTR);
  EXPECT_EQ(rpma_conn_next_event(conn, &event), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, EINTR);
  EXPECT_EQ(event, RPMA_CONN_UNDEFINED);
}

TEST_F(RpmaConn, TheServersPrivateDataComesWithEstablished) {
  rpma_conn_event event;
  EXPECT_EQ(PrivateData(), "");
  Push(RDMA_CM_EVENT_ESTABLISHED, "answer");

  EXPECT_EQ(rpma_conn_next_event(conn, &event), 0);
  EXPECT_EQ(PrivateData(), "answer");
}

TEST_F(RpmaConn, AFailedAcknowledgementKeepsThePrivateData) {
  rpma_conn_event event = RPMA_CONN_UNDEFINED;
  Push(RDMA_CM_EVENT_ESTABLISHED, std::string(255, 'x'));
  ASSERT_EQ(rpma_conn_next_event(conn, &event), 0);
  rpma_conn_private_data before{};
  ASSERT_EQ(rpma_conn_get_private_data(conn, &before), 0);
  Push(RDMA_CM_EVENT_DISCONNECTED);
  provider.FailVerb("rdma_ack_cm_event", EINVAL);

  EXPECT_EQ(rpma_conn_next_event(conn, &event), RPMA_E_PROVIDER);

  EXPECT_EQ(event, RPMA_CONN_ESTABLISHED) << "the out-parameter is left alone";
  EXPECT_EQ(PrivateData(), std::string(255, 'x'));
  rpma_conn_private_data after{};
  ASSERT_EQ(rpma_conn_get_private_data(conn, &after), 0);
  EXPECT_EQ(after.ptr, before.ptr);
}

TEST_F(RpmaConn, GettersGiveTheQpAndItsCqs) {
  uint32_t qp_num = 0;
  rpma_cq* cq = nullptr;
  auto* rcq = Untouched<rpma_cq>();
  EXPECT_EQ(rpma_conn_get_qp_num(conn, &qp_num), 0);
  EXPECT_EQ(rpma_conn_get_cq(conn, &cq), 0);
  EXPECT_EQ(rpma_conn_get_rcq(conn, &rcq), 0);
  EXPECT_EQ(qp_num, 0x77u);
  EXPECT_NE(cq, nullptr);
  EXPECT_EQ(rcq, nullptr);

  Reconnect(/*rcq_size=*/5, /*shared=*/false);
  EXPECT_EQ(rpma_conn_get_rcq(conn, &rcq), 0);
  EXPECT_NE(rcq, nullptr);
}

TEST_F(RpmaConn, NullIsRefused) {
  int fd;
  rpma_conn_event event;
  rpma_conn_private_data pdata;
  uint32_t qp_num;
  rpma_cq* cq;
  EXPECT_EQ(rpma_conn_get_event_fd(nullptr, &fd), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_get_event_fd(conn, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_next_event(nullptr, &event), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_next_event(conn, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_get_private_data(nullptr, &pdata), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_get_private_data(conn, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_disconnect(nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_apply_remote_peer_cfg(nullptr, Untouched<rpma_peer_cfg>()), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_apply_remote_peer_cfg(conn, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_delete(nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_get_cq(nullptr, &cq), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_get_cq(conn, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_get_rcq(nullptr, &cq), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_get_rcq(conn, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_get_qp_num(nullptr, &qp_num), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_get_qp_num(conn, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_get_compl_fd(nullptr, &fd), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_get_compl_fd(conn, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_wait(nullptr, 0, &cq, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_conn_wait(conn, 0, nullptr, nullptr), RPMA_E_INVAL);
}

TEST_F(RpmaConn, DisconnectReportsTheProvider) {
  EXPECT_EQ(rpma_conn_disconnect(conn), 0);
  provider.FailVerb("rdma_disconnect", EINVAL);
  EXPECT_EQ(rpma_conn_disconnect(conn), RPMA_E_PROVIDER);
}

TEST_F(RpmaConn, AFailedPartOfADeletionIsReportedAndTheRestGoes) {
  for (const char* verb :
       {"ibv_dereg_mr", "ibv_destroy_cq", "ibv_destroy_comp_channel", "rdma_destroy_id"}) {
    for (const bool shared : {false, true}) {
      Reconnect(/*rcq_size=*/5, shared);
      provider.FailVerb(verb, EIO);

      EXPECT_EQ(rpma_conn_delete(&conn), RPMA_E_PROVIDER) << verb;

      EXPECT_EQ(errno, EIO) << verb;
      EXPECT_EQ(conn, nullptr) << verb;
    }
  }
}

TEST_F(RpmaConn, WithoutASharedChannelThereIsNothingToWaitFor) {
  int fd;
  rpma_cq* cq = nullptr;
  EXPECT_EQ(rpma_conn_get_compl_fd(conn, &fd), RPMA_E_NOT_SHARED_CHNL);
  EXPECT_EQ(rpma_conn_wait(conn, 0, &cq, nullptr), RPMA_E_NOT_SHARED_CHNL);
}

TEST_F(RpmaConn, WaitNamesTheCqOfTheEvent) {
  Reconnect(/*rcq_size=*/5, /*shared=*/true);
  rpma_cq *cq = nullptr, *rcq = nullptr, *got = nullptr;
  rpma_conn_get_cq(conn, &cq);
  rpma_conn_get_rcq(conn, &rcq);
  bool is_rcq = true;

  provider.cq_events = {provider.qp_attr.send_cq, provider.qp_attr.recv_cq};
  EXPECT_EQ(rpma_conn_wait(conn, 0, &got, &is_rcq), 0);
  EXPECT_EQ(got, cq);
  EXPECT_FALSE(is_rcq);
  EXPECT_EQ(rpma_conn_wait(conn, 0, &got, &is_rcq), 0);
  EXPECT_EQ(got, rcq);
  EXPECT_TRUE(is_rcq);
  EXPECT_EQ(provider.CountCalls("ibv_ack_cq_events"), 2);
}

TEST_F(RpmaConn, AFailedWaitLeavesItsOutParametersAlone) {
  Reconnect(/*rcq_size=*/5, /*shared=*/true);
  auto* got = Untouched<rpma_cq>();
  bool is_rcq = true;

  EXPECT_EQ(rpma_conn_wait(conn, 0, &got, &is_rcq), RPMA_E_NO_COMPLETION);
  provider.cq_events = {provider.qp_attr.send_cq};
  provider.FailVerb("ibv_req_notify_cq", EIO);
  EXPECT_EQ(rpma_conn_wait(conn, 0, &got, &is_rcq), RPMA_E_PROVIDER);

  EXPECT_EQ(got, Untouched<rpma_cq>());
  EXPECT_TRUE(is_rcq);
}

TEST_F(RpmaConn, AnEventOfAnotherCqIsUnknownButAcknowledged) {
  Reconnect(/*rcq_size=*/0, /*shared=*/true);
  ibv_cq other{};
  auto* got = Untouched<rpma_cq>();
  provider.cq_events = {&other};

  EXPECT_EQ(rpma_conn_wait(conn, 0, &got, nullptr), RPMA_E_UNKNOWN);

  EXPECT_EQ(provider.CountCalls("ibv_ack_cq_events"), 1);
  EXPECT_EQ(got, Untouched<rpma_cq>());
}

}  // namespace
}  // namespace rpma::test
