// For tests: two connected queue pairs on one fabric, with a clock that the test moves.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "nic/context.h"
#include "nic/fabric.h"

namespace fakenic {

class TestClock : public Clock {
 public:
  uint64_t NowNs() override { return now; }
  uint64_t now = 1;
};

inline constexpr uint32_t kEverything = access_flag::kLocalWrite | access_flag::kRemoteWrite |
                                        access_flag::kRemoteRead | access_flag::kRemoteAtomic |
                                        access_flag::kFlush;

// Moves a fresh queue pair to RTS, answering to the queue pair with this number.
inline void Connect(Fabric& fabric, Qp& qp, uint32_t dest_qp_num, uint32_t access = kEverything) {
  using namespace qp_mask;
  QpAttr attr;
  attr.port_num = 1;
  attr.path_mtu = kActiveMtu;
  attr.access_flags = access;
  attr.dest_qp_num = dest_qp_num;
  attr.timeout = 14;
  attr.retry_cnt = 2;
  attr.rnr_retry = 3;
  attr.min_rnr_timer = 12;  // 0.64 ms
  attr.max_rd_atomic = attr.max_dest_rd_atomic = 2;
  attr.state = QpState::kInit;
  fabric.ModifyQp(qp, attr, kState | kPkeyIndex | kPort | kAccessFlags);
  attr.state = QpState::kRtr;
  fabric.ModifyQp(qp, attr,
                  kState | kAv | kPathMtu | kDestQpn | kRqPsn | kMaxDestRdAtomic | kMinRnrTimer);
  attr.state = QpState::kRts;
  fabric.ModifyQp(qp, attr, kState | kTimeout | kRetryCnt | kRnrRetry | kSqPsn | kMaxQpRdAtomic);
}

// One end: a domain, a CQ, a queue pair and a region of 256 bytes.
struct TestEnd {
  TestEnd(Context& context, const QpCap& cap, size_t cqe)
      : pd(context.AllocPd().object),
        cq(context.CreateCq(static_cast<int>(cqe), nullptr).object),
        qp(context.CreateQp(pd->handle, cq->handle, cq->handle, cap, false).object),
        mr(context.RegMr(pd->handle, addr(0), memory.size(), kEverything).object) {}

  uint64_t addr(size_t offset) const { return reinterpret_cast<uintptr_t>(memory.data() + offset); }
  std::string text(size_t offset, size_t size) const { return {memory.data() + offset, size}; }
  void Fill(const std::string& bytes) { std::memcpy(memory.data(), bytes.data(), bytes.size()); }

  alignas(64) std::array<char, 256> memory{};
  Pd* pd;
  Cq* cq;
  Qp* qp;
  Mr* mr;
};

class TestPair {
 public:
  explicit TestPair(const QpCap& cap = {4, 4, 2, 2, 16}, size_t cqe = 16)
      : local(context, cap, cqe), remote(context, cap, cqe) {
    Connect(fabric, *local.qp, remote.qp->num);
    Connect(fabric, *remote.qp, local.qp->num);
  }

  // A signaled write of the first bytes of the local memory to the start of the remote memory;
  // tests change what they mean.
  SendWr Write(uint64_t wr_id, uint32_t length, uint32_t flags = send_flag::kSignaled) {
    sge = {local.addr(0), length, local.mr->key};
    return {wr_id, WrOpcode::kRdmaWrite, flags, {&sge, 1}, remote.addr(0), remote.mr->key};
  }

  // A signaled read of the start of the remote memory into the start of the local memory.
  SendWr Read(uint64_t wr_id, uint32_t length, uint32_t flags = send_flag::kSignaled) {
    SendWr wr = Write(wr_id, length, flags);
    wr.opcode = WrOpcode::kRdmaRead;
    return wr;
  }

  // A signaled flush of the start of the remote memory, of both types.
  SendWr Flush(uint64_t wr_id, uint64_t length = 8) {
    return {.wr_id = wr_id,
            .opcode = WrOpcode::kFlush,
            .flags = send_flag::kSignaled,
            .sges = {},
            .remote_addr = remote.addr(0),
            .rkey = remote.mr->key,
            .flush = {length, flush_type::kGlobal | flush_type::kPersistent}};
  }

  // A signaled send of the first bytes of the local memory, by this opcode of those that consume a
  // receive.
  SendWr Send(uint64_t wr_id, uint32_t length, WrOpcode opcode = WrOpcode::kSend) {
    SendWr wr = Write(wr_id, length);
    wr.opcode = opcode;
    wr.imm_data = 0x12345678;
    return wr;
  }

  // Posts a receive of the remote end into a range of its memory.
  int PostRecvInto(uint64_t wr_id, size_t offset, uint32_t length) {
    recv_sge = {remote.addr(offset), length, remote.mr->key};
    return fabric.PostRecv(*remote.qp, {wr_id, {&recv_sge, 1}});
  }

  int Post(const SendWr& wr) { return fabric.PostSend(*local.qp, wr); }
  int PostRecv(TestEnd& end, uint64_t wr_id) { return fabric.PostRecv(*end.qp, {wr_id, {}}); }

  // Takes all completions of the end, oldest first.
  std::vector<std::pair<uint64_t, WcStatus>> Poll(TestEnd& end) {
    std::vector<std::pair<uint64_t, WcStatus>> all;
    while (end.cq->size() > 0) {
      const Completion& completion = fabric.Poll(*end.cq);
      all.emplace_back(completion.wr_id, completion.status);
    }
    return all;
  }

  TestClock clock;
  Fabric fabric{clock};
  Context context{fabric};
  TestEnd local;
  TestEnd remote;
  Sge sge{};
  Sge recv_sge{};
};

}  // namespace fakenic
