// What the fake costs between two processes, beside the bare ways from one to the other: a
// ping-pong in shared memory, one over event descriptors, a copy in and out of shared memory.
// By hand: build/bin/fakenic_wire_bench
#include <benchmark/benchmark.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <vector>

namespace {

constexpr size_t kMiB = 1 << 20;
constexpr size_t kChunk = 16384;
constexpr size_t kChunks = 16;  // that the bare copy has under way

#define REQUIRE(condition)                                                         \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%d: %s: %s\n", __LINE__, #condition, strerror(errno)); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (false)

// What the other process does meanwhile.
enum class Mode : int { kSleep, kAnswer, kAnswerEvents, kCopyOut, kPollCq, kEnd };

struct Shared {
  alignas(64) std::atomic<int> mode{0};
  alignas(64) std::atomic<uint64_t> ping{0};
  alignas(64) std::atomic<uint64_t> pong{0};
  alignas(64) std::atomic<uint64_t> copied_in{0};
  alignas(64) std::atomic<uint64_t> copied_out{0};
  uint64_t addr = 0;
  uint32_t rkey = 0;
  std::atomic<uint32_t> ready{0};
  uint16_t port = 0;
  alignas(64) char chunks[kChunks][kChunk];
};

Shared* shared = nullptr;
int events[2];

void Pause() { __builtin_ia32_pause(); }

struct End {
  void Create(rdma_cm_id* made) {
    id = made;
    REQUIRE((mr = ibv_reg_mr(id->pd, memory.data(), memory.size(),
                             IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                                 IBV_ACCESS_REMOTE_READ)) != nullptr);
    ibv_qp_init_attr attr{};
    attr.cap = {16, 16, 1, 1, 64};
    attr.qp_type = IBV_QPT_RC;
    REQUIRE(rdma_create_qp(id, nullptr, &attr) == 0);
  }

  rdma_cm_id* id = nullptr;
  ibv_mr* mr = nullptr;
  std::vector<char> memory = std::vector<char>(kMiB, 'x');
};

sockaddr_in At(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

void Await(uint32_t stage) {
  while (shared->ready < stage) Pause();
}

void CopyOut(std::vector<char>& target) {
  while (shared->mode == static_cast<int>(Mode::kCopyOut)) {
    const uint64_t out = shared->copied_out;
    if (out == shared->copied_in.load(std::memory_order_acquire)) {
      Pause();
      continue;
    }
    std::memcpy(target.data() + out * kChunk % kMiB, shared->chunks[out % kChunks], kChunk);
    shared->copied_out.store(out + 1, std::memory_order_release);
  }
}

void Serve(End& end) {
  ibv_wc wc;
  while (true) {
    switch (static_cast<Mode>(shared->mode.load())) {
      case Mode::kSleep:
        usleep(200);
        break;
      case Mode::kAnswer: {
        const uint64_t ping = shared->ping.load(std::memory_order_acquire);
        if (ping != shared->pong) shared->pong.store(ping, std::memory_order_release);
        Pause();
        break;
      }
      case Mode::kAnswerEvents: {
        uint64_t one;
        REQUIRE(read(events[0], &one, sizeof one) == sizeof one);
        REQUIRE(write(events[1], &one, sizeof one) == sizeof one);
        break;
      }
      case Mode::kCopyOut:
        CopyOut(end.memory);
        break;
      case Mode::kPollCq:
        ibv_poll_cq(end.id->recv_cq, 1, &wc);
        break;
      case Mode::kEnd:
        return;
    }
  }
}

[[noreturn]] void Child() {
  rdma_cm_id *listener = nullptr, *id = nullptr;
  sockaddr_in address = At(0);
  REQUIRE(rdma_create_id(nullptr, &listener, nullptr, RDMA_PS_TCP) == 0);
  REQUIRE(rdma_bind_addr(listener, reinterpret_cast<sockaddr*>(&address)) == 0);
  REQUIRE(rdma_listen(listener, 1) == 0);
  shared->port = ntohs(rdma_get_src_port(listener));
  shared->ready = 1;
  REQUIRE(rdma_get_request(listener, &id) == 0);
  End end;
  end.Create(id);
  shared->addr = reinterpret_cast<uintptr_t>(end.memory.data());
  shared->rkey = end.mr->rkey;
  REQUIRE(rdma_accept(id, nullptr) == 0);
  shared->ready = 2;
  Serve(end);
  _exit(0);
}

class Client {
 public:
  Client() {
    Await(1);
    rdma_cm_id* id = nullptr;
    sockaddr_in address = At(shared->port);
    REQUIRE(rdma_create_id(nullptr, &id, nullptr, RDMA_PS_TCP) == 0);
    REQUIRE(rdma_resolve_addr(id, nullptr, reinterpret_cast<sockaddr*>(&address), 1000) == 0);
    REQUIRE(rdma_resolve_route(id, 1000) == 0);
    end.Create(id);
    REQUIRE(rdma_connect(id, nullptr) == 0);
    Await(2);
  }

  void Post(uint32_t length) {
    ibv_sge sge{reinterpret_cast<uintptr_t>(end.memory.data()), length, end.mr->lkey};
    ibv_send_wr wr{}, *bad = nullptr;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = IBV_WR_RDMA_WRITE;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.wr.rdma = {shared->addr, shared->rkey};
    if (ibv_post_send(end.id->qp, &wr, &bad) != 0) std::abort();
  }

  void Poll() {
    ibv_wc wc;
    while (ibv_poll_cq(end.id->send_cq, 1, &wc) == 0) Pause();
    if (wc.status != IBV_WC_SUCCESS) std::abort();
  }

  void PollAsleep() {
    ibv_wc wc;
    while (true) {
      ibv_req_notify_cq(end.id->send_cq, 0);
      if (ibv_poll_cq(end.id->send_cq, 1, &wc) == 1) return;
      ibv_cq* cq = nullptr;
      void* context = nullptr;
      if (ibv_get_cq_event(end.id->send_cq_channel, &cq, &context) != 0) std::abort();
      ibv_ack_cq_events(cq, 1);
    }
  }

  End end;
};

Client* client = nullptr;

class During {
 public:
  explicit During(Mode mode) { shared->mode = static_cast<int>(mode); }
  ~During() { shared->mode = static_cast<int>(Mode::kSleep); }
};

void BarePingPong(benchmark::State& state) {
  const During during(Mode::kAnswer);
  for (auto _ : state) {
    const uint64_t ping = shared->ping + 1;
    shared->ping.store(ping, std::memory_order_release);
    while (shared->pong.load(std::memory_order_acquire) != ping) Pause();
  }
}
BENCHMARK(BarePingPong)->UseRealTime();

void Write8BothPoll(benchmark::State& state) {
  const During during(Mode::kPollCq);
  for (auto _ : state) {
    client->Post(8);
    client->Poll();
  }
}
BENCHMARK(Write8BothPoll)->UseRealTime();

void BareEventPingPong(benchmark::State& state) {
  const During during(Mode::kAnswerEvents);
  uint64_t one = 1;
  for (auto _ : state) {
    if (write(events[0], &one, sizeof one) < 0 || read(events[1], &one, sizeof one) < 0)
      std::abort();
  }
  shared->mode = static_cast<int>(Mode::kSleep);
  if (write(events[0], &one, sizeof one) < 0 || read(events[1], &one, sizeof one) < 0) std::abort();
}
BENCHMARK(BareEventPingPong)->UseRealTime();

void Write8BothSleep(benchmark::State& state) {
  for (auto _ : state) {
    client->Post(8);
    client->PollAsleep();
  }
}
BENCHMARK(Write8BothSleep)->UseRealTime();

void BareCopy1MiB(benchmark::State& state) {
  const During during(Mode::kCopyOut);
  const std::vector<char>& source = client->end.memory;
  uint64_t in = shared->copied_in;
  for (auto _ : state) {
    for (size_t at = 0; at < kMiB; at += kChunk, ++in) {
      while (in - shared->copied_out.load(std::memory_order_acquire) == kChunks) Pause();
      std::memcpy(shared->chunks[in % kChunks], source.data() + at, kChunk);
      shared->copied_in.store(in + 1, std::memory_order_release);
    }
    while (shared->copied_out.load(std::memory_order_acquire) != in) Pause();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kMiB));
}
BENCHMARK(BareCopy1MiB)->UseRealTime();

void Write1MiBBothPoll(benchmark::State& state) {
  const During during(Mode::kPollCq);
  for (auto _ : state) {
    client->Post(kMiB);
    client->Poll();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kMiB));
}
BENCHMARK(Write1MiBBothPoll)->UseRealTime();

void Write1MiBBothSleep(benchmark::State& state) {
  for (auto _ : state) {
    client->Post(kMiB);
    client->PollAsleep();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kMiB));
}
BENCHMARK(Write1MiBBothSleep)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
  char directory[] = "/tmp/fakenic-bench-XXXXXX";
  REQUIRE(mkdtemp(directory) != nullptr);
  setenv("FAKENIC_FABRIC", directory, 1);
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  shared = new (memory) Shared;
  for (int& event : events) REQUIRE((event = eventfd(0, 0)) >= 0);
  const pid_t child = fork();
  if (child == 0) Child();
  client = new Client;
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  shared->mode = static_cast<int>(Mode::kEnd);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  std::filesystem::remove_all(directory);
}
