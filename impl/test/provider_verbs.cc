// The libibverbs functions of the provider.
#include <gtest/gtest.h>

#include "provider.h"
#undef ibv_reg_mr

using rpma::test::Provider;

namespace {

// Destroys an object of a verb that returns its errno.
template <typename T>
int DestroyOrFail(const char* verb, T* object) {
  if (Provider::Get().Fails(verb)) return errno;
  if (Provider::Get().IsUsedByQp(object)) return EBUSY;
  Provider::Get().Destroy(object);
  return 0;
}

}  // namespace

extern "C" {

int ibv_query_device(ibv_context*, ibv_device_attr*) {
  ADD_FAILURE() << "the extended query is there";
  return EOPNOTSUPP;
}

ibv_pd* ibv_alloc_pd(ibv_context* context) {
  if (Provider::Get().Fails("ibv_alloc_pd")) return nullptr;
  auto* pd = Provider::Get().Make<ibv_pd>("pd");
  pd->context = context;
  return pd;
}
int ibv_dealloc_pd(ibv_pd* pd) { return DestroyOrFail("ibv_dealloc_pd", pd); }

ibv_mr* ibv_reg_mr(ibv_pd* pd, void* addr, size_t length, int access) {
  Provider& provider = Provider::Get();
  provider.access.push_back(access);
  if (provider.Fails("ibv_reg_mr")) return nullptr;
  auto* mr = provider.last_mr = provider.Make<ibv_mr>("mr");
  mr->context = pd->context;
  mr->pd = pd;
  mr->addr = addr;
  mr->length = length;
  mr->lkey = 0x1111;
  mr->rkey = 0x22334455;
  return mr;
}
int ibv_dereg_mr(ibv_mr* mr) { return DestroyOrFail("ibv_dereg_mr", mr); }

ibv_comp_channel* ibv_create_comp_channel(ibv_context* context) {
  if (Provider::Get().Fails("ibv_create_comp_channel")) return nullptr;
  auto* channel = Provider::Get().Make<ibv_comp_channel>("comp_channel");
  channel->context = context;
  channel->fd = 1000 + Provider::Get().CountCalls("ibv_create_comp_channel");
  return channel;
}
int ibv_destroy_comp_channel(ibv_comp_channel* channel) {
  return DestroyOrFail("ibv_destroy_comp_channel", channel);
}

ibv_cq* ibv_create_cq(ibv_context* context, int cqe, void* cq_context, ibv_comp_channel* channel,
                      int) {
  Provider::Get().cqe.push_back(cqe);
  if (Provider::Get().Fails("ibv_create_cq")) return nullptr;
  auto* cq = Provider::Get().Make<ibv_cq>("cq");
  cq->context = context;
  cq->cq_context = cq_context;
  cq->channel = channel;
  cq->cqe = cqe;
  return cq;
}
int ibv_destroy_cq(ibv_cq* cq) { return DestroyOrFail("ibv_destroy_cq", cq); }

ibv_srq* ibv_create_srq(ibv_pd* pd, ibv_srq_init_attr* attr) {
  Provider& provider = Provider::Get();
  provider.srq_attr = *attr;
  if (provider.Fails("ibv_create_srq")) return nullptr;
  auto* srq = provider.Make<ibv_srq>("srq");
  srq->context = pd->context;
  srq->pd = pd;
  return provider.last_srq = srq;
}
int ibv_destroy_srq(ibv_srq* srq) { return DestroyOrFail("ibv_destroy_srq", srq); }

int ibv_get_cq_event(ibv_comp_channel*, ibv_cq** cq, void** cq_context) {
  Provider& provider = Provider::Get();
  if (provider.Fails("ibv_get_cq_event")) return -1;
  if (provider.cq_events.empty()) {
    errno = EAGAIN;
    return -1;
  }
  *cq = provider.cq_events.front();
  *cq_context = nullptr;
  provider.cq_events.pop_front();
  return 0;
}
void ibv_ack_cq_events(ibv_cq*, unsigned) { Provider::Get().Note("ibv_ack_cq_events"); }

// Only a QP that was created with send_ops_flags is extended.
ibv_qp_ex* ibv_qp_to_qp_ex(ibv_qp* qp) {
  auto* extended = reinterpret_cast<ibv_qp_ex*>(qp);
  return extended->wr_start != nullptr ? extended : nullptr;
}

}  // extern "C"
