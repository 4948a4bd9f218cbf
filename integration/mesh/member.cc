#include "member.h"

#include <arpa/inet.h>
#include <poll.h>
#include <rdma/rdma_cma.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

#define REQUIRE(condition)                                                                \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "process %d, line %d: %s: %s\n", index_, __LINE__, #condition, \
                   strerror(errno));                                                      \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (false)

// Travels with the request and the reply of a connection.
struct Hello {
  uint32_t index;
  uint32_t rkey;
  uint64_t addr;
};

struct PeerState {
  rdma_cm_id* id = nullptr;
  Hello hello{};
  bool connected = false;
  bool gone = false;
  int status = -1;  // of the last write
};

class Member {
 public:
  Member(Board& board, int index, int count)
      : board_(board), index_(index), peers_(static_cast<size_t>(count)) {
    memory_.resize(peers_.size() * kBytes + kBytes);
    for (int i = 0; i < kBytes; ++i) memory_[peers_.size() * kBytes + i] = Byte(index, i);
    REQUIRE((events_ = rdma_create_event_channel()) != nullptr);
    REQUIRE(rdma_create_id(events_, &listener_, nullptr, RDMA_PS_TCP) == 0);
    sockaddr_in address = At(0);
    REQUIRE(rdma_bind_addr(listener_, reinterpret_cast<sockaddr*>(&address)) == 0);
    REQUIRE(rdma_listen(listener_, count) == 0);
    REQUIRE((channel_ = ibv_create_comp_channel(listener_->verbs)) != nullptr);
    REQUIRE((pd_ = ibv_alloc_pd(listener_->verbs)) != nullptr);
    REQUIRE((cq_ = ibv_create_cq(listener_->verbs, 4 * count, nullptr, channel_, 0)) != nullptr);
    mr_ = ibv_reg_mr(pd_, memory_.data(), memory_.size(),
                     IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    REQUIRE(mr_ != nullptr);
    REQUIRE(ibv_req_notify_cq(cq_, 0) == 0);
    board_.ports[index] = ntohs(rdma_get_src_port(listener_));
    ++board_.listening;
  }

  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;
  ~Member() { ibv_dereg_mr(mr_); }

  // Connects to those before it and is connected to by those behind it.
  void Connect() {
    for (int j = 0; j < index_; ++j) {
      sockaddr_in address = At(board_.ports[j]);
      REQUIRE(rdma_create_id(events_, &peers_[j].id, nullptr, RDMA_PS_TCP) == 0);
      peers_[j].id->context = &peers_[j];
      REQUIRE(rdma_resolve_addr(peers_[j].id, nullptr, reinterpret_cast<sockaddr*>(&address),
                                2000) == 0);
    }
    while (connected_ + 1 < peers_.size()) Pump();
    ++board_.connected;
  }

  void WriteToAll() {
    for (size_t j = 0; j < peers_.size(); ++j) {
      if (static_cast<int>(j) == index_) continue;
      ibv_sge sge{reinterpret_cast<uintptr_t>(&memory_[peers_.size() * kBytes]), kBytes, mr_->lkey};
      ibv_send_wr wr{}, *bad = nullptr;
      wr.wr_id = j;
      wr.sg_list = &sge;
      wr.num_sge = 1;
      wr.opcode = IBV_WR_RDMA_WRITE;
      wr.send_flags = IBV_SEND_SIGNALED;
      wr.wr.rdma = {peers_[j].hello.addr + static_cast<uint64_t>(index_) * kBytes,
                    peers_[j].hello.rkey};
      peers_[j].status = -1;
      REQUIRE(ibv_post_send(peers_[j].id->qp, &wr, &bad) == 0);
      ++under_way_;
    }
    while (under_way_ > 0) Pump();
  }

  void CheckWritten() {
    ibv_wc wc;  // nothing is there; but after a call the thread sanitizer knows what was placed
    REQUIRE(ibv_poll_cq(cq_, 1, &wc) == 0);
    for (size_t j = 0; j < peers_.size(); ++j) {
      if (static_cast<int>(j) == index_) continue;
      REQUIRE(peers_[j].status == IBV_WC_SUCCESS);
      for (int i = 0; i < kBytes; ++i) {
        REQUIRE(memory_[j * kBytes + i] == Byte(static_cast<int>(j), i));
      }
    }
  }

  // Those that were killed have disconnected, and answer no write; the others do.
  void CheckSurvivors() {
    for (size_t j = 0; j < peers_.size(); ++j) {
      while (board_.killed[j] && !peers_[j].gone) Pump();
    }
    WriteToAll();
    for (size_t j = 0; j < peers_.size(); ++j) {
      if (static_cast<int>(j) == index_) continue;
      REQUIRE(peers_[j].status == (board_.killed[j] ? IBV_WC_RETRY_EXC_ERR : IBV_WC_SUCCESS));
      REQUIRE(peers_[j].gone == (board_.killed[j] != 0));
    }
  }

  void Await(const std::atomic<int>& what, int value) {
    while (what < value) Pump();
  }

 private:
  static char Byte(int from, int i) { return static_cast<char>(from * 7 + i + 1); }

  static sockaddr_in At(uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }

  rdma_conn_param Param() {
    own_ = {static_cast<uint32_t>(index_), mr_->rkey, reinterpret_cast<uintptr_t>(memory_.data())};
    rdma_conn_param param{};
    param.private_data = &own_;
    param.private_data_len = sizeof own_;
    param.retry_count = 7;
    param.rnr_retry_count = 7;
    return param;
  }

  void CreateQp(rdma_cm_id* id) {
    ibv_qp_init_attr attr{};
    attr.send_cq = attr.recv_cq = cq_;
    attr.cap = {2, 1, 1, 1, 0};
    attr.qp_type = IBV_QPT_RC;
    REQUIRE(rdma_create_qp(id, pd_, &attr) == 0);
  }

  // Serves what there is, or waits for a moment.
  void Pump() {
    pollfd ready[] = {{events_->fd, POLLIN, 0}, {channel_->fd, POLLIN, 0}};
    poll(ready, 2, 20);
    if (ready[0].revents != 0) Serve();
    if (ready[1].revents == 0) return;
    ibv_cq* cq = nullptr;
    void* context = nullptr;
    REQUIRE(ibv_get_cq_event(channel_, &cq, &context) == 0);
    ibv_ack_cq_events(cq, 1);
    REQUIRE(ibv_req_notify_cq(cq, 0) == 0);
    ibv_wc wc;
    while (ibv_poll_cq(cq, 1, &wc) == 1) {
      peers_[wc.wr_id].status = wc.status;
      --under_way_;
    }
  }

  void Serve() {
    rdma_cm_event* event = nullptr;
    REQUIRE(rdma_get_cm_event(events_, &event) == 0);
    auto* peer = static_cast<PeerState*>(event->id->context);
    rdma_conn_param param = Param();
    switch (event->event) {
      case RDMA_CM_EVENT_ADDR_RESOLVED:
        REQUIRE(rdma_resolve_route(event->id, 2000) == 0);
        break;
      case RDMA_CM_EVENT_ROUTE_RESOLVED:
        CreateQp(event->id);
        REQUIRE(rdma_connect(event->id, &param) == 0);
        break;
      case RDMA_CM_EVENT_CONNECT_REQUEST: {
        Hello hello;
        std::memcpy(&hello, event->param.conn.private_data, sizeof hello);
        peer = &peers_[hello.index];
        *peer = {.id = event->id, .hello = hello};
        event->id->context = peer;
        CreateQp(event->id);
        REQUIRE(rdma_accept(event->id, &param) == 0);
        break;
      }
      case RDMA_CM_EVENT_ESTABLISHED:
        if (event->param.conn.private_data_len >= sizeof(Hello)) {
          std::memcpy(&peer->hello, event->param.conn.private_data, sizeof(Hello));
        }
        peer->connected = true;
        ++connected_;
        break;
      case RDMA_CM_EVENT_DISCONNECTED:
        peer->gone = true;
        break;
      default:
        std::fprintf(stderr, "process %d: %s, status %d\n", index_, rdma_event_str(event->event),
                     event->status);
        std::exit(1);
    }
    rdma_ack_cm_event(event);
  }

  Board& board_;
  int index_;
  std::vector<PeerState> peers_;
  std::vector<char> memory_;  // a place for each peer, and what is sent
  size_t connected_ = 0, under_way_ = 0;
  Hello own_{};
  rdma_event_channel* events_ = nullptr;
  rdma_cm_id* listener_ = nullptr;
  ibv_comp_channel* channel_ = nullptr;
  ibv_pd* pd_ = nullptr;
  ibv_cq* cq_ = nullptr;
  ibv_mr* mr_ = nullptr;
};

}  // namespace

int Live(Board& board, int index, int count) {
  Member member(board, index, count);
  member.Await(board.go, kConnect);
  member.Connect();
  member.Await(board.go, kWrite);
  member.WriteToAll();
  ++board.written;
  member.Await(board.written, count);
  member.CheckWritten();
  ++board.checked;
  member.Await(board.go, kWriteAgain);
  member.CheckSurvivors();
  ++board.ended;
  member.Await(board.go, kEnd);  // nobody goes before all have looked
  return 0;
}
