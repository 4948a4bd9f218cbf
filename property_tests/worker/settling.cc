// Execution, the part that collects completions and compares memories.
#include <fcntl.h>
#include <librpma.h>
#include <poll.h>

#include <array>
#include <chrono>
#include <thread>

#include "property_tests/worker/execution.h"
#include "spec/model/text.h"
#include "spec/rpma_atomic_write.h"
#include "spec/rpma_write.h"

namespace conformance {

using spec::model::Operation;
using spec::model::Text;

namespace {

constexpr std::uint64_t kMarkerContext = 0x6d61726b;
constexpr int kMostEntries = 64;

const char* NameOf(ibv_wc_status status) {
  constexpr const char* kNames[] = {
      "success",        "LOC_LEN_ERR", "LOC_QP_OP_ERR", "LOC_EEC_OP_ERR",   "LOC_PROT_ERR",
      "WR_FLUSH_ERR",   "MW_BIND_ERR", "BAD_RESP_ERR",  "LOC_ACCESS_ERR",   "REM_INV_REQ_ERR",
      "REM_ACCESS_ERR", "REM_OP_ERR",  "RETRY_EXC_ERR", "RNR_RETRY_EXC_ERR"};
  const auto index = static_cast<std::size_t>(status);
  return index < std::size(kNames) ? kNames[index] : "another error";
}

}  // namespace

// Of a completion with an error, only wr_id and status are read.
int Execution::Poll(Side side, int entries) {
  std::array<ibv_wc, kMostEntries> wcs;
  int got = 0;
  entries = std::min(entries, kMostEntries);
  const int code = rig_->library().rpma_cq_get_wc(rig_->end(side).cq, entries, wcs.data(),
                                                  entries > 1 ? &got : nullptr);
  if (code != 0) {
    if (trace_ && code != RPMA_E_NO_COMPLETION)
      Say("        rpma_cq_get_wc returned " + spec::model::NameOfCode(code));
    return 0;
  }
  if (entries == 1) got = 1;
  Watched& w = watched(side);
  for (int i = 0; i < got && i < entries && !finding_; ++i) {
    const bool success = wcs[i].status == IBV_WC_SUCCESS;
    if (trace_)
      Say(Text("        completion wr_id 0x", spec::model::Hex(wcs[i].wr_id), " status ",
               NameOf(wcs[i].status)));
    if (!success) w.broken = true;
    if (wcs[i].wr_id == kMarkerContext) w.marker = success ? Marker::kSucceeded : Marker::kFailed;
    w.queue.Completed(wcs[i].wr_id, success, NameOf(wcs[i].status));
  }
  return got;
}

// rpma_cq_wait, when the queue's file descriptor says that it will not block.
void Execution::Wait(Side side) {
  const Library& lib = rig_->library();
  if (lib.rpma_cq_get_fd == nullptr || lib.rpma_cq_wait == nullptr) return;
  pollfd ready{-1, POLLIN, 0};
  if (lib.rpma_cq_get_fd(rig_->end(side).cq, &ready.fd) != 0) return;
  const int code =
      poll(&ready, 1, 0) == 1 ? lib.rpma_cq_wait(rig_->end(side).cq) : RPMA_E_NO_COMPLETION;
  if (trace_) Say("        rpma_cq_wait: " + spec::model::NameOfCode(code));
}

void Execution::PollUntil(Side side, const std::function<bool()>& done) {
  using Clock = std::chrono::steady_clock;
  constexpr int kCheapPolls = 8;
  constexpr int kEnoughProof =
      20;  // a library that keeps the suite waiting is not waited for at length each time
  const auto patience =
      fake_ != nullptr && board_->waits_in_vain > kEnoughProof ? patience_ / 20 : patience_;
  Clock::time_point deadline;
  for (int i = 0; !finding_ && !done(); ++i) {
    if (Poll(side, 4) > 0) continue;
    if (fake_ != nullptr && fake_->EnabledSteps() > 0) TakeSteps(SIZE_MAX, 0);
    if (i < kCheapPolls) continue;
    const Clock::time_point now = Clock::now();
    if (i == kCheapPolls) deadline = now + patience;
    if (now > deadline) {
      Count(board_->waits_in_vain);
      return;
    }
    Count(board_->beat);
    std::this_thread::yield();
  }
}

void Execution::PostMarker(Side side) {
  Watched& w = watched(side);
  End& end = rig_->end(side);
  const Library& lib = rig_->library();
  Operation marker;
  marker.marker = true;
  marker.wr_id = kMarkerContext;
  const void* context = reinterpret_cast<const void*>(kMarkerContext);
  int code;
  if (marker_reads_) {
    code = lib.rpma_read(end.conn, end.marker, 8, end.to_marker, 0, 8, RPMA_F_COMPLETION_ALWAYS,
                         context);
  } else if (lib.rpma_write != nullptr) {
    marker.page = &spec::rpma_write::kPage;
    code = lib.rpma_write(end.conn, end.to_marker, 8, end.marker, 0, 8, RPMA_F_COMPLETION_ALWAYS,
                          context);
  } else {
    constexpr char kWord[8] = {};
    marker.page = &spec::rpma_atomic_write::kPage;
    code =
        lib.rpma_atomic_write(end.conn, end.to_marker, 8, kWord, RPMA_F_COMPLETION_ALWAYS, context);
  }
  if (trace_) Say("marker  returned " + spec::model::NameOfCode(code));
  if (w.queue.MarkerReturned(marker, code)) w.marker = Marker::kPending;
}

// A queue full of silent successes has no room for a marker. The fake keeps it full until a
// completion is polled, as hardware does; soft-RoCE makes room as soon as an operation is done.
void Execution::PostMarkerWhenThereIsRoom(Side side) {
  constexpr int kTries = 200;
  Watched& w = watched(side);
  w.marker = Marker::kNotPosted;
  for (int i = 0; i < kTries && !finding_; ++i) {
    PostMarker(side);
    if (w.marker != Marker::kNotPosted || fake_ != nullptr) return;
    Poll(side, 4);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Execution::Settle(Side side) {
  Watched& w = watched(side);
  if (w.blocked) {
    while (Poll(side, 4) > 0) {
    }
    return w.queue.Settled(/*alive=*/false);
  }
  if (w.queue.full()) PollUntil(side, [&] { return !w.queue.full() || !w.queue.OwesCompletion(); });
  if (finding_) return;
  PostMarkerWhenThereIsRoom(side);
  if (finding_) return;
  TakeSteps(SIZE_MAX, 0);
  PollUntil(side, [&] {
    return w.marker == Marker::kNotPosted ? !w.queue.OwesCompletion()
                                          : w.marker != Marker::kPending;
  });
  while (!finding_ && Poll(side, 4) > 0) {
  }
  // Without a marker nothing is known of silent operations; but the fake has at least run them all.
  if (finding_ || (w.marker == Marker::kNotPosted && fake_ == nullptr && !w.queue.broken())) return;
  w.queue.Settled(w.marker == Marker::kSucceeded ||
                  (w.marker == Marker::kNotPosted && !w.queue.broken()));
}

void Execution::CheckMemory(Side side, bool alive) {
  const Side other = side == Side::kClient ? Side::kServer : Side::kClient;
  memory_check_.Settled(ViewOf(other), watched(side).queue, alive);
}

void Execution::Drain() {
  if (trace_) Say("step    drain");
  drained_ = true;
  TakeSteps(SIZE_MAX, 0);
  const bool server_takes_part = !server_.queue.operations().empty() || server_.queue.AnyRefused();
  Settle(Side::kClient);
  if (server_takes_part && !finding_) Settle(Side::kServer);
  if (finding_) return;
  CheckMemory(Side::kClient, client_.marker == Marker::kSucceeded ||
                                 (client_.queue.healthy() && fake_ != nullptr));
  if (!finding_)
    CheckMemory(Side::kServer, !server_.blocked && (server_.marker == Marker::kSucceeded ||
                                                    (server_.queue.healthy() && fake_ != nullptr)));
}

}  // namespace conformance
