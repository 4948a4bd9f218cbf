// For tests: small programs of processors and queue pairs, and what their runs may show.
//
// Three nodes have four words of memory each, all 0 at the start. A connection joins two nodes; a
// test numbers its connections. Registers are shared by all threads of a program and start at
// kUnset. Every instruction is one step of the schedule, beside the steps of the NICs.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nic/context.h"
#include "nic/fabric.h"
#include "nic/test_pair.h"
#include "schedule/exhaustive.h"

namespace fakenic {

inline constexpr uint64_t kUnset = 99;

// A word of a node's memory.
struct Place {
  size_t node;
  size_t word;
};

inline constexpr Place x1{0, 0}, y1{0, 1}, a1{0, 2}, b1{0, 3};
inline constexpr Place z2{1, 0}, w2{1, 1}, f2{1, 2};
inline constexpr Place y3{2, 0}, a3{2, 1};

class LitmusWorld;

struct Instruction {
  std::function<bool(LitmusWorld&)> ready;
  std::function<void(LitmusWorld&)> run;
};

using Thread = std::vector<Instruction>;

struct LitmusProgram {
  std::vector<std::pair<size_t, size_t>> connections;  // the nodes of their ends
  std::vector<Thread> threads;
  std::vector<std::pair<Place, uint64_t>> initial;
  uint32_t access = 0;                    // of every region, beside all rights
  bool messages_repeat = false;           // an answer may be lost, and the message is sent again
  std::optional<Platform> platform = {};  // what survives a power failure is known
};

class LitmusWorld {
 public:
  explicit LitmusWorld(const LitmusProgram& program);

  uint64_t& word(Place place) { return memory_[place.node][place.word]; }
  Qp& qp(size_t connection, size_t end) { return *qps_[connection][end]; }
  Fabric& fabric() { return fabric_; }
  Sge sge(Place place, uint32_t words = 1) {
    return {reinterpret_cast<uintptr_t>(&word(place)), 8 * words, mrs_[place.node]->key};
  }
  std::string State();

  std::array<uint64_t, 4> registers;
  std::vector<size_t> next;  // instruction of each thread
  uint64_t next_wr_id = 1;

 private:
  TestClock clock_;
  Fabric fabric_{clock_};
  Context context_{fabric_};
  alignas(64) std::array<std::array<uint64_t, 4>, 3> memory_{};
  std::array<Mr*, 3> mrs_{};
  std::vector<std::array<Qp*, 2>> qps_;
  std::vector<Cq*> cqs_;
};

// The operations. A connection's end 0 posts unless told otherwise; everything is signaled unless
// kQuiet.
inline constexpr uint32_t kQuiet = 1u << 16;

struct Via {
  size_t connection = 0;
  size_t end = 0;
};

Instruction Put(Place to, Place from, uint32_t flags = 0, Via via = {}, uint32_t words = 1);
Instruction Get(Place into, Place from, uint32_t flags = 0, Via via = {});
Instruction Send(Via via = {});
Instruction PutImm(Place to, Place from);
Instruction FetchAdd(Place into, Place at, uint64_t add, Via via = {});
Instruction CmpSwp(Place into, Place at, uint64_t compare, uint64_t swap, uint32_t flags = 0);
Instruction AtomicWrite(Place to, Place from, uint32_t flags = 0);
Instruction Flush(Place at, uint32_t flags = 0);  // of a word, persistent
Instruction Poll(Via via = {});                   // waits for the next completion of the send queue
Instruction PollStatus(size_t reg);               // the same, and what it says
Instruction PollRecv(Via via = {});               // of the receive queue
Instruction Store(Place place, uint64_t value);
Instruction Load(size_t reg, Place place);
Instruction Await(Place place, uint64_t value);
Instruction PowerFailure();

class Litmus : public Explored {
 public:
  using Shows = std::function<bool(LitmusWorld&)>;
  Litmus(LitmusProgram program, Shows shows)
      : program_(std::move(program)), shows_(std::move(shows)) {}

  void Restart() override { world_ = std::make_unique<LitmusWorld>(program_); }
  size_t Ways() override;
  void Take(size_t way) override;
  Slowness Kind(size_t way) override;
  std::string State() override { return world_->State(); }
  std::string Outcome() override;

 private:
  std::vector<size_t> ReadyThreads();

  LitmusProgram program_;
  Shows shows_;
  std::unique_ptr<LitmusWorld> world_;
};

}  // namespace fakenic
