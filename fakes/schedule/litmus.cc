#include "schedule/litmus.h"

#include "schedule/state.h"

namespace fakenic {
namespace {

bool Always(LitmusWorld&) { return true; }

// Posts an operation on one word of either side.
Instruction Post(WrOpcode opcode, Place local, Place remote, uint32_t flags, Via via,
                 std::function<void(SendWr&)> more = {}, uint32_t words = 1) {
  return {Always, [=](LitmusWorld& world) {
            const Sge sge = world.sge(local, words);
            const Sge target = world.sge(remote);
            const uint32_t signaled = (flags & kQuiet) != 0 ? 0 : send_flag::kSignaled;
            SendWr wr{world.next_wr_id++, opcode,      (flags & ~kQuiet) | signaled,
                      {&sge, 1},          target.addr, target.lkey};
            if (more) more(wr);
            world.fabric().PostSend(world.qp(via.connection, via.end), wr);
          }};
}

Instruction PollFrom(Cq& (Qp::*queue)() const, Via via) {
  const auto cq = [=](LitmusWorld& world) -> Cq& {
    return (world.qp(via.connection, via.end).*queue)();
  };
  return {[=](LitmusWorld& world) { return cq(world).size() > 0; },
          [=](LitmusWorld& world) { world.fabric().Poll(cq(world)); }};
}

}  // namespace

LitmusWorld::LitmusWorld(const LitmusProgram& program) : next(program.threads.size()) {
  registers.fill(kUnset);
  fabric_.set_eager(false);
  fabric_.set_messages_repeat(program.messages_repeat);
  fabric_.set_platform(program.platform);
  for (const auto& [place, value] : program.initial) word(place) = value;
  std::array<Pd*, 3> pds;
  for (size_t node = 0; node < memory_.size(); ++node) {
    pds[node] = context_.AllocPd().object;
    mrs_[node] = context_
                     .RegMr(pds[node]->handle, reinterpret_cast<uintptr_t>(memory_[node].data()),
                            sizeof memory_[node], kEverything | program.access)
                     .object;
  }
  for (const auto& [from, to] : program.connections) {
    std::array<Qp*, 2> ends;
    for (size_t end = 0; end < 2; ++end) {
      Cq* send_cq = cqs_.emplace_back(context_.CreateCq(4, nullptr).object);
      Cq* recv_cq = cqs_.emplace_back(context_.CreateCq(4, nullptr).object);
      const Pd& pd = *pds[end == 0 ? from : to];
      ends[end] =
          context_.CreateQp(pd.handle, send_cq->handle, recv_cq->handle, {4, 2, 1, 0, 8}, false)
              .object;
    }
    for (size_t end = 0; end < 2; ++end) {
      Connect(fabric_, *ends[end], ends[1 - end]->num);
      for (uint64_t wr_id = 0; wr_id < 2; ++wr_id) fabric_.PostRecv(*ends[end], {wr_id, {}});
    }
    qps_.push_back(ends);
  }
}

std::string LitmusWorld::State() {
  std::string state(reinterpret_cast<const char*>(memory_.data()), sizeof memory_);
  state.append(reinterpret_cast<const char*>(registers.data()), sizeof registers);
  for (const size_t at : next) state += static_cast<char>('a' + at);
  for (const Cq* cq : cqs_) AppendState(*cq, state);
  AppendState(fabric_, state);
  if (const Persistence* persistence = fabric_.persistence()) {
    persistence->AppendState(reinterpret_cast<uintptr_t>(memory_.data()), state);
  }
  return state;
}

Instruction Put(Place to, Place from, uint32_t flags, Via via, uint32_t words) {
  return Post(WrOpcode::kRdmaWrite, from, to, flags, via, {}, words);
}

Instruction Get(Place into, Place from, uint32_t flags, Via via) {
  return Post(WrOpcode::kRdmaRead, into, from, flags, via);
}

Instruction Send(Via via) {
  return Post(WrOpcode::kSend, x1, z2, 0, via, [](SendWr& wr) { wr.sges = {}; });
}

Instruction PutImm(Place to, Place from) {
  return Post(WrOpcode::kRdmaWriteWithImm, from, to, 0, {});
}

Instruction FetchAdd(Place into, Place at, uint64_t add, Via via) {
  return Post(WrOpcode::kAtomicFetchAndAdd, into, at, 0, via,
              [=](SendWr& wr) { wr.compare_add = add; });
}

Instruction CmpSwp(Place into, Place at, uint64_t compare, uint64_t swap, uint32_t flags) {
  return Post(WrOpcode::kAtomicCmpAndSwp, into, at, flags, {}, [=](SendWr& wr) {
    wr.compare_add = compare;
    wr.swap = swap;
  });
}

Instruction AtomicWrite(Place to, Place from, uint32_t flags) {
  return Post(WrOpcode::kAtomicWrite, from, to, send_flag::kInline | flags, {});
}

Instruction Flush(Place at, uint32_t flags) {
  return Post(WrOpcode::kFlush, at, at, flags, {}, [](SendWr& wr) {
    wr.sges = {};
    wr.flush = {8, flush_type::kPersistent, flush_level::kRange};
  });
}

Instruction PollStatus(size_t reg) {
  Instruction poll = Poll();
  poll.run = [=](LitmusWorld& world) {
    world.registers[reg] =
        static_cast<uint64_t>(world.fabric().Poll(world.qp(0, 0).send_cq()).status);
  };
  return poll;
}

Instruction Poll(Via via) { return PollFrom(&Qp::send_cq, via); }
Instruction PollRecv(Via via) { return PollFrom(&Qp::recv_cq, via); }

Instruction Store(Place place, uint64_t value) {
  return {Always, [=](LitmusWorld& world) { world.word(place) = value; }};
}

Instruction Load(size_t reg, Place place) {
  return {Always, [=](LitmusWorld& world) { world.registers[reg] = world.word(place); }};
}

Instruction Await(Place place, uint64_t value) {
  return {[=](LitmusWorld& world) { return world.word(place) == value; }, [](LitmusWorld&) {}};
}

Instruction PowerFailure() {
  return {Always, [](LitmusWorld& world) { world.fabric().FailPower(); }};
}

std::vector<size_t> Litmus::ReadyThreads() {
  std::vector<size_t> ready;
  for (size_t thread = 0; thread < program_.threads.size(); ++thread) {
    const Thread& code = program_.threads[thread];
    const size_t at = world_->next[thread];
    if (at < code.size() && code[at].ready(*world_)) ready.push_back(thread);
  }
  return ready;
}

size_t Litmus::Ways() { return ReadyThreads().size() + world_->fabric().EnabledSteps().size(); }

Slowness Litmus::Kind(size_t way) {
  const size_t threads = ReadyThreads().size();
  if (way < threads) return {Slowness::kKinds - 1, way};
  const Step step = world_->fabric().EnabledSteps()[way - threads];
  return {static_cast<size_t>(step.kind), step.message->flow};
}

std::string Litmus::Outcome() {
  for (size_t thread = 0; thread < program_.threads.size(); ++thread) {
    if (world_->next[thread] < program_.threads[thread].size()) return "stuck";
  }
  return shows_(*world_) ? "shown" : "not shown";
}

void Litmus::Take(size_t way) {
  const std::vector<size_t> ready = ReadyThreads();
  if (way < ready.size()) {
    const size_t thread = ready[way];
    program_.threads[thread][world_->next[thread]++].run(*world_);
  } else {
    world_->fabric().Take(world_->fabric().EnabledSteps()[way - ready.size()]);
  }
}

}  // namespace fakenic
