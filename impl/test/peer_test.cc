#include "connection.h"

namespace rpma::test {
namespace {

using RpmaPeer = ProviderTest;

TEST_F(RpmaPeer, NullIsRefused) {
  auto* other = Untouched<rpma_peer>();
  EXPECT_EQ(rpma_peer_new(nullptr, &other), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_new(context(), nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_delete(nullptr), RPMA_E_INVAL);
  EXPECT_EQ(other, Untouched<rpma_peer>());
}

TEST_F(RpmaPeer, TheErrnoOfTheProtectionDomainDecidesTheCode) {
  struct {
    int error;
    int code;
  } const cases[] = {{ENOMEM, RPMA_E_NOMEM}, {EPERM, RPMA_E_PROVIDER}, {0, RPMA_E_UNKNOWN}};
  for (const auto& c : cases) {
    auto* other = Untouched<rpma_peer>();
    provider.FailVerb("ibv_alloc_pd", c.error);
    EXPECT_EQ(rpma_peer_new(context(), &other), c.code);
    EXPECT_EQ(other, Untouched<rpma_peer>());
  }
}

TEST_F(RpmaPeer, AFailedQueryIsAProviderError) {
  auto* other = Untouched<rpma_peer>();
  provider.FailVerb("ibv_query_device_ex", EIO);

  EXPECT_EQ(rpma_peer_new(context(), &other), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, EIO);
}

TEST_F(RpmaPeer, AFailedDeletionCanBeRepeated) {
  provider.FailVerb("ibv_dealloc_pd", EBUSY);
  rpma_peer* const before = peer;

  EXPECT_EQ(rpma_peer_delete(&peer), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, EBUSY);
  EXPECT_EQ(peer, before);

  EXPECT_EQ(rpma_peer_delete(&peer), 0);
  EXPECT_EQ(peer, nullptr);
  EXPECT_EQ(rpma_peer_delete(&peer), 0);
}

TEST_F(RpmaPeer, AListeningEndpointKeepsTheProtectionDomain) {
  rpma_ep* ep = Listen();

  EXPECT_EQ(rpma_peer_delete(&peer), 0);
  EXPECT_EQ(provider.CountCalls("ibv_dealloc_pd"), 0);

  rpma_conn_req* req = nullptr;
  provider.PushRequest();
  EXPECT_EQ(rpma_ep_next_conn_req(ep, nullptr, &req), 0);
  EXPECT_EQ(rpma_conn_req_delete(&req), 0);
  EXPECT_EQ(rpma_ep_shutdown(&ep), 0);
  EXPECT_EQ(provider.CountCalls("ibv_dealloc_pd"), 1);
}

}  // namespace
}  // namespace rpma::test
