// For tests of the edge: what a program does to get a connection, through the C interface alone.
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <rdma/rdma_cma.h>

#include <cstring>

#include "abi/verbs_flush.h"
#include "fakenic.h"

namespace fakenic {

// Fetches what there is.
inline void AcknowledgeEvents(ibv_context* context) {
  pollfd descriptor{context->async_fd, POLLIN, 0};
  ibv_async_event event;
  while (poll(&descriptor, 1, 0) == 1 && ibv_get_async_event(context, &event) == 0) {
    ibv_ack_async_event(&event);
  }
}

// Puts the device back, and forgets that the RDMA CM's own context learnt of it.
inline void ReturnDevice() {
  fakenic_set_device_present(1);
  ibv_context** contexts = rdma_get_devices(nullptr);
  AcknowledgeEvents(contexts[0]);
  rdma_free_devices(contexts);
}

inline sockaddr_in Loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

inline bool OffersFlush(ibv_context* context) {
  ibv_device_attr_ex attr{};
  ibv_query_device_ex(context, nullptr, &attr);
  return (attr.device_cap_flags_ex & kFlushGlobalCap) != 0;
}

// The type of the next event of the channel, acknowledged.
inline int NextEvent(rdma_event_channel* channel) {
  rdma_cm_event* event = nullptr;
  if (rdma_get_cm_event(channel, &event) != 0) return -1;
  const int type = event->event;
  rdma_ack_cm_event(event);
  return type;
}

// One end of a connection, with a CQ, a queue pair and a region.
struct ProgramEnd {
  void Create(rdma_cm_id* new_id) {
    id = new_id;
    pd = ibv_alloc_pd(id->verbs);
    channel = ibv_create_comp_channel(id->verbs);
    cq = ibv_create_cq(id->verbs, 16, this, channel, 0);
    mr = ibv_reg_mr(pd, memory, sizeof memory,
                    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
    ibv_qp_init_attr_ex attr{};
    attr.send_cq = attr.recv_cq = cq;
    attr.cap = {8, 8, 1, 1, 16};
    attr.qp_type = IBV_QPT_RC;
    attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
    attr.pd = pd;
    attr.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
                          IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM |
                          IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
                          IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD | IBV_QP_EX_WITH_ATOMIC_WRITE;
    if (OffersFlush(id->verbs)) attr.send_ops_flags |= kFlushSendOp;
    ASSERT_EQ(rdma_create_qp_ex(id, &attr), 0) << strerror(errno);
  }

  void Destroy() {
    rdma_destroy_qp(id);
    EXPECT_EQ(ibv_dereg_mr(mr), 0);
    EXPECT_EQ(ibv_destroy_cq(cq), 0);
    EXPECT_EQ(ibv_destroy_comp_channel(channel), 0);
    EXPECT_EQ(ibv_dealloc_pd(pd), 0);
    EXPECT_EQ(rdma_destroy_id(id), 0);
  }

  // Posts a write of the first bytes to the same place at the other end, or another operation on
  // the same ranges.
  int Write(const ProgramEnd& to, uint64_t wr_id, uint32_t length,
            unsigned flags = IBV_SEND_SIGNALED, ibv_wr_opcode opcode = IBV_WR_RDMA_WRITE) {
    ibv_sge sge{reinterpret_cast<uintptr_t>(memory), length, mr->lkey};
    ibv_send_wr wr{}, *bad = nullptr;
    wr.wr_id = wr_id;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = opcode;
    wr.send_flags = flags;
    wr.imm_data = htonl(7);
    wr.wr.rdma.remote_addr = reinterpret_cast<uintptr_t>(to.memory);
    wr.wr.rdma.rkey = to.mr->rkey;
    return ibv_post_send(id->qp, &wr, &bad);
  }

  // Posts a receive into the first bytes.
  int Recv(uint64_t wr_id, uint32_t length) {
    ibv_sge sge{reinterpret_cast<uintptr_t>(memory), length, mr->lkey};
    ibv_recv_wr wr{wr_id, nullptr, &sge, 1}, *bad = nullptr;
    return ibv_post_recv(id->qp, &wr, &bad);
  }

  rdma_cm_id* id = nullptr;
  ibv_pd* pd = nullptr;
  ibv_comp_channel* channel = nullptr;
  ibv_cq* cq = nullptr;
  ibv_mr* mr = nullptr;
  alignas(8) char memory[64] = {};
};

// A connection inside this process: the client synchronous until it connects, the server with an
// event channel.
class ProgramPair {
 public:
  explicit ProgramPair(uint16_t port) {
    server_channel = rdma_create_event_channel();
    client_channel = rdma_create_event_channel();
    sockaddr_in address = Loopback(port);
    auto* to = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(rdma_create_id(server_channel, &listener, nullptr, RDMA_PS_TCP), 0);
    EXPECT_EQ(rdma_bind_addr(listener, to), 0) << strerror(errno);
    EXPECT_EQ(rdma_listen(listener, 0), 0);
    rdma_cm_id* id = nullptr;
    EXPECT_EQ(rdma_create_id(nullptr, &id, nullptr, RDMA_PS_TCP), 0);
    EXPECT_EQ(rdma_resolve_addr(id, nullptr, to, 1000), 0);
    EXPECT_EQ(rdma_resolve_route(id, 1000), 0);
    client.Create(id);
    EXPECT_EQ(rdma_migrate_id(id, client_channel), 0);
    EXPECT_EQ(rdma_connect(id, nullptr), 0);

    rdma_cm_event* request = nullptr;
    EXPECT_EQ(rdma_get_cm_event(server_channel, &request), 0);
    EXPECT_EQ(request->event, RDMA_CM_EVENT_CONNECT_REQUEST);
    server.Create(request->id);
    EXPECT_EQ(rdma_accept(request->id, nullptr), 0) << strerror(errno);
    rdma_ack_cm_event(request);
    EXPECT_EQ(NextEvent(client_channel), RDMA_CM_EVENT_ESTABLISHED);
    EXPECT_EQ(NextEvent(server_channel), RDMA_CM_EVENT_ESTABLISHED);
  }

  ~ProgramPair() {
    client.Destroy();
    server.Destroy();
    EXPECT_EQ(rdma_destroy_id(listener), 0);
    rdma_destroy_event_channel(server_channel);
    rdma_destroy_event_channel(client_channel);
  }

  rdma_event_channel* server_channel = nullptr;
  rdma_event_channel* client_channel = nullptr;
  rdma_cm_id* listener = nullptr;
  ProgramEnd client, server;
};

}  // namespace fakenic
