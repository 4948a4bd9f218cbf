// What the fake costs a program: the reference librpma on the eager schedule, one thread, beside
// the bare work itself.
#include <benchmark/benchmark.h>
#include <librpma.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

namespace {

constexpr char kAddress[] = "127.0.0.1";
constexpr size_t kMiB = 1 << 20;

void Check(int result, const char* call) {
  if (result == 0) return;
  std::fprintf(stderr, "%s: %s\n", call, rpma_err_2str(result));
  std::exit(1);
}
#define CHECK(call) Check(call, #call)

rpma_conn_event Next(rpma_conn* conn) {
  rpma_conn_event event;
  CHECK(rpma_conn_next_event(conn, &event));
  return event;
}

// Both ends of a connection in one process, with a source and a target of one MiB.
class Pair {
 public:
  Pair() {
    CHECK(rpma_utils_get_ibv_context(kAddress, RPMA_UTIL_IBV_CONTEXT_LOCAL, &verbs));
    CHECK(rpma_peer_new(verbs, &peer_));
    CHECK(rpma_ep_listen(peer_, kAddress, "7300", &ep_));
    CHECK(rpma_mr_reg(peer_, source_.data(), kMiB, RPMA_MR_USAGE_WRITE_SRC, &src));
    CHECK(rpma_mr_reg(peer_, target_.data(), kMiB, RPMA_MR_USAGE_WRITE_DST, &target_mr_));
    std::array<char, 64> descriptor;
    size_t size = 0;
    CHECK(rpma_mr_get_descriptor_size(target_mr_, &size));
    CHECK(rpma_mr_get_descriptor(target_mr_, descriptor.data()));
    CHECK(rpma_mr_remote_from_descriptor(descriptor.data(), size, &dst));
    Connect();
  }

  ~Pair() {
    Disconnect();
    CHECK(rpma_mr_remote_delete(&dst));
    CHECK(rpma_mr_dereg(&target_mr_));
    CHECK(rpma_mr_dereg(&src));
    CHECK(rpma_ep_shutdown(&ep_));
    CHECK(rpma_peer_delete(&peer_));
  }

  void Connect() {
    rpma_conn_req *active = nullptr, *passive = nullptr;
    CHECK(rpma_conn_req_new(peer_, kAddress, "7300", nullptr, &active));
    CHECK(rpma_conn_req_connect(&active, nullptr, &conn));
    CHECK(rpma_ep_next_conn_req(ep_, nullptr, &passive));
    CHECK(rpma_conn_req_connect(&passive, nullptr, &server_));
    Next(conn);
    Next(server_);
    CHECK(rpma_conn_get_cq(conn, &cq));
  }

  void Disconnect() {
    CHECK(rpma_conn_disconnect(conn));
    Next(server_);
    CHECK(rpma_conn_disconnect(server_));
    Next(conn);
    CHECK(rpma_conn_delete(&conn));
    CHECK(rpma_conn_delete(&server_));
  }

  void WriteAndPoll(size_t length) {
    ibv_wc wc;
    const int posted = rpma_write(conn, dst, 0, src, 0, length, RPMA_F_COMPLETION_ALWAYS, this);
    if (posted != 0 || rpma_cq_get_wc(cq, 1, &wc, nullptr) != 0) std::abort();
    benchmark::DoNotOptimize(wc);
  }

  ibv_context* verbs = nullptr;
  rpma_mr_local* src = nullptr;
  rpma_mr_remote* dst = nullptr;
  rpma_conn* conn = nullptr;
  rpma_cq* cq = nullptr;

 private:
  rpma_peer* peer_ = nullptr;
  rpma_ep* ep_ = nullptr;
  rpma_mr_local* target_mr_ = nullptr;
  rpma_conn* server_ = nullptr;
  std::vector<char> source_ = std::vector<char>(kMiB, 'x');
  std::vector<char> target_ = std::vector<char>(kMiB);
};

// The work that no NIC in memory can avoid: move 8 bytes, and hand a completion through a ring
// under a lock.
void BareWrite8(benchmark::State& state) {
  struct Ring {
    std::mutex mutex;
    std::array<ibv_wc, 64> entries;
    size_t head = 0, tail = 0;
  };
  static Ring ring;
  alignas(8) char source[8] = {}, target[8];
  for (auto _ : state) {
    std::memcpy(target, source, sizeof target);
    benchmark::DoNotOptimize(target);
    {
      const std::lock_guard<std::mutex> lock(ring.mutex);
      ring.entries[ring.tail++ % ring.entries.size()] = {};
    }
    const std::lock_guard<std::mutex> lock(ring.mutex);
    ibv_wc wc = ring.entries[ring.head++ % ring.entries.size()];
    benchmark::DoNotOptimize(wc);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BareWrite8);

void Write8(benchmark::State& state) {
  Pair pair;
  for (auto _ : state) pair.WriteAndPoll(8);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Write8);

void AtomicWrite8(benchmark::State& state) {
  Pair pair;
  const char word[8] = "ABCDEFG";
  for (auto _ : state) {
    ibv_wc wc;
    const int posted =
        rpma_atomic_write(pair.conn, pair.dst, 0, word, RPMA_F_COMPLETION_ALWAYS, nullptr);
    if (posted != 0 || rpma_cq_get_wc(pair.cq, 1, &wc, nullptr) != 0) std::abort();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(AtomicWrite8);

// The same write while this many queue pairs and ten times as many regions are alive.
void Write8AmongOthers(benchmark::State& state) {
  Pair pair;
  ibv_pd* pd = ibv_alloc_pd(pair.verbs);
  ibv_cq* cq = ibv_create_cq(pair.verbs, 1, nullptr, nullptr, 0);
  static char memory[8];
  std::vector<ibv_mr*> mrs;
  std::vector<ibv_qp*> qps;
  ibv_qp_init_attr attr{};
  attr.send_cq = attr.recv_cq = cq;
  attr.cap = {1, 1, 1, 1, 0};
  attr.qp_type = IBV_QPT_RC;
  for (int64_t i = 0; i < state.range(0); ++i) {
    qps.push_back(ibv_create_qp(pd, &attr));
    for (int j = 0; j < 10; ++j) {
      mrs.push_back(ibv_reg_mr(pd, memory, sizeof memory, int{IBV_ACCESS_LOCAL_WRITE}));
    }
    if (qps.back() == nullptr || mrs.back() == nullptr) std::abort();
  }
  for (auto _ : state) pair.WriteAndPoll(8);
  state.SetItemsProcessed(state.iterations());
  for (ibv_qp* qp : qps) ibv_destroy_qp(qp);
  for (ibv_mr* mr : mrs) ibv_dereg_mr(mr);
  ibv_destroy_cq(cq);
  ibv_dealloc_pd(pd);
}
BENCHMARK(Write8AmongOthers)->Arg(1)->Arg(10000);

void BareCopy1MiB(benchmark::State& state) {
  std::vector<char> source(kMiB, 'x'), target(kMiB);
  for (auto _ : state) {
    std::memcpy(target.data(), source.data(), kMiB);
    benchmark::DoNotOptimize(target.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kMiB));
}
BENCHMARK(BareCopy1MiB);

void Write1MiB(benchmark::State& state) {
  Pair pair;
  for (auto _ : state) pair.WriteAndPoll(kMiB);
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kMiB));
}
BENCHMARK(Write1MiB);

void ConnectAndDisconnect(benchmark::State& state) {
  Pair pair;
  for (auto _ : state) {
    pair.Disconnect();
    pair.Connect();
  }
}
BENCHMARK(ConnectAndDisconnect)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
