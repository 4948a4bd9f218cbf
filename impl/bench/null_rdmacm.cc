// A librdmacm that resolves every address, and whose every connection is established at once.
#include <netinet/in.h>
#include <rdma/rdma_cma.h>

extern "C" {

ibv_context* null_verbs_context();

}  // extern "C"

namespace {

sockaddr_in address = {AF_INET, 0, {0}, {0}};
rdma_addrinfo info;
rdma_event_channel channel = {-1};
rdma_cm_id id;
ibv_qp qp;
rdma_cm_event event;

}  // namespace

extern "C" {

int rdma_getaddrinfo(const char*, const char*, const rdma_addrinfo*, rdma_addrinfo** result) {
  info.ai_src_addr = info.ai_dst_addr = reinterpret_cast<sockaddr*>(&address);
  *result = &info;
  return 0;
}
void rdma_freeaddrinfo(rdma_addrinfo*) {}

rdma_event_channel* rdma_create_event_channel() { return &channel; }
void rdma_destroy_event_channel(rdma_event_channel*) {}

int rdma_create_id(rdma_event_channel*, rdma_cm_id** new_id, void*, rdma_port_space) {
  id.verbs = null_verbs_context();
  *new_id = &id;
  return 0;
}
int rdma_destroy_id(rdma_cm_id*) { return 0; }
int rdma_bind_addr(rdma_cm_id*, sockaddr*) { return 0; }
int rdma_listen(rdma_cm_id*, int) { return 0; }
int rdma_resolve_addr(rdma_cm_id*, sockaddr*, sockaddr*, int) { return 0; }
int rdma_resolve_route(rdma_cm_id*, int) { return 0; }
int rdma_migrate_id(rdma_cm_id*, rdma_event_channel*) { return 0; }

int rdma_create_qp_ex(rdma_cm_id*, ibv_qp_init_attr_ex*) {
  qp.context = id.verbs;
  id.qp = &qp;
  return 0;
}
void rdma_destroy_qp(rdma_cm_id*) {}

int rdma_connect(rdma_cm_id*, rdma_conn_param*) { return 0; }
int rdma_accept(rdma_cm_id*, rdma_conn_param*) { return 0; }
int rdma_reject(rdma_cm_id*, const void*, uint8_t) { return 0; }
int rdma_disconnect(rdma_cm_id*) { return 0; }

int rdma_get_cm_event(rdma_event_channel*, rdma_cm_event** next) {
  event.id = &id;
  event.event = RDMA_CM_EVENT_ESTABLISHED;
  *next = &event;
  return 0;
}
int rdma_ack_cm_event(rdma_cm_event*) { return 0; }
const char* rdma_event_str(rdma_cm_event_type) { return "established"; }

}  // extern "C"
