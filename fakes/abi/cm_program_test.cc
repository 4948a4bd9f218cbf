// The RDMA CM as a program sees it: channels, acknowledgements, synchronous ids, one thread for
// both ends.
#include <fcntl.h>
#include <poll.h>

#include <atomic>
#include <thread>

#include "abi/test_cm.h"
#include "nic/types.h"

namespace fakenic {
namespace {

TEST_F(CmProgram, WhatIsResolvedShowsInTheIdOnceItsEventIsFetched) {
  rdma_event_channel* channel = rdma_create_event_channel();
  rdma_cm_id* id = nullptr;
  sockaddr_in address = Loopback(7301);
  rdma_create_id(channel, &id, nullptr, RDMA_PS_TCP);
  rdma_resolve_addr(id, nullptr, To(address), 1000);
  EXPECT_EQ(id->verbs, nullptr);

  NextEvent(channel);

  EXPECT_NE(id->verbs, nullptr);
  EXPECT_NE(id->pd, nullptr);
  EXPECT_EQ(id->port_num, 1);
  EXPECT_EQ(rdma_get_dst_port(id), htons(7301));
  EXPECT_NE(rdma_get_src_port(id), 0);
  EXPECT_EQ(rdma_get_local_addr(id)->sa_family, AF_INET);
  EXPECT_EQ(rdma_get_peer_addr(id)->sa_family, AF_INET);
  EXPECT_EQ(id->route.num_paths, 0);
  rdma_resolve_route(id, 1000);
  NextEvent(channel);
  ASSERT_EQ(id->route.num_paths, 1);
  EXPECT_EQ(id->route.path_rec->mtu, IBV_MTU_4096);
  rdma_destroy_id(id);
  rdma_destroy_event_channel(channel);
}

TEST_F(CmProgram, BindingToPortZeroTellsThePortAtOnce) {
  rdma_event_channel* channel = rdma_create_event_channel();
  rdma_cm_id* id = nullptr;
  sockaddr_in any = Loopback(0);
  rdma_create_id(channel, &id, nullptr, RDMA_PS_TCP);
  EXPECT_EQ(rdma_bind_addr(id, To(any)), 0);
  EXPECT_NE(rdma_get_src_port(id), 0);
  EXPECT_EQ(rdma_get_dst_port(id), 0);
  EXPECT_NE(id->verbs, nullptr) << "the address says which device";
  rdma_destroy_id(id);
  rdma_destroy_event_channel(channel);
}

TEST_F(CmProgram, IdsOfOneDeviceShareItsContextAndItsDefaultDomain) {
  ProgramPair pair(7302);
  EXPECT_EQ(pair.client.id->verbs, pair.server.id->verbs);
  int count = 0;
  ibv_context** devices = rdma_get_devices(&count);
  ASSERT_EQ(count, 1);
  EXPECT_EQ(devices[0], pair.client.id->verbs);
  EXPECT_EQ(devices[1], nullptr);
  rdma_free_devices(devices);
  ibv_context* opened = ibv_open_device(pair.client.id->verbs->device);
  EXPECT_NE(opened, pair.client.id->verbs) << "an opened context is another";
  ibv_close_device(opened);
}

TEST_F(CmProgram, ARequestedIdHasItsListenersChannelAndContext) {
  ProgramPair pair(7303);
  EXPECT_EQ(pair.server.id->channel, pair.listener->channel);
  EXPECT_EQ(pair.server.id->context, pair.listener->context);
  EXPECT_EQ(rdma_get_src_port(pair.server.id), htons(7303));
  EXPECT_EQ(rdma_get_dst_port(pair.server.id), rdma_get_src_port(pair.client.id));
}

TEST_F(CmProgram, TheServersQueuePairIsReadyBeforeTheClientsIs) {
  ProgramPair pair(7304);
  ibv_qp_attr attr;
  ibv_qp_init_attr init;
  ASSERT_EQ(ibv_query_qp(pair.client.id->qp, &attr, IBV_QP_AV, &init), 0);
  EXPECT_EQ(attr.ah_attr.is_global, 1);
  EXPECT_EQ(attr.ah_attr.grh.dgid.raw[12], 127);
  EXPECT_EQ(attr.timeout, 17);
  EXPECT_EQ(attr.qp_access_flags, IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                                      IBV_ACCESS_REMOTE_ATOMIC | access_flag::kFlush);
}

TEST_F(CmProgram, AnEmptyNonBlockingChannelSaysEagainAndIsNotReadable) {
  rdma_event_channel* channel = rdma_create_event_channel();
  fcntl(channel->fd, F_SETFL, O_NONBLOCK);
  pollfd descriptor{channel->fd, POLLIN, 0};
  rdma_cm_event* event = nullptr;
  EXPECT_EQ(poll(&descriptor, 1, 0), 0);
  EXPECT_EQ(rdma_get_cm_event(channel, &event), -1);
  EXPECT_EQ(errno, EAGAIN);

  rdma_cm_id* id = nullptr;
  sockaddr_in address = Loopback(7305);
  rdma_create_id(channel, &id, nullptr, RDMA_PS_TCP);
  rdma_resolve_addr(id, nullptr, To(address), 1000);

  EXPECT_EQ(poll(&descriptor, 1, 0), 1);
  EXPECT_EQ(NextEvent(channel), RDMA_CM_EVENT_ADDR_RESOLVED);
  EXPECT_EQ(rdma_get_cm_event(channel, nullptr), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(rdma_ack_cm_event(nullptr), -1);
  EXPECT_EQ(errno, EINVAL);
  rdma_destroy_id(id);
  rdma_destroy_event_channel(channel);
}

TEST_F(CmProgram, DestroyingAnIdWaitsForTheAcknowledgementOfItsEvents) {
  rdma_event_channel* channel = rdma_create_event_channel();
  rdma_cm_id* id = nullptr;
  sockaddr_in address = Loopback(7306);
  rdma_create_id(channel, &id, nullptr, RDMA_PS_TCP);
  rdma_resolve_addr(id, nullptr, To(address), 1000);
  rdma_cm_event* event = nullptr;
  rdma_get_cm_event(channel, &event);
  std::atomic<bool> destroyed = false;
  std::thread destroyer([&] {
    EXPECT_EQ(rdma_destroy_id(id), 0);
    destroyed = true;
  });

  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(destroyed);
  EXPECT_EQ(rdma_ack_cm_event(event), 0);

  destroyer.join();
  rdma_destroy_event_channel(channel);
}

TEST_F(CmProgram, ARequestInHandHoldsUpTheDestructionOfItsListener) {
  rdma_event_channel* server = rdma_create_event_channel();
  rdma_event_channel* client = rdma_create_event_channel();
  rdma_cm_id* listener = nullptr;
  sockaddr_in address = Loopback(7307);
  rdma_create_id(server, &listener, nullptr, RDMA_PS_TCP);
  rdma_bind_addr(listener, To(address));
  rdma_listen(listener, 0);
  rdma_cm_id* active = Resolve(client, 7307);
  rdma_conn_param param = Param();
  EXPECT_EQ(rdma_connect(active, &param), 0);
  rdma_cm_event* request = nullptr;
  ASSERT_EQ(rdma_get_cm_event(server, &request), 0);
  rdma_cm_id* passive = request->id;
  std::atomic<bool> destroyed = false;
  std::thread destroyer([&] {
    EXPECT_EQ(rdma_destroy_id(listener), 0);
    destroyed = true;
  });

  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(destroyed);
  rdma_ack_cm_event(request);

  destroyer.join();
  EXPECT_EQ(rdma_destroy_id(passive), 0) << "it outlives its listener";
  EXPECT_EQ(NextEvent(client), RDMA_CM_EVENT_REJECTED);
  rdma_destroy_id(active);
  rdma_destroy_event_channel(server);
  rdma_destroy_event_channel(client);
}

TEST_F(CmProgram, MigrationWaitsForAcknowledgementsAndTakesUnreadEventsAlong) {
  rdma_event_channel* from = rdma_create_event_channel();
  rdma_event_channel* to = rdma_create_event_channel();
  rdma_cm_id* id = nullptr;
  sockaddr_in address = Loopback(7308);
  rdma_create_id(from, &id, nullptr, RDMA_PS_TCP);
  rdma_resolve_addr(id, nullptr, To(address), 1000);
  rdma_cm_event* event = nullptr;
  rdma_get_cm_event(from, &event);
  rdma_resolve_route(id, 1000);
  std::atomic<bool> migrated = false;
  std::thread mover([&] {
    EXPECT_EQ(rdma_migrate_id(id, to), 0);
    migrated = true;
  });

  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(migrated);
  rdma_ack_cm_event(event);
  mover.join();

  EXPECT_EQ(id->channel, to);
  EXPECT_EQ(NextEvent(to), RDMA_CM_EVENT_ROUTE_RESOLVED);
  rdma_destroy_id(id);
  rdma_destroy_event_channel(from);
  rdma_destroy_event_channel(to);
}

TEST_F(CmProgram, AnIdBecomesSynchronousAndBack) {
  rdma_event_channel* channel = rdma_create_event_channel();
  rdma_cm_id* id = nullptr;
  sockaddr_in address = Loopback(7309);
  rdma_create_id(channel, &id, nullptr, RDMA_PS_TCP);
  EXPECT_EQ(rdma_migrate_id(id, nullptr), 0);
  EXPECT_NE(id->channel, channel);
  EXPECT_EQ(rdma_resolve_addr(id, nullptr, To(address), 1000), 0);
  ASSERT_NE(id->event, nullptr) << "the result stays until the next call";
  EXPECT_EQ(id->event->event, RDMA_CM_EVENT_ADDR_RESOLVED);
  EXPECT_EQ(rdma_migrate_id(id, nullptr), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(rdma_migrate_id(id, channel), 0);
  EXPECT_EQ(id->event, nullptr);
  rdma_destroy_id(id);
  rdma_destroy_event_channel(channel);
}

TEST_F(CmProgram, AChannelMayGoBeforeItsIds) {
  rdma_event_channel* channel = rdma_create_event_channel();
  rdma_cm_id* id = Resolve(channel, 7313);

  rdma_destroy_event_channel(channel);

  rdma_conn_param param = Param();
  EXPECT_EQ(rdma_connect(id, &param), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(rdma_destroy_id(id), 0);
}

TEST_F(CmProgram, AProgramWithoutAQueuePairOnTheIdHasToGiveParameters) {
  rdma_event_channel* channel = rdma_create_event_channel();
  rdma_cm_id* id = Resolve(channel, 7314);
  EXPECT_EQ(rdma_connect(id, nullptr), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(rdma_accept(id, nullptr), -1);
  EXPECT_EQ(errno, EINVAL);
  rdma_destroy_id(id);
  rdma_destroy_event_channel(channel);
}

TEST_F(CmProgram, AQueuePairOfTheProgramsOwnConnectsByInitAttrAndEstablish) {
  ProgramPair server_only(7315);
  rdma_event_channel* channel = rdma_create_event_channel();
  rdma_cm_id* id = Resolve(channel, 7315);
  ibv_cq* cq = ibv_create_cq(id->verbs, 4, nullptr, nullptr, 0);
  ibv_qp_init_attr init{};
  init.send_cq = init.recv_cq = cq;
  init.cap = {1, 1, 1, 1, 0};
  init.qp_type = IBV_QPT_RC;
  ibv_qp* qp = ibv_create_qp(id->pd, &init);
  ASSERT_NE(qp, nullptr);
  auto move = [&](ibv_qp_state to) {
    ibv_qp_attr attr{};
    int mask = 0;
    attr.qp_state = to;
    EXPECT_EQ(rdma_init_qp_attr(id, &attr, &mask), 0);
    EXPECT_EQ(ibv_modify_qp(qp, &attr, mask), 0) << to;
  };
  move(IBV_QPS_INIT);
  ibv_qp_attr early{};
  int mask = 0;
  early.qp_state = IBV_QPS_RTR;
  EXPECT_EQ(rdma_init_qp_attr(id, &early, &mask), -1) << "no peer yet";
  EXPECT_EQ(errno, EINVAL);
  rdma_conn_param param{};
  param.qp_num = qp->qp_num;
  EXPECT_EQ(rdma_connect(id, &param), 0);
  rdma_cm_event* request = nullptr;
  rdma_get_cm_event(server_only.server_channel, &request);
  EXPECT_EQ(request->param.conn.qp_num, qp->qp_num);
  ProgramEnd server;
  server.Create(request->id);
  EXPECT_EQ(rdma_accept(request->id, nullptr), 0);
  rdma_ack_cm_event(request);
  EXPECT_EQ(NextEvent(channel), RDMA_CM_EVENT_CONNECT_RESPONSE);

  move(IBV_QPS_INIT);
  move(IBV_QPS_RTR);
  move(IBV_QPS_RTS);
  EXPECT_EQ(rdma_establish(id), 0);

  EXPECT_EQ(NextEvent(server_only.server_channel), RDMA_CM_EVENT_ESTABLISHED);
  EXPECT_EQ(ibv_destroy_qp(qp), 0);
  EXPECT_EQ(ibv_destroy_cq(cq), 0);
  rdma_destroy_id(id);
  server.Destroy();
  rdma_destroy_event_channel(channel);
}

TEST_F(CmProgram, NotifyForcesTheConnectionOfTheServer) {
  ProgramPair pair(7316);
  EXPECT_EQ(rdma_notify(pair.server.id, IBV_EVENT_COMM_EST), -1);
  EXPECT_EQ(errno, EISCONN);
  EXPECT_EQ(rdma_notify(pair.server.id, IBV_EVENT_PATH_MIG), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(rdma_establish(pair.client.id), -1) << "its queue pair is the library's";
  EXPECT_EQ(errno, EINVAL);
}

TEST_F(CmProgram, AnUnknownPortSpaceIsRefused) {
  rdma_cm_id* id = nullptr;
  EXPECT_EQ(rdma_create_id(nullptr, &id, nullptr, static_cast<rdma_port_space>(7)), -1);
  EXPECT_EQ(errno, EINVAL);
}

}  // namespace
}  // namespace fakenic
