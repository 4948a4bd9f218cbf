// What bugs need beyond one call: completions that get lost, work that is put off, a write in two
// halves.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "property_tests/planted_bugs/plant.h"

namespace planted {

namespace {

std::vector<std::uint64_t>
    g_remembered;  // contexts of operations whose completion the bug concerns
std::map<const void*, int> g_posted_since_completion;
std::optional<PostCall> g_put_off;
std::vector<std::pair<rpma_mr_local*, int>> g_regions;  // alive, with their usage
bool g_break_next_receive = false;
bool g_break_next_connection = false;

// A registered place for the halves, of the first peer that registers anything.
rpma_mr_local* g_halves = nullptr;
constexpr std::size_t kHalvesBytes = 65536;
std::array<char, kHalvesBytes> g_halves_memory;
std::size_t g_next_half = 0;

bool Remembered(std::uint64_t wr_id) {
  return std::find(g_remembered.begin(), g_remembered.end(), wr_id) != g_remembered.end();
}

bool BugIs(std::string_view words) {
  return Bug().substr(std::min(Bug().size(), Bug().find('.') + 1)) == words;
}

// Drops completions of remembered operations, those with an error or those with success; returns
// how many entries are left.
int Drop(ibv_wc* wc, int count) {
  const bool successes = BugIs("completed");
  if (BugIs("message-order") || BugIs("completion-order")) return count;
  const auto end = std::remove_if(wc, wc + count, [&](const ibv_wc& entry) {
    return (entry.status == IBV_WC_SUCCESS) == successes && Remembered(entry.wr_id);
  });
  return static_cast<int>(end - wc);
}

// Exchanges neighbours that are completions of remembered operations: of receives that differ in
// length, or of what was sent with contexts that differ.
void Reorder(ibv_wc* wc, int count) {
  const bool receives = BugIs("message-order");
  const auto concerned = [&](const ibv_wc& entry) {
    return entry.status == IBV_WC_SUCCESS && ((entry.opcode & IBV_WC_RECV) != 0) == receives &&
           Remembered(entry.wr_id);
  };
  for (int i = 0; i + 1 < count; ++i)
    if (concerned(wc[i]) && concerned(wc[i + 1]) &&
        (receives ? wc[i].byte_len != wc[i + 1].byte_len : wc[i].wr_id != wc[i + 1].wr_id))
      std::swap(wc[i], wc[i + 1]);
}

rpma_conn_cfg* CopyWithoutSrq(const rpma_conn_cfg* cfg) {
  rpma_conn_cfg* copy = nullptr;
  std::uint32_t size = 0;
  rpma_conn_cfg_new(&copy);
  if (rpma_conn_cfg_get_cq_size(cfg, &size) == 0) rpma_conn_cfg_set_cq_size(copy, size);
  if (rpma_conn_cfg_get_rcq_size(cfg, &size) == 0) rpma_conn_cfg_set_rcq_size(copy, size);
  if (rpma_conn_cfg_get_rq_size(cfg, &size) == 0) rpma_conn_cfg_set_rq_size(copy, size);
  if (rpma_conn_cfg_get_sq_size(cfg, &size) == 0) rpma_conn_cfg_set_sq_size(copy, size);
  return copy;
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

bool TooManyOutstanding(const void* handle) { return g_posted_since_completion[handle] >= 2; }

int CountPosted(const void* handle, int result) {
  if (result == 0) ++g_posted_since_completion[handle];
  return result;
}

void PutOff(const PostCall& call) { g_put_off = call; }

void CatchUp() {
  if (!g_put_off) return;
  const PostCall call = *g_put_off;
  g_put_off.reset();
  call.Post();
}

// Only at the start of the region and with a small context: there the suite's cases are certain to
// succeed, so that two halves do not fail twice.
int PostInHalves(const PostCall& call) {
  if (!call.plain() || call.remote_offset != 0 || call.context() < 1 || call.context() > 2 ||
      g_halves == nullptr)
    return call.Post();
  const std::size_t at = g_next_half;
  g_next_half = (g_next_half + 8) % kHalvesBytes;
  std::memcpy(g_halves_memory.data() + at, call.word, 8);
  PostCall first = call;
  first.function = Function::kWrite;
  first.local = g_halves;
  first.local_offset = at;
  first.len = 4;
  PostCall second = first;
  first.flags = RPMA_F_COMPLETION_ON_ERROR;
  second.remote_offset = 4;
  second.local_offset = at + 4;
  const int result = first.Post();
  return result != 0 ? result : second.Post();
}

void ChangeStrayByte() {
  void* start = nullptr;
  rpma_mr_get_ptr(g_regions.front().first, &start);
  static_cast<char*>(start)[-1] ^= 1;
}

rpma_mr_local* SomeLandingRegion() {
  for (const auto& [mr, usage] : g_regions)
    if ((usage & RPMA_MR_USAGE_RECV) != 0) return mr;
  return nullptr;
}

void BreakNextReceive() { g_break_next_receive = true; }
bool ReceiveIsToBreak() { return std::exchange(g_break_next_receive, false); }
void BreakNextConnection() { g_break_next_connection = true; }

}  // namespace planted

using namespace planted;

extern "C" {

__attribute__((visibility("default"))) int rpma_mr_reg(rpma_peer* peer, void* ptr, size_t size,
                                                       int usage, rpma_mr_local** mr_ptr) {
  static auto* const kReal = Real<decltype(::rpma_mr_reg)>("rpma_mr_reg");
  if (Bug() == "rpma_atomic_write.untorn" && g_halves == nullptr)
    kReal(peer, g_halves_memory.data(), kHalvesBytes, RPMA_MR_USAGE_WRITE_SRC, &g_halves);
  const int result = kReal(peer, ptr, size, usage, mr_ptr);
  if (result == 0) g_regions.emplace_back(*mr_ptr, usage);
  return result;
}

__attribute__((visibility("default"))) int rpma_mr_dereg(rpma_mr_local** mr_ptr) {
  static auto* const kReal = Real<decltype(::rpma_mr_dereg)>("rpma_mr_dereg");
  g_regions.erase(std::remove_if(g_regions.begin(), g_regions.end(),
                                 [&](const auto& region) { return region.first == *mr_ptr; }),
                  g_regions.end());
  return kReal(mr_ptr);
}

// The suite asks for it as soon as a connection is established.
__attribute__((visibility("default"))) int rpma_conn_get_cq(const rpma_conn* conn,
                                                            rpma_cq** cq_ptr) {
  static auto* const kReal = Real<decltype(::rpma_conn_get_cq)>("rpma_conn_get_cq");
  if (std::exchange(g_break_next_connection, false))
    rpma_conn_disconnect(const_cast<rpma_conn*>(conn));
  return kReal(conn, cq_ptr);
}

// The passive end of a connection does not use the shared receive queue.
__attribute__((visibility("default"))) int rpma_ep_next_conn_req(rpma_ep* ep,
                                                                 const rpma_conn_cfg* cfg,
                                                                 rpma_conn_req** req_ptr) {
  static auto* const kReal = Real<decltype(::rpma_ep_next_conn_req)>("rpma_ep_next_conn_req");
  rpma_srq* srq = nullptr;
  g_posted_since_completion.clear();  // a new request may have the address of an old one
  if (Bug() != "rpma_srq_recv.serves-all" || rpma_conn_cfg_get_srq(cfg, &srq) != 0 ||
      srq == nullptr)
    return kReal(ep, cfg, req_ptr);
  rpma_conn_cfg* alone = CopyWithoutSrq(cfg);
  const int result = kReal(ep, alone, req_ptr);
  rpma_conn_cfg_delete(&alone);
  return result;
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
  if (BugIs("message-order") || BugIs("completion-order")) Reorder(wc, got);
  got = Drop(wc, got);
  if (got == 0) return RPMA_E_NO_COMPLETION;
  if (num_entries_got != nullptr) *num_entries_got = got;
  return 0;
}

}  // extern "C"
