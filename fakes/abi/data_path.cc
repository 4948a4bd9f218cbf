// The data path: what the inline verbs reach through ibv_context::ops. ibv_post_send(3),
// ibv_post_recv(3), ibv_poll_cq(3).
#include <infiniband/verbs.h>

#include <algorithm>
#include <array>

#include "abi/edge.h"
#include "abi/objects.h"

namespace fakenic {
namespace {

constexpr int kFewSges = 4;  // longer lists are copied to the heap

static_assert(sizeof(Sge) == sizeof(ibv_sge));

void Copy(const ibv_sge* list, int count, Sge* to) {
  for (int i = 0; i < count; ++i) to[i] = {list[i].addr, list[i].length, list[i].lkey};
}

// Calls post with the work request's sges in the model's own type. A list longer than the queue
// takes is not even read.
template <typename Wr, typename F>
int WithSges(const Wr& wr, uint32_t most, F&& post) {
  if (wr.num_sge > static_cast<int>(most)) [[unlikely]] {
    return EINVAL;
  }
  if (wr.num_sge <= kFewSges) [[likely]] {
    std::array<Sge, kFewSges> few;
    Copy(wr.sg_list, wr.num_sge, few.data());
    return post(std::span<const Sge>(few.data(), static_cast<size_t>(std::max(wr.num_sge, 0))));
  }
  std::vector<Sge> many(static_cast<size_t>(wr.num_sge));
  Copy(wr.sg_list, wr.num_sge, many.data());
  return post(std::span<const Sge>(many));
}

int PostSend(ibv_qp* qp, ibv_send_wr* wr, ibv_send_wr** bad_wr) {
  Qp& model = *From<FakeQp>(qp)->model;
  Edge& nic = edge();
  const Locked locked(nic);
  for (; wr != nullptr; wr = wr->next) {
    int error = nic.faults.FireHeld("ibv_post_send");
    if (error == 0) {
      error = WithSges(*wr, model.init().cap.max_send_sge, [&](std::span<const Sge> sges) {
        return nic.fabric.PostSend(
            model, {wr->wr_id, static_cast<WrOpcode>(wr->opcode), wr->send_flags, sges,
                    wr->wr.rdma.remote_addr, wr->wr.rdma.rkey});
      });
    }
    if (error != 0) [[unlikely]] {
      *bad_wr = wr;
      return error;
    }
  }
  return 0;
}

int PostRecv(ibv_qp* qp, ibv_recv_wr* wr, ibv_recv_wr** bad_wr) {
  Qp& model = *From<FakeQp>(qp)->model;
  Edge& nic = edge();
  const Locked locked(nic);
  for (; wr != nullptr; wr = wr->next) {
    int error = nic.faults.FireHeld("ibv_post_recv");
    if (error == 0) {
      error = WithSges(*wr, model.init().cap.max_recv_sge, [&](std::span<const Sge> sges) {
        return nic.fabric.PostRecv(model, {wr->wr_id, sges});
      });
    }
    if (error != 0) {
      *bad_wr = wr;
      return error;
    }
  }
  return 0;
}

int PollCq(ibv_cq* cq, int num_entries, ibv_wc* wc) {
  Cq& model = *From<FakeCq>(cq)->model;
  Edge& nic = edge();
  const std::lock_guard<std::mutex> lock(nic.mutex);
  if (nic.faults.FireHeld("ibv_poll_cq") != 0) return -1;
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
  const std::lock_guard<std::mutex> lock(edge().mutex);
  Cq* model = FromContext(cq->context)->model.FindCq(cq->handle);
  if (model == nullptr) return ENOENT;
  model->RequestNotify(solicited_only != 0);
  return 0;
}

}  // namespace

void FillDataPath(verbs_context& verbs) {
  ibv_context_ops& ops = verbs.context.ops;
  ops.poll_cq = PollCq;
  ops.req_notify_cq = ReqNotifyCq;
  ops.post_send = PostSend;
  ops.post_recv = PostRecv;
}

}  // namespace fakenic
