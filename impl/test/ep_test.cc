#include <algorithm>

#include "connection.h"

namespace rpma::test {
namespace {

class RpmaEp : public ProviderTest {
 protected:
  RpmaEp() { ep = Listen(); }
  ~RpmaEp() override { EXPECT_EQ(rpma_ep_shutdown(&ep), 0); }

  rpma_ep* ep = nullptr;
};

TEST_F(RpmaEp, NullIsRefused) {
  auto* other = Untouched<rpma_ep>();
  rpma_conn_req* req;
  int fd;
  EXPECT_EQ(rpma_ep_listen(nullptr, "a", "1", &other), RPMA_E_INVAL);
  EXPECT_EQ(rpma_ep_listen(peer, nullptr, "1", &other), RPMA_E_INVAL);
  EXPECT_EQ(rpma_ep_listen(peer, "a", nullptr, &other), RPMA_E_INVAL);
  EXPECT_EQ(rpma_ep_listen(peer, "a", "1", nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_ep_shutdown(nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_ep_get_fd(nullptr, &fd), RPMA_E_INVAL);
  EXPECT_EQ(rpma_ep_get_fd(ep, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_ep_next_conn_req(nullptr, nullptr, &req), RPMA_E_INVAL);
  EXPECT_EQ(rpma_ep_next_conn_req(ep, nullptr, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(other, Untouched<rpma_ep>());
}

TEST_F(RpmaEp, TheDescriptorIsTheEventChannels) {
  int fd = 0;
  EXPECT_EQ(rpma_ep_get_fd(ep, &fd), 0);
  EXPECT_EQ(fd, provider.listener->channel->fd);
}

TEST_F(RpmaEp, AFailedShutdownCanBeRepeated) {
  provider.FailVerb("rdma_destroy_id", EINVAL);
  rpma_ep* const before = ep;

  EXPECT_EQ(rpma_ep_shutdown(&ep), RPMA_E_PROVIDER);
  EXPECT_EQ(ep, before);

  EXPECT_EQ(rpma_ep_shutdown(&ep), 0);
  EXPECT_EQ(ep, nullptr);
  EXPECT_EQ(rpma_ep_shutdown(&ep), 0);
}

TEST_F(RpmaEp, TriesTheOtherAddressFamily) {
  rpma_ep* other = nullptr;
  provider.FailVerb("rdma_bind_addr", EADDRNOTAVAIL);

  EXPECT_EQ(rpma_ep_listen(peer, "both", "7204", &other), 0);
  EXPECT_EQ(rpma_ep_shutdown(&other), 0);
}

TEST_F(RpmaEp, AnEmptyNonBlockingEndpointHasNoEvent) {
  auto* req = Untouched<rpma_conn_req>();
  for (const int error : {EAGAIN, ENODATA}) {
    provider.FailVerb("rdma_get_cm_event", error);
    EXPECT_EQ(rpma_ep_next_conn_req(ep, nullptr, &req), RPMA_E_NO_EVENT);
  }
  provider.FailVerb("rdma_get_cm_event", EINTR);
  EXPECT_EQ(rpma_ep_next_conn_req(ep, nullptr, &req), RPMA_E_PROVIDER);
  EXPECT_EQ(req, Untouched<rpma_conn_req>());
}

TEST_F(RpmaEp, AnEventThatIsNoRequestIsAcknowledgedAndRefused) {
  auto* req = Untouched<rpma_conn_req>();
  provider.Push(provider.listener->channel, RDMA_CM_EVENT_DEVICE_REMOVAL, provider.listener);

  EXPECT_EQ(rpma_ep_next_conn_req(ep, nullptr, &req), RPMA_E_INVAL);
  EXPECT_EQ(req, Untouched<rpma_conn_req>());
}

TEST_F(RpmaEp, ARequestCarriesTheClientsPrivateData) {
  rpma_conn_req* req = nullptr;
  rpma_conn* conn = nullptr;
  rpma_conn_private_data of_req{};
  rpma_conn_private_data of_conn{};
  provider.PushRequest(std::string("\0\1\2", 3));
  ASSERT_EQ(rpma_ep_next_conn_req(ep, nullptr, &req), 0);

  EXPECT_EQ(rpma_conn_req_get_private_data(req, &of_req), 0);
  EXPECT_EQ(std::string(static_cast<char*>(of_req.ptr), of_req.len), std::string("\0\1\2", 3));
  ASSERT_EQ(rpma_conn_req_connect(&req, nullptr, &conn), 0);

  EXPECT_EQ(rpma_conn_get_private_data(conn, &of_conn), 0);
  EXPECT_EQ(of_conn.ptr, of_req.ptr) << "it stays where it was";
  EXPECT_EQ(rpma_conn_delete(&conn), 0);
}

TEST_F(RpmaEp, ARequestLeavesTheEndpointsChannelBeforeItIsAccepted) {
  rpma_conn_req* req = nullptr;
  rpma_conn* conn = nullptr;
  provider.PushRequest();
  ASSERT_EQ(rpma_ep_next_conn_req(ep, nullptr, &req), 0);
  EXPECT_NE(provider.last_id->channel, provider.listener->channel);

  ASSERT_EQ(rpma_conn_req_connect(&req, nullptr, &conn), 0);

  const auto& calls = provider.calls();
  EXPECT_LT(std::find(calls.begin(), calls.end(), "rdma_migrate_id"),
            std::find(calls.begin(), calls.end(), "rdma_accept"));
  int fd = 0;
  EXPECT_EQ(rpma_conn_get_event_fd(conn, &fd), 0);
  EXPECT_EQ(fd, provider.last_id->channel->fd);
  EXPECT_EQ(rpma_conn_delete(&conn), 0);
}

TEST_F(RpmaEp, ARequestOutlivesTheEndpoint) {
  rpma_conn_req* req = nullptr;
  rpma_conn* conn = nullptr;
  provider.PushRequest();
  ASSERT_EQ(rpma_ep_next_conn_req(ep, nullptr, &req), 0);

  ASSERT_EQ(rpma_ep_shutdown(&ep), 0);

  EXPECT_EQ(rpma_conn_req_connect(&req, nullptr, &conn), 0);
  EXPECT_EQ(rpma_conn_delete(&conn), 0);
}

TEST_F(RpmaEp, ARequestThatCannotBeServedIsRejected) {
  auto* req = Untouched<rpma_conn_req>();
  provider.PushRequest();
  provider.FailVerb("rdma_create_qp_ex", ENOMEM);

  EXPECT_EQ(rpma_ep_next_conn_req(ep, nullptr, &req), RPMA_E_PROVIDER);

  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(provider.CountCalls("rdma_reject"), 1);
  EXPECT_EQ(req, Untouched<rpma_conn_req>());
}

}  // namespace
}  // namespace rpma::test
