// For tests of the RDMA CM as a program sees it: ids that are resolved, and a machine left as it
// was.
#pragma once

#include <arpa/inet.h>

#include "abi/test_programs.h"

namespace fakenic {

inline sockaddr* To(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

class CmProgram : public testing::Test {
 protected:
  void TearDown() override {
    for (const char* host : {"192.0.2.1", "192.0.2.2"}) fakenic_set_host(host, 0);
    ReturnDevice();
    fakenic_set_clock_rate(1);
  }

  // An id on a channel of its own, resolved up to its route.
  rdma_cm_id* Resolve(rdma_event_channel* channel, uint16_t port, const char* host = "127.0.0.1") {
    rdma_cm_id* id = nullptr;
    sockaddr_in address = Loopback(port);
    inet_pton(AF_INET, host, &address.sin_addr);
    EXPECT_EQ(rdma_create_id(channel, &id, this, RDMA_PS_TCP), 0);
    EXPECT_EQ(rdma_resolve_addr(id, nullptr, To(address), 1000), 0);
    EXPECT_EQ(NextEvent(channel), RDMA_CM_EVENT_ADDR_RESOLVED);
    EXPECT_EQ(rdma_resolve_route(id, 1000), 0);
    EXPECT_EQ(NextEvent(channel), RDMA_CM_EVENT_ROUTE_RESOLVED);
    return id;
  }

  static rdma_conn_param Param() {
    rdma_conn_param param{};
    param.qp_num = 0x1234;  // a queue pair of the program's own
    return param;
  }
};

}  // namespace fakenic
