#include "nic/context.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <memory>
#include <set>
#include <vector>

namespace fakenic {
namespace {

template <typename T>
std::vector<T*> All(const SlotMap<T>& map) {
  std::vector<T*> all;
  map.ForEach([&](T& object) { all.push_back(&object); });
  return all;
}

// How many entries a CQ gets that is asked to hold this many.
size_t CqSize(const Profile& profile, int cqe) {
  const auto asked = static_cast<size_t>(cqe);
  if (!profile.cq_sizes_are_rounded) return asked;
  return std::min<size_t>(std::bit_ceil(asked + 1) - 1, profile.limits.max_cqe);
}

}  // namespace

Context::~Context() {
  for (Qp* qp : All(qps_)) DestroyQp(qp->handle);
  for (Srq* srq : All(srqs_)) DestroySrq(srq->handle);
  for (Mr* mr : All(mrs_)) DeregMr(mr->handle);
  for (Cq* cq : All(cqs_)) DestroyCq(cq->handle);
  for (Pd* pd : All(pds_)) DeallocPd(pd->handle);
  for (CompChannel* channel : std::set(channels_)) DestroyCompChannel(channel);
}

Made<Pd> Context::AllocPd() {
  if (fabric_.counts().pds >= fabric_.device().limits().max_pd) return {nullptr, ENOMEM};
  auto pd = std::make_unique<Pd>();
  pd->handle = pds_.Insert(pd.get());
  ++fabric_.counts().pds;
  return {pd.release(), 0};
}

int Context::DeallocPd(uint32_t handle) {
  Pd* pd = pds_.Find(handle);
  if (pd == nullptr) return ENOENT;
  if (pd->children > 0) return EBUSY;
  pds_.Remove(handle);
  --fabric_.counts().pds;
  delete pd;
  return 0;
}

Made<Mr> Context::RegMr(uint32_t pd_handle, uint64_t addr, uint64_t length, uint32_t access) {
  Pd* pd = pds_.Find(pd_handle);
  if (pd == nullptr) return {nullptr, ENOENT};
  const uint32_t extra_rights = fabric_.device().extra_rights();
  if (const int error = CheckRegistration(addr, length, access, extra_rights))
    return {nullptr, error};
  auto mr = std::make_unique<Mr>(Mr{.pd = pd, .addr = addr, .length = length, .access = access});
  if (mrs_.full() || !fabric_.device().Add(*mr)) return {nullptr, ENOMEM};
  mr->handle = mrs_.Insert(mr.get());
  ++pd->children;
  ++fabric_.counts().mrs;
  return {mr.release(), 0};
}

int Context::DeregMr(uint32_t handle) {
  Mr* mr = mrs_.Find(handle);
  if (mr == nullptr) return ENOENT;
  fabric_.BeforeDereg(*mr);
  fabric_.device().Remove(*mr);
  mrs_.Remove(handle);
  --mr->pd->children;
  --fabric_.counts().mrs;
  delete mr;
  return 0;
}

CompChannel* Context::CreateCompChannel() {
  auto* channel = new CompChannel;
  channels_.insert(channel);
  ++fabric_.counts().comp_channels;
  return channel;
}

int Context::DestroyCompChannel(CompChannel* channel) {
  if (channel->cqs > 0) return EBUSY;
  channels_.erase(channel);
  --fabric_.counts().comp_channels;
  delete channel;
  return 0;
}

Made<Cq> Context::CreateCq(int cqe, CompChannel* channel) {
  if (cqe < 1 || static_cast<uint32_t>(cqe) > fabric_.device().limits().max_cqe) {
    return {nullptr, EINVAL};
  }
  if (fabric_.counts().cqs >= fabric_.device().limits().max_cq) return {nullptr, ENOMEM};
  auto cq = std::make_unique<Cq>(CqSize(fabric_.device().profile(), cqe), channel);
  cq->errors_are_solicited = fabric_.device().profile().errors_are_solicited;
  cq->handle = cqs_.Insert(cq.get());
  if (channel != nullptr) ++channel->cqs;
  ++fabric_.counts().cqs;
  return {cq.release(), 0};
}

int Context::ResizeCq(uint32_t handle, int cqe) {
  Cq* cq = cqs_.Find(handle);
  if (cq == nullptr) return ENOENT;
  if (cqe < 1 || static_cast<uint32_t>(cqe) > fabric_.device().limits().max_cqe) return EINVAL;
  if (static_cast<size_t>(cqe) < cq->size()) return EINVAL;
  cq->Resize(CqSize(fabric_.device().profile(), cqe));
  return 0;
}

int Context::DestroyCq(uint32_t handle) {
  Cq* cq = cqs_.Find(handle);
  if (cq == nullptr) return ENOENT;
  if (cq->users > 0) return EBUSY;
  fabric_.BeforeDestroy(*cq);
  if (CompChannel* channel = cq->channel(); channel != nullptr) {
    channel->events.RemoveIf([cq](Cq* raised) { return raised == cq; });
    --channel->cqs;
  }
  cqs_.Remove(handle);
  --fabric_.counts().cqs;
  delete cq;
  return 0;
}

Made<Srq> Context::CreateSrq(uint32_t pd_handle, uint32_t max_wr, uint32_t max_sge) {
  Pd* pd = pds_.Find(pd_handle);
  if (pd == nullptr) return {nullptr, ENOENT};
  const DeviceLimits& limits = fabric_.device().limits();
  if (max_wr == 0 || max_wr > limits.max_srq_wr || max_sge > limits.max_srq_sge) {
    return {nullptr, EINVAL};
  }
  if (fabric_.counts().srqs >= fabric_.device().limits().max_srq) return {nullptr, ENOMEM};
  auto srq = std::make_unique<Srq>(pd, max_wr, max_sge);
  srq->handle = srqs_.Insert(srq.get());
  ++pd->children;
  ++fabric_.counts().srqs;
  return {srq.release(), 0};
}

int Context::SetSrqLimit(uint32_t handle, uint32_t limit) {
  Srq* srq = srqs_.Find(handle);
  if (srq == nullptr) return ENOENT;
  if (limit > srq->queue.max_wr()) return EINVAL;
  srq->limit = limit;
  return 0;
}

int Context::DestroySrq(uint32_t handle) {
  Srq* srq = srqs_.Find(handle);
  if (srq == nullptr) return ENOENT;
  if (srq->users > 0) return EBUSY;
  srqs_.Remove(handle);
  --srq->pd->children;
  --fabric_.counts().srqs;
  delete srq;
  return 0;
}

Made<Qp> Context::CreateQp(uint32_t pd_handle, uint32_t send_cq_handle, uint32_t recv_cq_handle,
                           const QpCap& cap, bool sq_sig_all, Srq* srq) {
  Pd* pd = pds_.Find(pd_handle);
  Cq* send_cq = cqs_.Find(send_cq_handle);
  Cq* recv_cq = cqs_.Find(recv_cq_handle);
  if (pd == nullptr || send_cq == nullptr || recv_cq == nullptr) return {nullptr, ENOENT};
  const DeviceLimits& limits = fabric_.device().limits();
  if (cap.max_send_wr > limits.max_qp_wr || cap.max_recv_wr > limits.max_qp_wr ||
      cap.max_send_sge > limits.max_sge || cap.max_recv_sge > limits.max_sge ||
      cap.max_inline_data > limits.max_inline_data) {
    return {nullptr, EINVAL};
  }
  QpCap granted = cap;
  granted.max_inline_data = fabric_.device().profile().send_slot.GrantedInline(cap);
  auto qp = std::make_unique<Qp>(QpInit{pd, send_cq, recv_cq, srq, granted, sq_sig_all});
  if (qps_.full() || !fabric_.device().Add(*qp)) return {nullptr, ENOMEM};
  qp->handle = qps_.Insert(qp.get());
  ++pd->children;
  ++send_cq->users;
  ++recv_cq->users;
  if (srq != nullptr) ++srq->users;
  ++fabric_.counts().qps;
  return {qp.release(), 0};
}

int Context::DestroyQp(uint32_t handle) {
  Qp* qp = qps_.Find(handle);
  if (qp == nullptr) return ENOENT;
  fabric_.DestroyQp(*qp);
  fabric_.device().Remove(*qp);
  qps_.Remove(handle);
  --qp->pd()->children;
  --qp->send_cq().users;
  --qp->recv_cq().users;
  if (qp->srq() != nullptr) --qp->srq()->users;
  --fabric_.counts().qps;
  delete qp;
  return 0;
}

}  // namespace fakenic
