// A libibverbs whose verbs do nothing and succeed: what is left is the cost of the caller.
#include <infiniband/verbs.h>
#undef ibv_reg_mr
#undef ibv_query_port

// The data path, by names that an instruction counter finds.
extern "C" {

int null_post_send(ibv_qp*, ibv_send_wr*, ibv_send_wr**) { return 0; }
int null_post_recv(ibv_qp*, ibv_recv_wr*, ibv_recv_wr**) { return 0; }
int null_poll_cq(ibv_cq*, int, ibv_wc*) { return 1; }
int null_req_notify_cq(ibv_cq*, int) { return 0; }

}  // extern "C"

namespace {

ibv_device device;
ibv_context context;
ibv_pd pd;
ibv_mr mr;
ibv_comp_channel channel;
ibv_cq cq;
ibv_srq srq;

}  // namespace

extern "C" {

// Not a verb: how the null librdmacm gets the one context there is.
ibv_context* null_verbs_context() {
  device.transport_type = IBV_TRANSPORT_IB;
  context.device = &device;
  context.ops.post_send = null_post_send;
  context.ops.post_recv = null_post_recv;
  context.ops.poll_cq = null_poll_cq;
  context.ops.req_notify_cq = null_req_notify_cq;
  return &context;
}

int ibv_query_device(ibv_context*, ibv_device_attr*) { return 0; }

ibv_pd* ibv_alloc_pd(ibv_context*) {
  pd.context = &context;
  return &pd;
}
int ibv_dealloc_pd(ibv_pd*) { return 0; }

ibv_mr* ibv_reg_mr(ibv_pd*, void* addr, size_t length, int) {
  mr.addr = addr;
  mr.length = length;
  return &mr;
}
ibv_mr* ibv_reg_mr_iova2(ibv_pd* domain, void* addr, size_t length, uint64_t, unsigned access) {
  return ibv_reg_mr(domain, addr, length, static_cast<int>(access));
}
int ibv_dereg_mr(ibv_mr*) { return 0; }

ibv_comp_channel* ibv_create_comp_channel(ibv_context*) { return &channel; }
int ibv_destroy_comp_channel(ibv_comp_channel*) { return 0; }

ibv_cq* ibv_create_cq(ibv_context*, int, void* cq_context, ibv_comp_channel*, int) {
  cq.context = &context;
  cq.cq_context = cq_context;
  return &cq;
}
int ibv_destroy_cq(ibv_cq*) { return 0; }
int ibv_get_cq_event(ibv_comp_channel*, ibv_cq** event_cq, void**) {
  *event_cq = &cq;
  return 0;
}
void ibv_ack_cq_events(ibv_cq*, unsigned) {}

ibv_srq* ibv_create_srq(ibv_pd*, ibv_srq_init_attr*) { return &srq; }
int ibv_destroy_srq(ibv_srq*) { return 0; }

ibv_qp_ex* ibv_qp_to_qp_ex(ibv_qp*) { return nullptr; }

}  // extern "C"
