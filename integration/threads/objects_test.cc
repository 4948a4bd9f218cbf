// Peers, regions, endpoints, texts: what is read by many threads, and made by each for itself.
#include <cstring>

#include "concurrently.h"
#include "connected.h"

namespace {

using Objects = PeerTest;

TEST_F(Objects, PeersAreMadeAndDeletedByManyThreads) {
  Concurrently([&](int, int) {
    rpma_peer* own = nullptr;
    int odp = -1;
    EXPECT_EQ(rpma_peer_new(context, &own), 0);
    EXPECT_EQ(rpma_peer_delete(&own), 0);
    EXPECT_EQ(rpma_utils_ibv_context_is_odp_capable(context, &odp), 0);
    EXPECT_GE(odp, 0);
  });
}

TEST_F(Objects, ALocalRegionIsReadByManyThreads) {
  Concurrently([&](int, int) {
    void* ptr = nullptr;
    size_t size = 0, descriptor_size = 0;
    char described[sizeof(descriptor)];
    EXPECT_EQ(rpma_mr_get_ptr(mr, &ptr), 0);
    EXPECT_EQ(ptr, memory);
    EXPECT_EQ(rpma_mr_get_size(mr, &size), 0);
    EXPECT_EQ(size, kRegionSize);
    EXPECT_EQ(rpma_mr_get_descriptor_size(mr, &descriptor_size), 0);
    ASSERT_EQ(descriptor_size, sizeof(described));
    EXPECT_EQ(rpma_mr_get_descriptor(mr, described), 0);
    EXPECT_EQ(memcmp(described, descriptor, sizeof(described)), 0);
    const int advised = rpma_mr_advise(mr, 0, 64, IBV_ADVISE_MR_ADVICE_PREFETCH, /*flags=*/0);
    EXPECT_TRUE(advised == 0 || advised == RPMA_E_NOSUPP) << advised;
  });
}

TEST_F(Objects, ARemoteRegionIsReadByManyThreadsAndMadeByEach) {
  Concurrently([&](int, int) {
    rpma_mr_remote* own = nullptr;
    EXPECT_EQ(rpma_mr_remote_from_descriptor(descriptor, sizeof(descriptor), &own), 0);
    for (const rpma_mr_remote* region : {own, remote}) {
      size_t size = 0;
      int flush_type = 0;
      EXPECT_EQ(rpma_mr_remote_get_size(region, &size), 0);
      EXPECT_EQ(size, kRegionSize);
      EXPECT_EQ(rpma_mr_remote_get_flush_type(region, &flush_type), 0);
      EXPECT_EQ(flush_type,
                RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY | RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT);
    }
    EXPECT_EQ(rpma_mr_remote_delete(&own), 0);
  });
}

TEST_F(Objects, TextsAndTheDescriptorOfAnEndpointAreReadByManyThreads) {
  Concurrently([&](int, int) {
    int fd = -1;
    EXPECT_EQ(rpma_ep_get_fd(ep, &fd), 0);
    EXPECT_GE(fd, 0);
    EXPECT_STREQ(rpma_err_2str(RPMA_E_INVAL), "Invalid argument");
    EXPECT_STREQ(rpma_utils_conn_event_2str(RPMA_CONN_LOST), "Connection lost");
  });
}

}  // namespace
