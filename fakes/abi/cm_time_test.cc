// Hosts that do not answer, time-outs, the end of time-wait, a device that goes away.
#include "abi/test_cm.h"

namespace fakenic {
namespace {

using CmTime = CmProgram;

struct SyncRow {
  const char* claim;
  const char* host;
  int fate;
  int resolve_errno, connect_errno;
};

TEST_F(CmTime, ASynchronousCallReturnsTheErrorOfItsEvent) {
  const SyncRow rows[] = {
      {"no device", "192.0.2.1", FAKENIC_HOST_ORDINARY, ENODEV, 0},
      {"no route to the host", "192.0.2.1", EHOSTUNREACH, EHOSTUNREACH, 0},
      {"no neighbour answers", "192.0.2.1", ETIMEDOUT, ETIMEDOUT, 0},
      {"nobody listens", "127.0.0.1", FAKENIC_HOST_ORDINARY, 0, ECONNREFUSED},
      {"nobody answers", "192.0.2.2", FAKENIC_HOST_SILENT, 0, ETIMEDOUT},
  };
  fakenic_set_clock_rate(10000);
  for (const SyncRow& row : rows) {
    fakenic_set_host(row.host, row.fate);
    rdma_cm_id* id = nullptr;
    sockaddr_in address = Loopback(7);
    inet_pton(AF_INET, row.host, &address.sin_addr);
    ASSERT_EQ(rdma_create_id(nullptr, &id, nullptr, RDMA_PS_TCP), 0);
    errno = 0;
    EXPECT_EQ(rdma_resolve_addr(id, nullptr, To(address), 1000), row.resolve_errno ? -1 : 0);
    EXPECT_EQ(errno, row.resolve_errno) << row.claim;
    if (row.resolve_errno == 0) {
      rdma_conn_param param = Param();
      EXPECT_EQ(rdma_resolve_route(id, 1000), 0);
      EXPECT_EQ(rdma_connect(id, &param), -1);
      EXPECT_EQ(errno, row.connect_errno) << row.claim;
    }
    EXPECT_EQ(rdma_destroy_id(id), 0);
    fakenic_set_host(row.host, FAKENIC_HOST_ORDINARY);
  }
}

TEST_F(CmTime, ATimerThreadEndsTheWaitForAHostThatNeverAnswers) {
  fakenic_set_host("192.0.2.2", FAKENIC_HOST_SILENT);
  rdma_event_channel* channel = rdma_create_event_channel();
  rdma_cm_id* id = Resolve(channel, 7310, "192.0.2.2");
  rdma_conn_param param = Param();
  EXPECT_EQ(rdma_connect(id, &param), 0);

  fakenic_set_clock_rate(1000);  // 65 s take 65 ms

  rdma_cm_event* event = nullptr;
  ASSERT_EQ(rdma_get_cm_event(channel, &event), 0);
  EXPECT_EQ(event->event, RDMA_CM_EVENT_UNREACHABLE);
  EXPECT_EQ(event->status, -ETIMEDOUT);
  rdma_ack_cm_event(event);
  rdma_destroy_id(id);
  rdma_destroy_event_channel(channel);
}

TEST_F(CmTime, TimewaitEndsForIdsThatStillLive) {
  ProgramPair pair(7311);
  rdma_disconnect(pair.client.id);
  EXPECT_EQ(NextEvent(pair.server_channel), RDMA_CM_EVENT_DISCONNECTED);
  rdma_disconnect(pair.server.id);
  EXPECT_EQ(NextEvent(pair.client_channel), RDMA_CM_EVENT_DISCONNECTED);

  fakenic_advance_time(512'000'000);

  EXPECT_EQ(NextEvent(pair.client_channel), RDMA_CM_EVENT_TIMEWAIT_EXIT);
  EXPECT_EQ(NextEvent(pair.server_channel), RDMA_CM_EVENT_TIMEWAIT_EXIT);
}

TEST_F(CmTime, OneJumpOfTheClockGoesThroughAllRetries) {
  fakenic_set_host("192.0.2.1", FAKENIC_HOST_SILENT);
  rdma_event_channel* channel = rdma_create_event_channel();
  rdma_cm_id* id = Resolve(channel, 7316, "192.0.2.1");
  rdma_conn_param param = Param();
  ASSERT_EQ(rdma_connect(id, &param), 0);

  fakenic_advance_time(66'000'000'000);

  EXPECT_EQ(NextEvent(channel), RDMA_CM_EVENT_UNREACHABLE);
  rdma_destroy_id(id);
  rdma_destroy_event_channel(channel);
}

TEST_F(CmTime, ARemovedDeviceIsAnEventOfEveryId) {
  ProgramPair pair(7312);

  fakenic_set_device_present(0);

  EXPECT_EQ(NextEvent(pair.client_channel), RDMA_CM_EVENT_DEVICE_REMOVAL);
  EXPECT_EQ(NextEvent(pair.server_channel), RDMA_CM_EVENT_DEVICE_REMOVAL);
}

TEST_F(CmTime, HostsAndRatesOutOfRangeAreRefused) {
  EXPECT_EQ(fakenic_set_host("no address", 0), EINVAL);
  EXPECT_EQ(fakenic_set_host(nullptr, 0), EINVAL);
  EXPECT_EQ(fakenic_set_host("::1", -2), EINVAL);
  EXPECT_EQ(fakenic_set_host("::1", 0), 0);
  EXPECT_EQ(fakenic_set_clock_rate(0), EINVAL);
  EXPECT_EQ(fakenic_set_clock_rate(1000001), EINVAL);
}

}  // namespace
}  // namespace fakenic
