// Bugs in the calls of endpoints, requests, connections and completion queues that are made by
// hand.
#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "property_tests/planted_bugs/call_bugs.h"

namespace planted {

namespace {

template <class Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
#define REAL(name) Next<decltype(::name)>(#name)

template <class T>
T* Pointer(const PassingCall& call, std::size_t i) {
  return reinterpret_cast<T*>(call.arguments[i]);
}

// Once, a call that succeeded has stored nothing but this byte.
template <unsigned char kByte>
std::int64_t Spoils(const PassingCall& call) {
  std::size_t size = 0;
  const std::int64_t code = call.Real();
  unsigned char* out = call.out(&size);
  if (code == 0 && out != nullptr && ItsTurn()) std::memset(out, kByte, size);
  return code;
}

// Once, a call says that it did what it has not begun.
std::int64_t Forgets(const PassingCall& call) { return ItsTurn() ? 0 : call.Real(); }

// Once, a call that is refused with this code gets another.
template <int kCode, int kOther>
std::int64_t Answers(const PassingCall& call) {
  const std::int64_t code = call.Real();
  return code == kCode && ItsTurn() ? kOther : code;
}

bool Readable(int fd) {
  pollfd wanted{fd, POLLIN, 0};
  return poll(&wanted, 1, 0) == 1;
}

// From now on nothing arrives at this descriptor.
void Silence(int fd) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) dup2(pair[0], fd);
}

// Once, the request behind the one that was asked for is lost.
std::int64_t LosesRequest(const PassingCall& call) {
  const std::int64_t code = call.Real();
  int fd = -1;
  if (code != 0 || REAL(rpma_ep_get_fd)(Pointer<rpma_ep>(call, 0), &fd) != 0 || !Readable(fd) ||
      !ItsTurn())
    return code;
  rpma_conn_req* lost = nullptr;
  REAL(rpma_ep_next_conn_req)(Pointer<rpma_ep>(call, 0), nullptr, &lost);
  REAL(rpma_conn_req_delete)(&lost);
  return code;
}

// Once, a request is forgotten instead of rejected.
std::int64_t NeverRejects(const PassingCall& call) {
  auto** request = Pointer<rpma_conn_req*>(call, 0);
  if (request == nullptr || *request == nullptr || !ItsTurn()) return call.Real();
  *request = nullptr;
  return 0;
}

// Once, the request's handle is still there.
std::int64_t KeepsRequest(const PassingCall& call) {
  auto** request = Pointer<rpma_conn_req*>(call, 0);
  rpma_conn_req* const handle = request != nullptr ? *request : nullptr;
  const std::int64_t code = call.Real();
  if (handle != nullptr && ItsTurn()) *request = handle;
  return code;
}

// Once, the connection never hears how its request ends.
std::int64_t NeverHears(const PassingCall& call) {
  const std::int64_t code = call.Real();
  int fd = -1;
  if (code == 0 && ItsTurn() &&
      REAL(rpma_conn_get_event_fd)(*Pointer<rpma_conn*>(call, 2), &fd) == 0)
    Silence(fd);
  return code;
}

std::int64_t TakesEmptyData(const PassingCall& call) {
  const auto* data = Pointer<const rpma_conn_private_data>(call, 1);
  return data != nullptr && data->len == 0 ? 0 : call.Real();
}

// Private data that is nowhere is refused with another code.
std::int64_t MisreportsNowhere(const PassingCall& call) {
  const auto* data = Pointer<const rpma_conn_private_data>(call, 1);
  const bool nowhere = data != nullptr && data->ptr == nullptr && data->len > 0;
  const std::int64_t code = call.Real();
  return nowhere && code == RPMA_E_INVAL ? RPMA_E_PROVIDER : code;
}

// Makes an event channel of its own, and says the wrong thing when it cannot.
std::int64_t MisreportsChannel(const PassingCall& call) {
  static const auto create = Next<void*()>("rdma_create_event_channel");
  static const auto destroy = Next<void(void*)>("rdma_destroy_event_channel");
  void* const channel = create();
  if (channel == nullptr) {
    REAL(rpma_conn_req_delete)(Pointer<rpma_conn_req*>(call, 0));
    return RPMA_E_NOMEM;
  }
  destroy(channel);
  return call.Real();
}

// Once, this event is given as another.
template <rpma_conn_event kEvent>
std::int64_t Confuses(const PassingCall& call) {
  const std::int64_t code = call.Real();
  auto* event = Pointer<rpma_conn_event>(call, 1);
  if (code == 0 && *event == kEvent && ItsTurn())
    *event = kEvent == RPMA_CONN_UNREACHABLE ? RPMA_CONN_LOST : RPMA_CONN_UNREACHABLE;
  return code;
}

std::int64_t ClosesAgain(const PassingCall& call) {
  const std::int64_t code = call.Real();
  if (code != RPMA_E_NO_EVENT || !ItsTurn()) return code;
  *Pointer<rpma_conn_event>(call, 1) = RPMA_CONN_CLOSED;
  return 0;
}

// Once, nothing arrives any more after this event.
std::int64_t LosesEvents(const PassingCall& call) {
  const std::int64_t code = call.Real();
  int fd = -1;
  if (code == 0 && ItsTurn() && REAL(rpma_conn_get_event_fd)(Pointer<rpma_conn>(call, 0), &fd) == 0)
    Silence(fd);
  return code;
}

std::int64_t ArmsNoSharedChannel(const PassingCall& call) {
  const std::int64_t code = call.Real();
  int fd = -1;
  if (code == 0 && ItsTurn() && REAL(rpma_conn_get_compl_fd)(Pointer<rpma_conn>(call, 0), &fd) == 0)
    Silence(fd);
  return code;
}

std::int64_t ArmsNoChannel(const PassingCall& call) {
  const std::int64_t code = call.Real();
  int fd = -1;
  if (code == 0 && ItsTurn() && REAL(rpma_cq_get_fd)(Pointer<rpma_cq>(call, 0), &fd) == 0)
    Silence(fd);
  return code;
}

std::int64_t MistakesQueue(const PassingCall& call) {
  const std::int64_t code = call.Real();
  bool* const is_rcq = Pointer<bool>(call, 3);
  if (code == 0 && is_rcq != nullptr && ItsTurn()) *is_rcq = !*is_rcq;
  return code;
}

std::int64_t Miscounts(const PassingCall& call) {
  const std::int64_t code = call.Real();
  int* const got = Pointer<int>(call, 3);
  if (code == 0 && got != nullptr && ItsTurn()) ++*got;
  return code;
}

std::int64_t MistakesOperation(const PassingCall& call) {
  const std::int64_t code = call.Real();
  if (code == 0 && ItsTurn()) Pointer<ibv_wc>(call, 2)->wr_id ^= 1;
  return code;
}

// Once, an entry behind the last is written.
std::int64_t WritesBehind(const PassingCall& call) {
  const std::int64_t code = call.Real();
  const int* const got = Pointer<int>(call, 3);
  if (code == 0 && got != nullptr && *got < static_cast<int>(call.arguments[1]) && ItsTurn())
    Pointer<ibv_wc>(call, 2)[*got].wr_id = 0;
  return code;
}

// The only reason for RPMA_E_INVAL beside an argument that is NULL.
std::int64_t MisreportsUnmapping(const PassingCall& call) {
  const std::int64_t code = call.Real();
  return code == RPMA_E_INVAL && call.arguments[0] != 0 ? RPMA_E_PROVIDER : code;
}

constexpr SpecialBug kConnectionBugs[] = {
    {"rpma_ep_listen.port-taken", Answers<RPMA_E_PROVIDER, RPMA_E_INVAL>},
    {"rpma_ep_get_fd.descriptor", Spoils<0xff>},
    {"rpma_ep_next_conn_req.due", LosesRequest},
    {"rpma_ep_next_conn_req.no-event", Answers<RPMA_E_NO_EVENT, RPMA_E_PROVIDER>},
    {"rpma_ep_next_conn_req.shared-channel-srq-rcq", Answers<RPMA_E_INVAL, RPMA_E_PROVIDER>},
    {"rpma_conn_req_new.shared-channel-srq-rcq", Answers<RPMA_E_INVAL, RPMA_E_PROVIDER>},
    {"rpma_conn_req_delete.rejects", NeverRejects},
    {"rpma_conn_req_connect.consumed", KeepsRequest},
    {"rpma_conn_req_connect.established", NeverHears},
    {"rpma_conn_req_connect.pdata-empty", TakesEmptyData},
    {"rpma_conn_req_connect.no-memory", MisreportsAllocation},
    {"rpma_conn_req_connect.other-call-fails", MisreportsChannel},
    {"rpma_conn_req_connect.pdata-ptr-null", MisreportsNowhere},
    {"rpma_conn_req_get_private_data.data", Spoils<0>},
    {"rpma_conn_get_event_fd.descriptor", Spoils<0xff>},
    {"rpma_conn_next_event.established", Confuses<RPMA_CONN_ESTABLISHED>},
    {"rpma_conn_next_event.closed", Confuses<RPMA_CONN_CLOSED>},
    {"rpma_conn_next_event.rejected", Confuses<RPMA_CONN_REJECTED>},
    {"rpma_conn_next_event.lost", Confuses<RPMA_CONN_LOST>},
    {"rpma_conn_next_event.unreachable", Confuses<RPMA_CONN_UNREACHABLE>},
    {"rpma_conn_next_event.closed-once", ClosesAgain},
    {"rpma_conn_next_event.due", LosesEvents},
    {"rpma_conn_next_event.nothing-pending", Answers<RPMA_E_NO_EVENT, RPMA_E_PROVIDER>},
    {"rpma_conn_next_event.no-memory", MisreportsAllocation},
    {"rpma_conn_get_private_data.data", Spoils<0>},
    {"rpma_conn_apply_remote_peer_cfg.applied", Forgets},
    {"rpma_conn_get_qp_num.unique", Spoils<0xff>},
    {"rpma_conn_get_cq.queue", Spoils<0>},
    {"rpma_conn_get_rcq.queue", Spoils<0>},
    {"rpma_conn_disconnect.closes", Forgets},
    {"rpma_conn_delete.munmap", MisreportsUnmapping},
    {"rpma_conn_get_compl_fd.descriptor", Spoils<0xff>},
    {"rpma_conn_get_compl_fd.not-shared", Answers<RPMA_E_NOT_SHARED_CHNL, RPMA_E_INVAL>},
    {"rpma_conn_wait.queue", Spoils<0>},
    {"rpma_conn_wait.is-rcq", MistakesQueue},
    {"rpma_conn_wait.due", ArmsNoSharedChannel},
    {"rpma_conn_wait.not-shared", Answers<RPMA_E_NOT_SHARED_CHNL, RPMA_E_INVAL>},
    {"rpma_conn_wait.no-completion", Answers<RPMA_E_NO_COMPLETION, RPMA_E_PROVIDER>},
    {"rpma_cq_get_fd.descriptor", Spoils<0xff>},
    {"rpma_cq_wait.due", ArmsNoChannel},
    {"rpma_cq_wait.no-completion", Answers<RPMA_E_NO_COMPLETION, RPMA_E_PROVIDER>},
    {"rpma_cq_wait.shared-channel", Answers<RPMA_E_SHARED_CHANNEL, RPMA_E_INVAL>},
    {"rpma_cq_get_wc.got", Miscounts},
    {"rpma_cq_get_wc.completions", MistakesOperation},
    {"rpma_cq_get_wc.within", WritesBehind},
    {"rpma_cq_get_wc.no-completion", Answers<RPMA_E_NO_COMPLETION, RPMA_E_UNKNOWN>},
};

}  // namespace

std::span<const SpecialBug> ConnectionBugs() { return kConnectionBugs; }

}  // namespace planted
