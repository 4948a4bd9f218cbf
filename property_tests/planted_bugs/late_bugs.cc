// What bugs need beyond one call: completions that get lost, work that is put off, a write in two
// halves.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include "property_tests/planted_bugs/plant.h"

namespace planted {

namespace {

std::vector<std::uint64_t>
    g_remembered;  // contexts of operations whose completion the bug concerns
std::map<const rpma_conn*, int> g_posted_since_completion;
std::optional<AtomicWriteCall> g_put_off;

// A registered place for the halves, of the first peer that registers anything.
rpma_mr_local* g_halves = nullptr;
constexpr std::size_t kHalvesBytes = 65536;
std::array<char, kHalvesBytes> g_halves_memory;
std::size_t g_next_half = 0;

bool Remembered(std::uint64_t wr_id) {
  return std::find(g_remembered.begin(), g_remembered.end(), wr_id) != g_remembered.end();
}

// Drops failed completions of remembered operations; returns how many entries are left.
int DropFailures(ibv_wc* wc, int count) {
  const auto end = std::remove_if(wc, wc + count, [](const ibv_wc& entry) {
    return entry.status != IBV_WC_SUCCESS && Remembered(entry.wr_id);
  });
  return static_cast<int>(end - wc);
}

}  // namespace

void Remember(const void* op_context) {
  g_remembered.push_back(reinterpret_cast<std::uint64_t>(op_context));
}

void Forget(const void* op_context) {
  const auto context = reinterpret_cast<std::uint64_t>(op_context);
  g_remembered.erase(std::remove(g_remembered.begin(), g_remembered.end(), context),
                     g_remembered.end());
}

bool TooManyOutstanding(const rpma_conn* conn) { return g_posted_since_completion[conn] >= 2; }

int CountPosted(const rpma_conn* conn, int result) {
  if (result == 0) ++g_posted_since_completion[conn];
  return result;
}

void PutOff(const AtomicWriteCall& call) { g_put_off = call; }

void CatchUp() {
  if (!g_put_off) return;
  const AtomicWriteCall call = *g_put_off;
  g_put_off.reset();
  call.Post();
}

// Only at the start of the region and with a small context: there the suite's cases are certain to
// succeed, so that two halves do not fail twice.
int PostInHalves(const AtomicWriteCall& call) {
  const auto context = reinterpret_cast<std::uintptr_t>(call.op_context);
  if (!call.plain() || call.dst_offset != 0 || context < 1 || context > 2 || g_halves == nullptr)
    return call.Post();
  const std::size_t at = g_next_half;
  g_next_half = (g_next_half + 8) % kHalvesBytes;
  std::memcpy(g_halves_memory.data() + at, call.src, 8);
  const WriteCall first{call.conn,      call.dst, 0, g_halves, at, 4, RPMA_F_COMPLETION_ON_ERROR,
                        call.op_context};
  const WriteCall second{call.conn, call.dst, 4, g_halves, at + 4, 4, call.flags, call.op_context};
  const int result = first.Post();
  return result != 0 ? result : second.Post();
}

}  // namespace planted

using namespace planted;

extern "C" {

__attribute__((visibility("default"))) int rpma_mr_reg(rpma_peer* peer, void* ptr, size_t size,
                                                       int usage, rpma_mr_local** mr_ptr) {
  static auto* const kReal = Real<decltype(::rpma_mr_reg)>("rpma_mr_reg");
  if (Bug() == "rpma_atomic_write.untorn" && g_halves == nullptr)
    kReal(peer, g_halves_memory.data(), kHalvesBytes, RPMA_MR_USAGE_WRITE_SRC, &g_halves);
  return kReal(peer, ptr, size, usage, mr_ptr);
}

// Two halves need two slots. A new connection has nothing outstanding.
__attribute__((visibility("default"))) int rpma_conn_cfg_set_sq_size(rpma_conn_cfg* cfg,
                                                                     uint32_t sq_size) {
  static auto* const kReal =
      Real<decltype(::rpma_conn_cfg_set_sq_size)>("rpma_conn_cfg_set_sq_size");
  g_posted_since_completion.clear();
  return kReal(cfg, Bug() == "rpma_atomic_write.untorn" ? 2 * sq_size + 2 : sq_size);
}

__attribute__((visibility("default"))) int rpma_cq_get_wc(rpma_cq* cq, int num_entries, ibv_wc* wc,
                                                          int* num_entries_got) {
  static auto* const kReal = Real<decltype(::rpma_cq_get_wc)>("rpma_cq_get_wc");
  CatchUp();
  if (Bug() == "hang")
    while (!g_remembered.empty()) pause();
  int got = 0;
  const int result = kReal(cq, num_entries, wc, &got);
  if (result != 0) return result;
  g_posted_since_completion.clear();
  got = DropFailures(wc, got);
  if (got == 0) return RPMA_E_NO_COMPLETION;
  if (num_entries_got != nullptr) *num_entries_got = got;
  return 0;
}

}  // extern "C"
