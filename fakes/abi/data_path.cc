// The data path: what the inline verbs reach through ibv_context::ops. ibv_post_send(3),
// ibv_post_recv(3), ibv_post_srq_recv(3), ibv_poll_cq(3).
#include <infiniband/verbs.h>

#include <algorithm>
#include <cstddef>

#include "abi/edge.h"
#include "abi/objects.h"

namespace fakenic {
namespace {

static_assert(sizeof(Sge) == sizeof(ibv_sge));
static_assert(offsetof(Sge, length) == offsetof(ibv_sge, length));
static_assert(offsetof(Sge, lkey) == offsetof(ibv_sge, lkey));

// The work request's sges. Requires num_sge to be within the queue's limit, as a longer list is not
// even read.
template <typename Wr>
std::span<const Sge> SgesOf(const Wr& wr) {
  return {reinterpret_cast<const Sge*>(wr.sg_list), static_cast<size_t>(std::max(wr.num_sge, 0))};
}

int PostSendOne(Edge& nic, Qp& qp, const ibv_send_wr& wr) {
  if (const int error = nic.faults.FireHeld("ibv_post_send")) return error;
  if (wr.num_sge > static_cast<int>(qp.init().cap.max_send_sge)) {
    return nic.fabric.device().profile().post_send_too_many_sges;
  }
  if (NeedsBuilder(static_cast<WrOpcode>(wr.opcode))) return EINVAL;
  SendWr send{wr.wr_id,   static_cast<WrOpcode>(wr.opcode), wr.send_flags,
              SgesOf(wr), wr.wr.rdma.remote_addr,           wr.wr.rdma.rkey,
              wr.imm_data};
  if (IsAtomic(send.opcode)) {
    send.remote_addr = wr.wr.atomic.remote_addr;
    send.rkey = wr.wr.atomic.rkey;
    send.compare_add = wr.wr.atomic.compare_add;
    send.swap = wr.wr.atomic.swap;
  }
  return nic.fabric.PostSend(qp, send);
}

int PostRecvOne(Edge& nic, Qp& qp, const ibv_recv_wr& wr) {
  if (const int error = nic.faults.FireHeld("ibv_post_recv")) return error;
  if (wr.num_sge > static_cast<int>(qp.init().cap.max_recv_sge)) return EINVAL;
  return nic.fabric.PostRecv(qp, {wr.wr_id, SgesOf(wr)});
}

int PostSrqRecvOne(Edge& nic, Srq& srq, const ibv_recv_wr& wr) {
  if (const int error = nic.faults.FireHeld("ibv_post_srq_recv")) return error;
  if (wr.num_sge > static_cast<int>(srq.queue.max_sge())) return EINVAL;
  return nic.fabric.PostSrqRecv(srq, {wr.wr_id, SgesOf(wr)});
}

// Posts a chain: those before the first bad one stay posted.
template <typename Queue, typename Wr, typename PostOne>
int PostChain(Queue& queue, Wr* wr, Wr** bad_wr, PostOne post_one) {
  Edge& nic = edge();
  const Locked locked(nic);
  for (; wr != nullptr; wr = wr->next) {
    if (const int error = post_one(nic, queue, *wr)) [[unlikely]] {
      *bad_wr = wr;
      return error;
    }
  }
  return 0;
}

// A device that keeps what it refuses for its state keeps the rest of the list too.
void KeepRest(Qp& qp, ibv_send_wr** bad_wr) {
  Edge& nic = edge();
  const Locked locked(nic);
  if (!nic.fabric.KeepsEarly(qp)) return;
  for (const ibv_send_wr* wr = (*bad_wr)->next; wr != nullptr; wr = wr->next) {
    PostSendOne(nic, qp, *wr);
  }
  *bad_wr = nullptr;
}

int PostSend(ibv_qp* qp, ibv_send_wr* wr, ibv_send_wr** bad_wr) {
  if (wr == nullptr) return edge().fabric.device().profile().post_send_of_nothing;
  Qp& model = *From<FakeQp>(qp)->model;
  const int error = PostChain(model, wr, bad_wr, PostSendOne);
  if (error != 0) [[unlikely]] {
    KeepRest(model, bad_wr);
  }
  return error;
}

int PostRecv(ibv_qp* qp, ibv_recv_wr* wr, ibv_recv_wr** bad_wr) {
  return PostChain(*From<FakeQp>(qp)->model, wr, bad_wr, PostRecvOne);
}

int PostSrqRecv(ibv_srq* srq, ibv_recv_wr* wr, ibv_recv_wr** bad_wr) {
  return PostChain(*From<FakeSrq>(srq)->model, wr, bad_wr, PostSrqRecvOne);
}

int PollCq(ibv_cq* cq, int num_entries, ibv_wc* wc) {
  Cq& model = *From<FakeCq>(cq)->model;
  Edge& nic = edge();
  const std::lock_guard lock(nic.mutex);
  if (nic.faults.FireHeld("ibv_poll_cq") != 0) return -1;
  if (nic.fabric.moves_on_poll()) [[unlikely]] {
    nic.BeforePoll();
  }
  int polled = 0;
  for (; polled < num_entries && model.size() > 0; ++polled) {
    const Completion& completion = nic.fabric.Poll(model);
    wc[polled] = {};
    wc[polled].wr_id = completion.wr_id;
    wc[polled].status = static_cast<ibv_wc_status>(completion.status);
    wc[polled].opcode = static_cast<ibv_wc_opcode>(completion.opcode);
    wc[polled].vendor_err = completion.vendor_err;
    wc[polled].byte_len = completion.byte_len;
    wc[polled].imm_data = completion.imm_data;
    wc[polled].qp_num = completion.qp_num;
    wc[polled].wc_flags = completion.wc_flags;
  }
  return polled;
}

int ReqNotifyCq(ibv_cq* cq, int solicited_only) {
  if (const int error = edge().faults.Fire("ibv_req_notify_cq")) return error;
  const Locked locked;
  Cq* model = FromContext(cq->context)->model.FindCq(cq->handle);
  if (model == nullptr) return ENOENT;
  edge().fabric.RequestNotify(*model, solicited_only != 0);
  return 0;
}

}  // namespace

void FillDataPath(verbs_context& verbs) {
  ibv_context_ops& ops = verbs.context.ops;
  ops.poll_cq = PollCq;
  ops.req_notify_cq = ReqNotifyCq;
  ops.post_send = PostSend;
  ops.post_recv = PostRecv;
  ops.post_srq_recv = PostSrqRecv;
}

}  // namespace fakenic
