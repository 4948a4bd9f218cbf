// For tests with several processes: children that serve one connection each, as programs would.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "abi/test_flush.h"
#include "abi/test_programs.h"
#include "wire/test_directory.h"

namespace fakenic {

// A forked process and a pipe each way. Killed, if it still runs, with its owner.
class Child {
 public:
  explicit Child(const std::function<int(Child&)>& run) {
    int down[2], up[2];
    if (pipe(down) != 0 || pipe(up) != 0) abort();
    pid = fork();
    const bool child = pid == 0;
    in_ = child ? down[0] : up[0];
    out_ = child ? up[1] : down[1];
    close(child ? down[1] : down[0]);
    close(child ? up[0] : up[1]);
    if (child) _exit(run(*this));
  }
  ~Child() {
    close(in_);
    close(out_);
    if (pid > 0) Kill();
  }

  template <typename T>
  void Tell(const T& value) {
    if (write(out_, &value, sizeof value) != sizeof value) abort();
  }
  // Ends a child whose parent has gone.
  template <typename T>
  T Hear() {
    T value{};
    const bool heard = read(in_, &value, sizeof value) == sizeof value;
    if (!heard && pid == 0) _exit(9);
    EXPECT_TRUE(heard) << "the child has ended";
    return value;
  }

  int Wait() {
    int status = 0;
    waitpid(pid, &status, 0);
    pid = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  void Signal(int number) { kill(pid, number); }
  // Until no thread of it runs any more.
  void Stop() {
    Signal(SIGSTOP);
    waitpid(pid, nullptr, WUNTRACED);
  }
  void Kill() {
    Signal(SIGKILL);
    Wait();
  }

  pid_t pid = -1;

 private:
  int in_ = -1, out_ = -1;
};

// Where the other end's memory is.
struct Place {
  uint64_t addr;
  uint32_t rkey;
  uint16_t port;
};

// Like ProgramEnd, with as much memory as is asked for and all rights.
struct WireEnd {
  explicit WireEnd(size_t size = 4096) : memory(size) {}
  WireEnd(const WireEnd&) = delete;
  WireEnd& operator=(const WireEnd&) = delete;
  ~WireEnd() {
    if (mr != nullptr) ibv_dereg_mr(mr);
  }

  void Create(rdma_cm_id* new_id) {
    id = new_id;
    pd = ibv_alloc_pd(id->verbs);
    channel = ibv_create_comp_channel(id->verbs);
    cq = ibv_create_cq(id->verbs, 64, this, channel, 0);
    mr = RegisterForFlush(pd, memory.data(), memory.size());
    ibv_qp_init_attr_ex attr{};
    attr.send_cq = attr.recv_cq = cq;
    attr.cap = {32, 32, 2, 2, 64};
    attr.qp_type = IBV_QPT_RC;
    attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
    attr.pd = pd;
    attr.send_ops_flags = kFlushSendOp;
    if (rdma_create_qp_ex(id, &attr) != 0) abort();
  }

  // Of the first bytes, at the same place of the peer.
  int Post(ibv_wr_opcode opcode, uint64_t wr_id, uint32_t length, const Place& to) {
    ibv_sge sge{reinterpret_cast<uintptr_t>(memory.data()), length, mr->lkey};
    ibv_send_wr wr{}, *bad = nullptr;
    wr.wr_id = wr_id;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = opcode;
    wr.send_flags = IBV_SEND_SIGNALED;
    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
      wr.wr.atomic = {to.addr, /*compare_add=*/1, /*swap=*/0, to.rkey};
    } else {
      wr.wr.rdma = {to.addr, to.rkey};
    }
    return ibv_post_send(id->qp, &wr, &bad);
  }

  // Of these bytes of the peer.
  int Flush(uint64_t wr_id, size_t length, const Place& of) {
    ibv_qp_ex* qp = ibv_qp_to_qp_ex(id->qp);
    ibv_wr_start(qp);
    qp->wr_id = wr_id;
    qp->wr_flags = IBV_SEND_SIGNALED;
    WrFlushOf(qp, of.rkey, of.addr, length, flush_type::kPersistent, flush_level::kRange);
    return ibv_wr_complete(qp);
  }

  int Recv(uint64_t wr_id, uint32_t length) {
    ibv_sge sge{reinterpret_cast<uintptr_t>(memory.data()), length, mr->lkey};
    ibv_recv_wr wr{wr_id, nullptr, &sge, 1}, *bad = nullptr;
    return ibv_post_recv(id->qp, &wr, &bad);
  }

  // The next completion, by polling.
  ibv_wc Poll() {
    ibv_wc wc{};
    while (ibv_poll_cq(cq, 1, &wc) == 0) {
    }
    return wc;
  }

  // The next completion, asleep until its event.
  ibv_wc Await() {
    ibv_wc wc{};
    while (true) {
      ibv_req_notify_cq(cq, 0);
      if (ibv_poll_cq(cq, 1, &wc) == 1) return wc;
      ibv_cq* raised = nullptr;
      void* context = nullptr;
      if (ibv_get_cq_event(channel, &raised, &context) != 0) abort();
      ibv_ack_cq_events(raised, 1);
    }
  }

  Place place(uint16_t port = 0) const {
    return {reinterpret_cast<uintptr_t>(memory.data()), mr->rkey, port};
  }

  std::vector<char> memory;
  rdma_cm_id* id = nullptr;
  ibv_pd* pd = nullptr;
  ibv_comp_channel* channel = nullptr;
  ibv_cq* cq = nullptr;
  ibv_mr* mr = nullptr;
};

// The listening side, up to the point at which a connection stands.
struct WireServer {
  explicit WireServer(size_t size = 4096) : end(size) {
    events = rdma_create_event_channel();
    sockaddr_in address = Loopback(0);
    if (rdma_create_id(events, &listener, nullptr, RDMA_PS_TCP) != 0 ||
        rdma_bind_addr(listener, reinterpret_cast<sockaddr*>(&address)) != 0 ||
        rdma_listen(listener, 0) != 0) {
      abort();
    }
  }

  uint16_t port() const { return ntohs(rdma_get_src_port(listener)); }

  rdma_cm_id* NextRequest() {
    rdma_cm_event* event = nullptr;
    if (rdma_get_cm_event(events, &event) != 0) abort();
    rdma_cm_id* id = event->event == RDMA_CM_EVENT_CONNECT_REQUEST ? event->id : nullptr;
    rdma_ack_cm_event(event);
    return id;
  }

  // Tells the client where the memory is, once it has asked for a connection.
  void Accept(Child& client) {
    client.Tell(Place{0, 0, port()});
    end.Create(NextRequest());
    for (uint64_t i = 0; i < 4; ++i) end.Recv(100 + i, 64);
    if (rdma_accept(end.id, nullptr) != 0) abort();
    client.Tell(end.place(port()));
    if (NextEvent(events) != RDMA_CM_EVENT_ESTABLISHED) abort();
  }

  rdma_event_channel* events = nullptr;
  rdma_cm_id* listener = nullptr;
  WireEnd end;
};

// The connecting side.
struct WireClient {
  explicit WireClient(size_t size = 4096) : end(size) {}

  // Up to the request; the result comes as an event.
  void Ask(uint16_t port) {
    events = rdma_create_event_channel();
    sockaddr_in address = Loopback(port);
    rdma_cm_id* id = nullptr;
    ASSERT_EQ(rdma_create_id(events, &id, nullptr, RDMA_PS_TCP), 0);
    ASSERT_EQ(rdma_resolve_addr(id, nullptr, reinterpret_cast<sockaddr*>(&address), 1000), 0);
    ASSERT_EQ(NextEvent(events), RDMA_CM_EVENT_ADDR_RESOLVED);
    ASSERT_EQ(rdma_resolve_route(id, 1000), 0);
    ASSERT_EQ(NextEvent(events), RDMA_CM_EVENT_ROUTE_RESOLVED);
    end.Create(id);
    ASSERT_EQ(rdma_connect(id, nullptr), 0);
  }

  void Connect(Child& server) {
    Ask(server.Hear<Place>().port);
    there = server.Hear<Place>();
    ASSERT_EQ(NextEvent(events), RDMA_CM_EVENT_ESTABLISHED);
  }

  rdma_event_channel* events = nullptr;
  WireEnd end;
  Place there{};
};

}  // namespace fakenic
