#include "abi/faults.h"

#include <algorithm>
#include <mutex>

#include "abi/edge.h"

namespace fakenic {
namespace {

// Sorted.
constexpr std::string_view kCanFail[] = {
    "ibv_advise_mr",
    "ibv_alloc_pd",
    "ibv_create_comp_channel",
    "ibv_create_cq",
    "ibv_create_qp",
    "ibv_create_srq",
    "ibv_dealloc_pd",
    "ibv_dereg_mr",
    "ibv_destroy_comp_channel",
    "ibv_destroy_cq",
    "ibv_destroy_qp",
    "ibv_destroy_srq",
    "ibv_get_cq_event",
    "ibv_modify_qp",
    "ibv_modify_srq",
    "ibv_open_device",
    "ibv_poll_cq",
    "ibv_post_recv",
    "ibv_post_send",
    "ibv_post_srq_recv",
    "ibv_query_device",
    "ibv_query_qp",
    "ibv_query_srq",
    "ibv_reg_mr",
    "ibv_req_notify_cq",
    "ibv_resize_cq",
    "ibv_wr_complete",
    "rdma_accept",
    "rdma_ack_cm_event",
    "rdma_bind_addr",
    "rdma_connect",
    "rdma_create_event_channel",
    "rdma_create_id",
    "rdma_create_qp",
    "rdma_destroy_id",
    "rdma_disconnect",
    "rdma_establish",
    "rdma_get_cm_event",
    "rdma_get_request",
    "rdma_getaddrinfo",
    "rdma_listen",
    "rdma_migrate_id",
    "rdma_notify",
    "rdma_reject",
    "rdma_resolve_addr",
    "rdma_resolve_route",
    "rdma_set_option",
};
static_assert(std::is_sorted(std::begin(kCanFail), std::end(kCanFail)));

}  // namespace

bool Faults::CanFail(std::string_view call) {
  return std::binary_search(std::begin(kCanFail), std::end(kCanFail), call);
}

void Faults::Plan(std::string_view call, unsigned nth, int error) {
  Planned& planned = plans_[std::string(call)];
  planned.countdown = nth;
  planned.error = error;
  armed_ = true;
}

unsigned Faults::fired(std::string_view call) const {
  const auto found = plans_.find(call);
  return found == plans_.end() ? 0 : found->second.fired;
}

unsigned Faults::left(std::string_view call) const {
  const auto found = plans_.find(call);
  return found == plans_.end() ? 0 : found->second.countdown;
}

void Faults::Clear() {
  plans_.clear();
  armed_ = false;
}

int Faults::LockAndFire(std::string_view call) {
  const std::lock_guard lock(edge().mutex);
  return FirePlanned(call);
}

int Faults::FirePlanned(std::string_view call) {
  const auto found = plans_.find(call);
  if (found == plans_.end() || found->second.countdown == 0) return 0;
  Planned& planned = found->second;
  if (--planned.countdown > 0) return 0;
  ++planned.fired;
  return planned.error;
}

}  // namespace fakenic
