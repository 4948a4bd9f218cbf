// A program on the two libraries: connections, writes, events, errors, and nothing left behind.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "abi/test_programs.h"

namespace fakenic {
namespace {

uint64_t Live() {
  fakenic_counts counts;
  EXPECT_EQ(fakenic_get_counts(&counts), 0);
  return counts.pds + counts.mrs + counts.cqs + counts.comp_channels + counts.qps + counts.srqs +
         counts.cm_ids + counts.event_channels + counts.address_infos;
}

ibv_wc PollOne(ibv_cq* cq) {
  ibv_wc wc{};
  EXPECT_EQ(ibv_poll_cq(cq, 1, &wc), 1);
  return wc;
}

TEST(Program, WritesThroughAConnectionAndLeavesNothingAlive) {
  {
    ProgramPair pair(7001);
    std::memcpy(pair.client.memory, "abcdefgh", 8);

    EXPECT_EQ(pair.client.Write(pair.server, 42, 8), 0);

    EXPECT_EQ(std::memcmp(pair.server.memory, "abcdefgh", 8), 0);
    const ibv_wc wc = PollOne(pair.client.cq);
    EXPECT_EQ(wc.wr_id, 42u);
    EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
    EXPECT_EQ(wc.opcode, IBV_WC_RDMA_WRITE);
    EXPECT_EQ(wc.qp_num, pair.client.id->qp->qp_num);
  }
  EXPECT_EQ(Live(), 0u);
}

TEST(Program, ReadsThroughAConnectionByBothWaysOfPosting) {
  ProgramPair pair(7009);
  std::memcpy(pair.server.memory, "abcdefgh", 8);
  EXPECT_EQ(pair.client.Write(pair.server, 1, 4, IBV_SEND_SIGNALED, IBV_WR_RDMA_READ), 0);
  EXPECT_EQ(std::memcmp(pair.client.memory, "abcd\0\0\0\0", 8), 0);
  const ibv_wc wc = PollOne(pair.client.cq);
  EXPECT_EQ(wc.opcode, IBV_WC_RDMA_READ);
  EXPECT_EQ(wc.byte_len, 4u);

  ibv_qp_ex* qp = ibv_qp_to_qp_ex(pair.client.id->qp);
  ibv_wr_start(qp);
  qp->wr_id = 2;
  qp->wr_flags = IBV_SEND_SIGNALED;
  ibv_wr_rdma_read(qp, pair.server.mr->rkey, reinterpret_cast<uintptr_t>(pair.server.memory));
  ibv_wr_set_sge(qp, pair.client.mr->lkey, reinterpret_cast<uintptr_t>(pair.client.memory), 8);
  EXPECT_EQ(ibv_wr_complete(qp), 0);

  EXPECT_EQ(std::memcmp(pair.client.memory, "abcdefgh", 8), 0);
  EXPECT_EQ(PollOne(pair.client.cq).wr_id, 2u);
}

TEST(Program, SendsThroughAConnectionByBothWaysOfPosting) {
  ProgramPair pair(7011);
  std::memcpy(pair.client.memory, "abcdefgh", 8);
  EXPECT_EQ(pair.server.Recv(90, 64), 0);
  EXPECT_EQ(pair.server.Recv(91, 64), 0);

  EXPECT_EQ(pair.client.Write(pair.server, 1, 8, IBV_SEND_SIGNALED, IBV_WR_SEND_WITH_IMM), 0);

  EXPECT_EQ(std::memcmp(pair.server.memory, "abcdefgh", 8), 0);
  ibv_wc wc = PollOne(pair.server.cq);
  EXPECT_EQ(wc.wr_id, 90u);
  EXPECT_EQ(wc.opcode, IBV_WC_RECV);
  EXPECT_EQ(wc.byte_len, 8u);
  EXPECT_EQ(wc.wc_flags, unsigned{IBV_WC_WITH_IMM});
  EXPECT_EQ(wc.imm_data, htonl(7));

  ibv_qp_ex* qp = ibv_qp_to_qp_ex(pair.client.id->qp);
  ibv_wr_start(qp);
  qp->wr_id = 2;
  qp->wr_flags = IBV_SEND_SIGNALED;
  ibv_wr_rdma_write_imm(qp, pair.server.mr->rkey, reinterpret_cast<uintptr_t>(pair.server.memory),
                        htonl(9));
  ibv_wr_set_inline_data(qp, const_cast<char*>("XYZ"), 3);
  EXPECT_EQ(ibv_wr_complete(qp), 0);

  EXPECT_EQ(std::memcmp(pair.server.memory, "XYZdefgh", 8), 0);
  wc = PollOne(pair.server.cq);
  EXPECT_EQ(wc.wr_id, 91u);
  EXPECT_EQ(wc.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
  EXPECT_EQ(wc.imm_data, htonl(9));
}

TEST(Program, AnAtomicWriteCannotBePostedWithoutABuilder) {
  ProgramPair pair(7010);

  EXPECT_EQ(pair.client.Write(pair.server, 1, 8, IBV_SEND_SIGNALED, IBV_WR_ATOMIC_WRITE), EINVAL);
}

TEST(Program, BuildsAtomicWritesThroughTheExtendedQueuePair) {
  ProgramPair pair(7002);
  ibv_qp_ex* qp = ibv_qp_to_qp_ex(pair.client.id->qp);
  ASSERT_NE(qp, nullptr);

  ibv_wr_start(qp);
  qp->wr_id = 5;
  qp->wr_flags = IBV_SEND_SIGNALED;
  ibv_wr_atomic_write(qp, pair.server.mr->rkey, reinterpret_cast<uintptr_t>(pair.server.memory) + 8,
                      "ABCDEFGH");
  EXPECT_EQ(ibv_wr_complete(qp), 0);

  EXPECT_EQ(std::memcmp(pair.server.memory + 8, "ABCDEFGH", 8), 0);
  const ibv_wc wc = PollOne(pair.client.cq);
  EXPECT_EQ(wc.wr_id, 5u);
  EXPECT_EQ(wc.opcode, IBV_WC_ATOMIC_WRITE);
}

TEST(Program, ABatchThatDoesNotFitIsDroppedWhole) {
  ProgramPair pair(7003);
  ibv_qp_ex* qp = ibv_qp_to_qp_ex(pair.client.id->qp);

  ibv_wr_start(qp);
  qp->wr_flags = IBV_SEND_SIGNALED;
  for (int i = 0; i < 9; ++i) {
    ibv_wr_atomic_write(qp, pair.server.mr->rkey, reinterpret_cast<uintptr_t>(pair.server.memory),
                        "ABCDEFGH");
  }
  EXPECT_EQ(ibv_wr_complete(qp), ENOMEM);

  ibv_wc wc{};
  EXPECT_EQ(ibv_poll_cq(pair.client.cq, 1, &wc), 0);
  EXPECT_EQ(pair.server.memory[0], '\0');
}

TEST(Program, AChainStopsAtItsFirstBadRequestAndRunsThoseBefore) {
  ProgramPair pair(7004);
  ibv_sge sge{reinterpret_cast<uintptr_t>(pair.client.memory), 8, pair.client.mr->lkey};
  ibv_send_wr chain[2] = {}, *bad = nullptr;
  for (ibv_send_wr& wr : chain) {
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = IBV_WR_RDMA_WRITE;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.wr.rdma = {reinterpret_cast<uintptr_t>(pair.server.memory), pair.server.mr->rkey};
  }
  chain[0].next = &chain[1];
  chain[1].num_sge = 2;

  EXPECT_EQ(ibv_post_send(pair.client.id->qp, chain, &bad), EINVAL);

  EXPECT_EQ(bad, &chain[1]);
  EXPECT_EQ(PollOne(pair.client.cq).status, IBV_WC_SUCCESS);
}

TEST(Program, AnArmedCqRaisesOneEventAndItsDescriptorIsReadable) {
  ProgramPair pair(7005);
  pollfd descriptor{pair.client.channel->fd, POLLIN, 0};
  ASSERT_EQ(ibv_req_notify_cq(pair.client.cq, 0), 0);
  EXPECT_EQ(poll(&descriptor, 1, 0), 0);

  pair.client.Write(pair.server, 1, 8);
  pair.client.Write(pair.server, 2, 8);

  EXPECT_EQ(poll(&descriptor, 1, 0), 1);
  ibv_cq* cq = nullptr;
  void* context = nullptr;
  EXPECT_EQ(ibv_get_cq_event(pair.client.channel, &cq, &context), 0);
  EXPECT_EQ(cq, pair.client.cq);
  EXPECT_EQ(context, &pair.client);
  ibv_ack_cq_events(cq, 1);
  fcntl(pair.client.channel->fd, F_SETFL, O_NONBLOCK);
  EXPECT_EQ(ibv_get_cq_event(pair.client.channel, &cq, &context), -1);
  EXPECT_EQ(errno, EAGAIN);
}

TEST(Program, DestroyingACqWaitsForTheAcknowledgementOfItsEvent) {
  ibv_context* context = ibv_open_device(nullptr);
  ibv_comp_channel* channel = ibv_create_comp_channel(context);
  ibv_cq* cq = ibv_create_cq(context, 1, nullptr, channel, 0);
  EXPECT_EQ(ibv_destroy_comp_channel(channel), EBUSY);
  ibv_ack_cq_events(cq, 1);  // one acknowledgement too many
  std::atomic<bool> destroyed = false;
  std::thread destroyer([&] {
    EXPECT_EQ(ibv_destroy_cq(cq), 0);
    destroyed = true;
  });

  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(destroyed) << "over-acknowledging hangs too";
  ibv_ack_cq_events(cq, UINT32_MAX);

  destroyer.join();
  EXPECT_EQ(ibv_destroy_comp_channel(channel), 0);
  ibv_close_device(context);
}

// A program that hangs in the end, for all to see: its first line on standard error.
template <typename Body>
std::string FirstLineOf(Body&& body) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    setenv("FAKENIC_EXPLAIN", "1", 1);
    body();
    _exit(0);
  }
  close(ends[1]);
  std::string line;
  for (char byte; read(ends[0], &byte, 1) == 1 && byte != '\n';) line += byte;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ends[0]);
  return line;
}

TEST(Program, IsToldForWhichAcknowledgementsItWaits) {
  EXPECT_EQ(FirstLineOf([] {
              ibv_context* context = ibv_open_device(nullptr);
              ibv_comp_channel* channel = ibv_create_comp_channel(context);
              ibv_cq* cq = ibv_create_cq(context, 1, nullptr, channel, 0);
              ibv_ack_cq_events(cq, 1);
              ibv_destroy_cq(cq);
            }),
            "fakenic: ibv_destroy_cq waits for completion events: 0 fetched, 1 acknowledged");
  EXPECT_EQ(FirstLineOf([] {
              rdma_event_channel* channel = rdma_create_event_channel();
              rdma_cm_id* id = nullptr;
              rdma_create_id(channel, &id, nullptr, RDMA_PS_TCP);
              sockaddr_in to{.sin_family = AF_INET,
                             .sin_port = htons(7203),
                             .sin_addr = {htonl(INADDR_LOOPBACK)},
                             .sin_zero = {}};
              rdma_resolve_addr(id, nullptr, reinterpret_cast<sockaddr*>(&to), 1000);
              rdma_cm_event* event = nullptr;
              rdma_get_cm_event(channel, &event);
              rdma_destroy_id(id);
            }),
            "fakenic: rdma_destroy_id waits for events of the id: 1 fetched, 0 acknowledged");
}

TEST(Program, AnAccessErrorReachesTheRespondersAsyncDescriptor) {
  ProgramPair pair(7006);
  EXPECT_EQ(pair.client.Write(pair.server, 1, 64), 0);
  PollOne(pair.client.cq);
  ibv_mr stale = *pair.server.mr;
  ibv_dereg_mr(pair.server.mr);
  pair.server.mr = &stale;
  pair.client.Write(pair.server, 2, 8);

  EXPECT_EQ(PollOne(pair.client.cq).status, IBV_WC_REM_ACCESS_ERR);
  char text[128];
  EXPECT_EQ(fakenic_explain(pair.client.id->qp->qp_num, text, sizeof text), 0);
  EXPECT_NE(std::strstr(text, "names no live region"), nullptr) << text;
  ibv_async_event event;
  EXPECT_EQ(ibv_get_async_event(pair.server.id->verbs, &event), 0);
  EXPECT_EQ(event.event_type, IBV_EVENT_QP_ACCESS_ERR);
  EXPECT_EQ(event.element.qp, pair.server.id->qp);
  ibv_ack_async_event(&event);
  pair.server.mr = ibv_reg_mr(pair.server.pd, pair.server.memory, 8, 0);
}

TEST(Program, QueriesTellTheState) {
  ProgramPair pair(7007);
  ibv_qp_attr attr;
  ibv_qp_init_attr init;

  EXPECT_EQ(ibv_query_qp(pair.client.id->qp, &attr, IBV_QP_STATE, &init), 0);
  EXPECT_EQ(attr.qp_state, IBV_QPS_RTS);
  EXPECT_EQ(attr.dest_qp_num, pair.server.id->qp->qp_num);
  EXPECT_EQ(init.cap.max_send_wr, 8u);
  rdma_disconnect(pair.client.id);
  EXPECT_EQ(ibv_query_qp(pair.client.id->qp, &attr, IBV_QP_STATE, &init), 0);
  EXPECT_EQ(attr.qp_state, IBV_QPS_ERR);
}

TEST(Program, ACorruptedHandleAnswersEnoent) {
  ibv_context* context = ibv_open_device(nullptr);
  ibv_pd* pd = ibv_alloc_pd(context);
  pd->handle ^= 0xdeadbeef;
  errno = 0;
  EXPECT_EQ(ibv_dealloc_pd(pd), ENOENT);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(ibv_reg_mr(pd, &errno, 4, 0), nullptr);
  pd->handle ^= 0xdeadbeef;
  EXPECT_EQ(ibv_dealloc_pd(pd), 0);
  ibv_close_device(context);
}

TEST(Program, UnmappedMemoryCannotBeRegistered) {
  ibv_context* context = ibv_open_device(nullptr);
  ibv_pd* pd = ibv_alloc_pd(context);
  EXPECT_EQ(ibv_reg_mr(pd, reinterpret_cast<void*>(0x1000), 8, 0), nullptr);
  EXPECT_EQ(errno, EFAULT);
  static const char text[4096] = "read-only";
  EXPECT_EQ(ibv_reg_mr(pd, const_cast<char*>(text), 8, int{IBV_ACCESS_LOCAL_WRITE}), nullptr);
  EXPECT_EQ(errno, EFAULT);
  EXPECT_EQ(ibv_dealloc_pd(pd), 0);
  ibv_close_device(context);
}

TEST(Program, UnmodelledCallsSayThatTheyAreNotSupported) {
  ibv_context* context = ibv_open_device(nullptr);
  ibv_pd* pd = ibv_alloc_pd(context);
  ibv_srq_init_attr_ex xrc{};
  xrc.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD;
  xrc.srq_type = IBV_SRQT_XRC;
  xrc.pd = pd;
  EXPECT_EQ(ibv_create_srq_ex(context, &xrc), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  ibv_cq_init_attr_ex cq{};
  cq.cqe = 1;
  cq.wc_flags = IBV_WC_EX_WITH_COMPLETION_TIMESTAMP;
  EXPECT_EQ(ibv_create_cq_ex(context, &cq), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  EXPECT_EQ(ibv_alloc_mw(pd, IBV_MW_TYPE_1), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  EXPECT_EQ(ibv_dealloc_pd(pd), 0);
  ibv_close_device(context);
}

TEST(Program, AddressesAreTranslatedAndUnknownOnesAreErrors) {
  rdma_addrinfo hints{}, *info = nullptr;
  hints.ai_flags = RAI_PASSIVE;
  ASSERT_EQ(rdma_getaddrinfo("127.0.0.1", "7204", &hints, &info), 0);
  EXPECT_EQ(reinterpret_cast<sockaddr_in*>(info->ai_src_addr)->sin_port, htons(7204));
  EXPECT_EQ(info->ai_dst_addr, nullptr);
  EXPECT_EQ(Live(), 1u);
  rdma_freeaddrinfo(info);
  EXPECT_EQ(Live(), 0u);

  hints.ai_flags = RAI_NUMERICHOST;
  EXPECT_NE(rdma_getaddrinfo("not an address", nullptr, &hints, &info), 0);
  EXPECT_EQ(rdma_getaddrinfo(nullptr, nullptr, nullptr, &info), -1);
  EXPECT_EQ(Live(), 0u);
}

TEST(Program, ASynchronousIdGetsItsErrorFromTheCall) {
  rdma_cm_id* id = nullptr;
  sockaddr_in nowhere = Loopback(7);
  nowhere.sin_addr.s_addr = htonl(0xc0000201);  // 192.0.2.1, nobody's
  ASSERT_EQ(rdma_create_id(nullptr, &id, nullptr, RDMA_PS_TCP), 0);
  EXPECT_EQ(rdma_resolve_addr(id, nullptr, reinterpret_cast<sockaddr*>(&nowhere), 100), -1);
  EXPECT_EQ(errno, ENODEV);
  EXPECT_EQ(rdma_migrate_id(id, nullptr), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(rdma_destroy_id(id), 0);
}

TEST(Program, ThreadsOnTheirOwnConnectionsDoNotDisturbEachOther) {
  std::vector<std::thread> threads;
  for (uint16_t i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      ProgramPair pair(static_cast<uint16_t>(7100 + i));
      for (uint64_t wr_id = 0; wr_id < 500; ++wr_id) {
        std::memcpy(pair.client.memory, &wr_id, sizeof wr_id);
        ASSERT_EQ(pair.client.Write(pair.server, wr_id, 8), 0);
        ASSERT_EQ(PollOne(pair.client.cq).wr_id, wr_id);
        ASSERT_EQ(std::memcmp(pair.server.memory, &wr_id, sizeof wr_id), 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Live(), 0u);
}

TEST(Program, AThreadThatWaitsForAnEventIsWokenByAnotherThreadsWrite) {
  ProgramPair pair(7008);
  ibv_req_notify_cq(pair.client.cq, 0);
  std::thread waiter([&] {
    ibv_cq* cq = nullptr;
    void* context = nullptr;
    EXPECT_EQ(ibv_get_cq_event(pair.client.channel, &cq, &context), 0);
    ibv_ack_cq_events(cq, 1);
    EXPECT_EQ(PollOne(cq).wr_id, 3u);
  });

  pair.client.Write(pair.server, 3, 8);

  waiter.join();
}

}  // namespace
}  // namespace fakenic
