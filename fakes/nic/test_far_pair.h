// For tests: two fabrics, joined in memory, with a queue pair each that are connected to each
// other.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <utility>
#include <vector>

#include "nic/test_pair.h"

namespace fakenic {

// One direction: holds packets until the test lets them arrive.
class TestWire : public Remote {
 public:
  bool Send(const PacketHeader& header, std::span<const Sge> payload) override {
    if (packets.size() >= room) return false;
    std::vector<std::byte> bytes;
    for (const Sge& range : payload) {
      const auto* at = reinterpret_cast<const std::byte*>(range.addr);
      bytes.insert(bytes.end(), at, at + range.length);
    }
    packets.emplace_back(header, std::move(bytes));
    return true;
  }

  bool IsStarved(uint32_t) override { return starved; }

  // False if there was none.
  bool DeliverOne(Fabric& to) {
    if (packets.empty()) return false;
    const auto [header, bytes] = std::move(packets.front());
    packets.pop_front();
    to.Arrive(header, bytes);
    return true;
  }

  size_t room = SIZE_MAX;
  bool starved = false;
  std::deque<std::pair<PacketHeader, std::vector<std::byte>>> packets;
};

struct FarSide {
  FarSide(Clock& clock, uint32_t first_block, const QpCap& cap, size_t cqe) : fabric(clock) {
    fabric.set_remote(&wire);
    fabric.device().qp_numbers().claim_block = [next = first_block]() mutable { return next++; };
    fabric.on_async_event = [this](const AsyncEvent& event) { events.push_back(event.type); };
    end = std::make_unique<TestEnd>(context, cap, cqe);
  }

  TestWire wire;  // to the other side
  Fabric fabric;
  Context context{fabric};
  std::vector<AsyncEventType> events;
  std::unique_ptr<TestEnd> end;
};

class FarPair {
 public:
  explicit FarPair(const QpCap& cap = {8, 8, 2, 2, 16}, size_t cqe = 32)
      : near(clock, 0, cap, cqe), far(clock, 100, cap, cqe) {
    Connect(near.fabric, *local().qp, remote().qp->num);
    Connect(far.fabric, *remote().qp, local().qp->num);
  }

  TestEnd& local() { return *near.end; }
  TestEnd& remote() { return *far.end; }

  // Lets everything arrive, what it leads to as well.
  void Run() {
    for (bool moved = true; moved;) {
      near.fabric.SendAgain();
      far.fabric.SendAgain();
      moved = near.wire.DeliverOne(far.fabric);
      moved = far.wire.DeliverOne(near.fabric) || moved;
    }
  }

  SendWr Write(uint64_t wr_id, uint32_t length, uint32_t flags = send_flag::kSignaled) {
    sge = {local().addr(0), length, local().mr->key};
    return {wr_id, WrOpcode::kRdmaWrite, flags, {&sge, 1}, remote().addr(0), remote().mr->key};
  }

  SendWr Make(WrOpcode opcode, uint64_t wr_id, uint32_t length) {
    SendWr wr = Write(wr_id, length);
    wr.opcode = opcode;
    wr.imm_data = 0x12345678;
    return wr;
  }

  int Post(const SendWr& wr) { return near.fabric.PostSend(*local().qp, wr); }
  int PostRecv(uint64_t wr_id, size_t offset, uint32_t length) {
    recv_sge = {remote().addr(offset), length, remote().mr->key};
    return far.fabric.PostRecv(*remote().qp, {wr_id, {&recv_sge, 1}});
  }

  static std::vector<std::pair<uint64_t, WcStatus>> Poll(FarSide& side) {
    std::vector<std::pair<uint64_t, WcStatus>> all;
    while (side.end->cq->size() > 0) {
      const Completion& completion = side.fabric.Poll(*side.end->cq);
      all.emplace_back(completion.wr_id, completion.status);
    }
    return all;
  }

  void Advance(uint64_t ns) {
    clock.now += ns;
    near.fabric.FireTimers();
    far.fabric.FireTimers();
  }

  TestClock clock;
  FarSide near, far;
  Sge sge{}, recv_sge{};
};

// For tests: what completes at either end of a pair.
inline constexpr auto kOk = WcStatus::kSuccess;
inline constexpr auto kFlush = WcStatus::kWrFlushErr;
inline constexpr uint64_t kBudgetNs = (4096ull << 14) * 3;  // of the queue pairs of the tests

class FabricFar : public testing::Test {
 protected:
  auto PollNear() { return FarPair::Poll(pair_.near); }
  auto PollFar() { return FarPair::Poll(pair_.far); }
  QpState NearState() { return pair_.local().qp->state(); }
  QpState FarState() { return pair_.remote().qp->state(); }

  FarPair pair_;
};

}  // namespace fakenic
