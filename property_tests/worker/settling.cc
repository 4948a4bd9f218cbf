// Execution, the part that collects completions and compares memories.
#include <arpa/inet.h>
#include <librpma.h>

#include <array>
#include <chrono>
#include <thread>

#include "property_tests/worker/execution.h"
#include "spec/model/text.h"
#include "spec/rpma_atomic_write.h"
#include "spec/rpma_flush.h"
#include "spec/rpma_write.h"

namespace conformance {

using spec::model::Operation;
using spec::model::Text;

namespace {

const char* NameOf(ibv_wc_status status) {
  constexpr const char* kNames[] = {
      "success",        "LOC_LEN_ERR", "LOC_QP_OP_ERR", "LOC_EEC_OP_ERR",   "LOC_PROT_ERR",
      "WR_FLUSH_ERR",   "MW_BIND_ERR", "BAD_RESP_ERR",  "LOC_ACCESS_ERR",   "REM_INV_REQ_ERR",
      "REM_ACCESS_ERR", "REM_OP_ERR",  "RETRY_EXC_ERR", "RNR_RETRY_EXC_ERR"};
  const auto index = static_cast<std::size_t>(status);
  return index < std::size(kNames) ? kNames[index] : "another error";
}

}  // namespace

int Execution::PollReceives(Side side, int entries) {
  const End& end = rig_->end(side);
  rpma_cq* receives = end.shared_rcq != nullptr ? end.shared_rcq : end.rcq;
  return PollQueue(side, receives != nullptr ? receives : end.cq, entries);
}

int Execution::PollAll(Side side) {
  constexpr int kEntries = 4;
  int got = Poll(side, kEntries);
  if (rig_->end(side).rcq != nullptr || rig_->end(side).shared_rcq != nullptr)
    got += PollReceives(side, kEntries);
  return got;
}

// Under the seeded schedule a poll that finds nothing has moved something.
void Execution::PollAllThereIs(Side side) {
  AwaitArrivals();
  while (!finding_ && (PollAll(side) > 0 || (seeded() && fake_->EnabledSteps() > 0))) {
  }
}

int Execution::PollQueue(Side side, rpma_cq* cq, int entries) {
  std::array<ibv_wc, 64>& wcs = rig_->buffers().wcs;
  int got = 0;
  entries = std::min(entries, static_cast<int>(wcs.size()));
  const int code =
      rig_->library(side).rpma_cq_get_wc(cq, entries, wcs.data(), entries > 1 ? &got : nullptr);
  if (code != 0) {
    if (trace_ && code != RPMA_E_NO_COMPLETION)
      Say(side, event::kNote, "rpma_cq_get_wc returned " + spec::model::NameOfCode(code));
    return 0;
  }
  if (entries == 1) got = 1;
  for (int i = 0; i < got && i < entries && !finding_; ++i) {
    Side end = side;
    const End& other = rig_->other(side);
    if (!rig_->in_two_processes() && cq == other.shared_rcq && wcs[i].qp_num == other.qp_num)
      end = OtherThan(side);
    Completed(end, wcs[i], cq != rig_->end(side).cq);
  }
  return got;
}

// Of a completion with an error, only wr_id, status and qp_num are read.
void Execution::Completed(Side side, const ibv_wc& wc, bool receives_only) {
  const bool success = wc.status == IBV_WC_SUCCESS;
  Watched& w = watched(side);
  bool receive = receives_only;
  if (!receives_only && success) receive = (wc.opcode & IBV_WC_RECV) != 0;
  if (!receives_only && !success) receive = !w.queue.Awaits(wc.wr_id) && ReceiveOf(side, wc.wr_id);
  if (receive) return Arrived(side, wc);
  if (trace_)
    Say(side, event::kCompletion,
        Text("wr_id 0x", spec::model::Hex(wc.wr_id), " status ", NameOf(wc.status)));
  if (!success) w.broken = true;
  if (wc.wr_id == kMarkerContext) w.marker = success ? Marker::kSucceeded : Marker::kFailed;
  w.queue.Completed(wc.wr_id, success, NameOf(wc.status));
  if (success) CheckFlushed(side);
}

bool Execution::ReceiveOf(Side side, std::uint64_t wr_id) {
  return watched(side).receives.Awaits(wr_id) || ReceivesOf(side).Awaits(wr_id);
}

void Execution::Arrived(Side side, const ibv_wc& wc) {
  const bool success = wc.status == IBV_WC_SUCCESS;
  spec::model::Arrival arrival{wc.wr_id, success, NameOf(wc.status), {}};
  if (success) {
    arrival.label.write = wc.opcode == IBV_WC_RECV_RDMA_WITH_IMM;
    arrival.label.has_imm = (wc.wc_flags & IBV_WC_WITH_IMM) != 0;
    if (arrival.label.has_imm) arrival.label.imm = ntohl(wc.imm_data);
    arrival.label.byte_len = wc.byte_len;
  }
  if (trace_)
    Say(side, event::kCompletion,
        Text("of a receive, wr_id 0x", spec::model::Hex(wc.wr_id), " status ", NameOf(wc.status)) +
            (success
                 ? Text(" byte_len ", arrival.label.byte_len,
                        arrival.label.has_imm ? Text(" imm 0x", spec::model::Hex(arrival.label.imm))
                                              : std::string())
                 : std::string()));
  spec::model::ReceiveQueue& own = watched(side).receives;
  spec::model::ReceiveQueue& receives = own.Awaits(wc.wr_id) ? own : ReceivesOf(side);
  receives.Arrived(static_cast<int>(side), arrival);
  if (success && wc.wr_id == kOwnContext && !finding_) CheckOwnBuffer(side, receives);
}

// A flush that has completed has pushed the writes before it into the other end's memory.
void Execution::CheckFlushed(Side side) {
  const spec::model::SendQueue& queue = watched(side).queue;
  const std::size_t index = queue.last_completed();
  if (index >= queue.operations().size()) return;
  const Operation& operation = queue.operations()[index];
  if (operation.page == &spec::rpma_flush::kPage && operation.fate == spec::model::Fate::kSucceeds)
    memory_check_.Flushed(ViewOf(OtherThan(side)), queue, index);
}

// rpma_cq_wait, when the queue's file descriptor says that it will not block.
void Execution::Wait(Side side) {
  const Library& lib = rig_->library(side);
  if (lib.rpma_cq_get_fd == nullptr || lib.rpma_cq_wait == nullptr) return;
  int fd = -1;
  if (lib.rpma_cq_get_fd(rig_->end(side).cq, &fd) != 0) return;
  const int code =
      rig_->Readable(side, fd) ? lib.rpma_cq_wait(rig_->end(side).cq) : RPMA_E_NO_COMPLETION;
  if (trace_) Say(side, event::kReturn, spec::model::NameOfCode(code));
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
    if (PollAll(side) > 0) continue;
    if (fake_ != nullptr && fake_->EnabledSteps() > 0) {
      TakeSteps(SIZE_MAX, 0);
      Count(board_->beat);
      i = 0;  // while something moves, nobody waits in vain
    }
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
  const Library& lib = rig_->library(side);
  Operation marker;
  marker.marker = true;
  marker.wr_id = kMarkerContext;
  marker.writes = spec::model::Writes::kNothing;
  const void* context = reinterpret_cast<const void*>(kMarkerContext);
  int code;
  if (abilities_.reads) {
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
  if (trace_)
    Say(side, event::kSuite, Text("posts a marker: returned ", spec::model::NameOfCode(code)));
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
    PollAll(side);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Nothing more will move: a message that had to get through has not stopped before its receive.
void Execution::CheckNotStuck(Side to) {
  PollAllThereIs(to);
  const Watched& sender = watched(OtherThan(to));
  // A full queue had no room for a marker.
  const bool full = sender.marker == Marker::kNotPosted && sender.queue.full() && !sender.broken;
  const bool waited = sender.marker == Marker::kPending || (full && sender.queue.OwesCompletion());
  if (!finding_) ReceivesOf(to).Stuck(static_cast<int>(to), waited);
}

void Execution::Settle(Side side) {
  Watched& w = watched(side);
  if (w.blocked) {
    PollAllThereIs(side);
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
  if (!finding_ &&
      (w.marker == Marker::kPending || (w.marker == Marker::kNotPosted && fake_ != nullptr)))
    CheckNotStuck(OtherThan(side));
  PollAllThereIs(side);
  // Without a marker nothing is known of silent operations; but the fake has at least run them all.
  if (finding_ || (w.marker == Marker::kNotPosted && fake_ == nullptr && !w.queue.broken())) return;
  w.queue.Settled(w.marker == Marker::kSucceeded ||
                  (w.marker == Marker::kNotPosted && !w.queue.broken()));
}

// Everything that this end has posted is known to have run.
bool Execution::Alive(Side side) {
  const Watched& w = watched(side);
  return !w.blocked && (w.marker == Marker::kSucceeded || (w.queue.healthy() && fake_ != nullptr));
}

// Completions of receives that are certain to come.
void Execution::SettleReceives() {
  for (const Side side : {Side::kClient, Side::kServer}) {
    const bool alive = Alive(OtherThan(side));
    spec::model::ReceiveQueue& receives = ReceivesOf(side);
    const int to = static_cast<int>(side);
    PollUntil(side, [&] { return receives.Owed(to, alive) == 0; });
    PollUntil(side, [&] { return !watched(side).receives.OwesFailures(); });
    WaitForOpenMessages(side);
    if (finding_) return;
  }
  const bool client = Alive(Side::kClient);
  const bool server = Alive(Side::kServer);
  const bool two = rig_->in_two_processes();
  SharedReceivesOf(Side::kClient).Settled(server && (two || client));
  if (two) SharedReceivesOf(Side::kServer).Settled(client);
  client_.receives.Settled(server);
  server_.receives.Settled(client);
}

// Messages of which it is open whether they arrive: a moment, on a NIC that takes its time.
void Execution::WaitForOpenMessages(Side side) {
  constexpr int kTries = 50;
  const spec::model::ReceiveQueue& receives = ReceivesOf(side);
  AwaitArrivals();
  for (int i = 0; !finding_; ++i) {
    if (PollAll(side) > 0 || (seeded() && fake_->EnabledSteps() > 0)) continue;
    if (fake_ != nullptr || i >= kTries || !receives.MayArrive(static_cast<int>(side))) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Execution::CheckMemory(Side side) {
  const Side other = OtherThan(side);
  const int memory = static_cast<int>(side);
  memory_check_.Begin(ViewOf(side));
  memory_check_.WrittenBy(watched(other).queue, Alive(other));
  memory_check_.ReadBy(watched(side).queue, Alive(side));
  memory_check_.ReceivedBy(watched(side).receives, memory);
  memory_check_.ReceivedBy(SharedReceivesOf(side), memory);
  memory_check_.Judge(last_page_, last_refused_);
}

void Execution::Drain() {
  if (trace_)
    Say(at::kNowhere, event::kSuite, "waits for all completions and looks at both memories");
  drained_ = true;
  TakeSteps(SIZE_MAX, 0);
  for (const Side side : {Side::kServer, Side::kClient})
    if (!finding_) Rescue(side);
  if (finding_) return;
  const bool server_takes_part = !server_.queue.operations().empty() || server_.queue.AnyRefused();
  Settle(Side::kClient);
  if (server_takes_part && !finding_) Settle(Side::kServer);
  if (!finding_) SettleReceives();
  for (const Side side : {Side::kServer, Side::kClient})
    if (!finding_) CheckMemory(side);
}

}  // namespace conformance
