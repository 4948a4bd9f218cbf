#include "provider.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

namespace rpma::test {
namespace {

Provider* current = nullptr;

int PostSend(ibv_qp* qp, ibv_send_wr* wr, ibv_send_wr**) {
  return current->data_path.PostSend(qp, wr);
}
int PostRecv(ibv_qp* qp, ibv_recv_wr* wr, ibv_recv_wr**) {
  return current->data_path.PostRecv(qp, wr);
}
int PostSrqRecv(ibv_srq* srq, ibv_recv_wr* wr, ibv_recv_wr**) {
  return current->data_path.PostSrqRecv(srq, wr);
}
int PollCq(ibv_cq* cq, int num_entries, ibv_wc* wc) {
  return current->data_path.PollCq(cq, num_entries, wc);
}
int ReqNotifyCq(ibv_cq*, int) { return current->Fails("ibv_req_notify_cq") ? errno : 0; }

int AdviseMr(ibv_pd* pd, ibv_advise_mr_advice advice, uint32_t flags, ibv_sge* sge, uint32_t n) {
  return current->data_path.AdviseMr(pd, advice, flags, sge, n);
}

int QueryDeviceEx(ibv_context*, const ibv_query_device_ex_input*, ibv_device_attr_ex* attr,
                  size_t size) {
  if (current->Fails("ibv_query_device_ex")) return errno;
  *attr = {};
  EXPECT_EQ(size, sizeof(*attr));
  attr->device_cap_flags_ex = current->device_cap_flags_ex;
  if (current->odp_capable) {
    attr->odp_caps.general_caps = IBV_ODP_SUPPORT;
    attr->odp_caps.per_transport_caps.rc_odp_caps = IBV_ODP_SUPPORT_WRITE | IBV_ODP_SUPPORT_READ;
  }
  return 0;
}

}  // namespace

Provider::Provider() {
  current = this;
  context.context.abi_compat = __VERBS_ABI_IS_EXTENDED;
  context.sz = sizeof(context);
  context.query_device_ex = QueryDeviceEx;
  context.advise_mr = AdviseMr;
  context.context.device = &device;
  context.context.ops.post_send = PostSend;
  context.context.ops.post_recv = PostRecv;
  context.context.ops.post_srq_recv = PostSrqRecv;
  context.context.ops.poll_cq = PollCq;
  context.context.ops.req_notify_cq = ReqNotifyCq;
  device.transport_type = IBV_TRANSPORT_IB;
}

Provider::~Provider() { current = nullptr; }

Provider& Provider::Get() { return *current; }

void Provider::FailNthCall(int nth, int error) {
  failing_call_ = nth;
  error_ = error;
  failable_calls_ = 0;
  fault_fired_ = false;
}

void Provider::FailVerb(std::string_view verb, int error, int times) {
  failing_verb_ = verb;
  failing_times_ = times;
  error_ = error;
  fault_fired_ = false;
}

void Provider::CancelInNthCall(int nth) {
  cancelling_call_ = nth;
  failable_calls_ = 0;
}

bool Provider::Fails(const char* verb) {
  Note(verb);
  ++failable_calls_;
  if (failable_calls_ == cancelling_call_) pthread_testcancel();
  const bool by_verb = failing_times_ > 0 && failing_verb_ == verb;
  if (by_verb) --failing_times_;
  if (!by_verb && failable_calls_ != failing_call_) return false;
  fault_fired_ = true;
  errno = error_;
  return true;
}

void Provider::Note(const char* verb) {
  const AllocationsSucceed guard;
  calls_.emplace_back(verb);
}

bool Provider::IsUsedByQp(const void* object) const {
  return std::any_of(qps.begin(), qps.end(), [object](const ibv_qp* qp) {
    return object == qp->srq || object == qp->send_cq || object == qp->recv_cq;
  });
}

std::string Provider::Leftovers() const {
  std::string all;
  for (const auto& [object, kind] : live_) all += kind + " ";
  return all;
}

int Provider::CountCalls(std::string_view verb) const {
  return static_cast<int>(std::count(calls_.begin(), calls_.end(), verb));
}

void Provider::Push(rdma_event_channel* channel, rdma_cm_event_type type, rdma_cm_id* id,
                    std::string_view data) {
  const AllocationsSucceed guard;
  events[channel].push_back({type, id, std::string(data)});
}

// Its id comes to life when the event is read, as in librdmacm.
void Provider::PushRequest(std::string_view data) {
  Push(listener->channel, RDMA_CM_EVENT_CONNECT_REQUEST, nullptr, data);
}

}  // namespace rpma::test
