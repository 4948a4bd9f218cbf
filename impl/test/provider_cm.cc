// The librdmacm functions of the provider.
#include <gtest/gtest.h>
#include <netdb.h>
#include <netinet/in.h>

#include <cstring>

#include "provider.h"

using rpma::test::Provider;

namespace {

int FailOr0(const char* verb) { return Provider::Get().Fails(verb) ? -1 : 0; }

int Answer(const char* verb, rdma_conn_param* param) {
  Provider& provider = Provider::Get();
  provider.conn_param = *param;
  const rpma::test::AllocationsSucceed guard;
  provider.sent_private_data.assign(static_cast<const char*>(param->private_data),
                                    param->private_data_len);
  return FailOr0(verb);
}

void SetWrOps(ibv_qp_ex* qp) {
  qp->wr_start = [](ibv_qp_ex* q) { Provider::Get().data_path.WrStart(q); };
  qp->wr_complete = [](ibv_qp_ex* q) { return Provider::Get().data_path.WrComplete(q); };
  qp->wr_atomic_write = [](ibv_qp_ex* q, uint32_t rkey, uint64_t addr, const void* src) {
    Provider::Get().data_path.WrAtomicWrite(q, rkey, addr, src);
  };
}

}  // namespace

extern "C" {

// Every name has an IPv4 address; those with a colon, and "both", an IPv6 address before it.
int rdma_getaddrinfo(const char* node, const char*, const rdma_addrinfo* hints,
                     rdma_addrinfo** result) {
  if (Provider::Get().Fails("rdma_getaddrinfo")) return -1;
  const bool has_6 = std::strchr(node, ':') != nullptr || std::strcmp(node, "both") == 0;
  const bool has_4 = std::strchr(node, ':') == nullptr;
  const int hint = (hints->ai_flags & RAI_FAMILY) != 0 ? hints->ai_family : AF_UNSPEC;
  if ((hint == AF_INET6 && !has_6) || (hint == AF_INET && !has_4)) return EAI_ADDRFAMILY;
  auto* info = Provider::Get().Make<rdma_addrinfo>("addrinfo");
  static sockaddr_in6 address6{AF_INET6, 0, 0, {}, 0};
  static sockaddr_in address4{AF_INET, 0, {0}, {}};
  auto* address = has_6 && hint != AF_INET ? reinterpret_cast<sockaddr*>(&address6)
                                           : reinterpret_cast<sockaddr*>(&address4);
  ((hints->ai_flags & RAI_PASSIVE) != 0 ? info->ai_src_addr : info->ai_dst_addr) = address;
  *result = info;
  return 0;
}
void rdma_freeaddrinfo(rdma_addrinfo* info) { Provider::Get().Destroy(info); }

rdma_event_channel* rdma_create_event_channel() {
  if (Provider::Get().Fails("rdma_create_event_channel")) return nullptr;
  auto* channel = Provider::Get().Make<rdma_event_channel>("event_channel");
  channel->fd = 2000 + Provider::Get().CountCalls("rdma_create_event_channel");
  return channel;
}
void rdma_destroy_event_channel(rdma_event_channel* channel) { Provider::Get().Destroy(channel); }

int rdma_create_id(rdma_event_channel* channel, rdma_cm_id** id, void*, rdma_port_space) {
  if (Provider::Get().Fails("rdma_create_id")) return -1;
  *id = Provider::Get().Make<rdma_cm_id>("cm_id");
  (*id)->channel = channel;
  Provider::Get().last_id = *id;
  return 0;
}
int rdma_destroy_id(rdma_cm_id* id) {
  EXPECT_EQ(id->qp, nullptr) << "the QP has to go first";
  if (Provider::Get().Fails("rdma_destroy_id")) return -1;
  EXPECT_TRUE(id->channel == nullptr || Provider::Get().IsLive(id->channel));
  Provider::Get().Destroy(id);
  return 0;
}

int rdma_bind_addr(rdma_cm_id* id, sockaddr*) {
  if (Provider::Get().Fails("rdma_bind_addr")) return -1;
  if (!Provider::Get().binds_no_device) id->verbs = &Provider::Get().context.context;
  return 0;
}
int rdma_listen(rdma_cm_id* id, int) {
  Provider::Get().listener = id;
  return FailOr0("rdma_listen");
}
int rdma_resolve_addr(rdma_cm_id* id, sockaddr*, sockaddr*, int timeout_ms) {
  if (Provider::Get().Fails("rdma_resolve_addr")) return -1;
  Provider::Get().timeouts.push_back(timeout_ms);
  id->verbs = &Provider::Get().context.context;
  return 0;
}
int rdma_resolve_route(rdma_cm_id*, int timeout_ms) {
  Provider::Get().timeouts.push_back(timeout_ms);
  return FailOr0("rdma_resolve_route");
}
int rdma_migrate_id(rdma_cm_id* id, rdma_event_channel* channel) {
  if (Provider::Get().Fails("rdma_migrate_id")) return -1;
  id->channel = channel;
  return 0;
}

int rdma_create_qp_ex(rdma_cm_id* id, ibv_qp_init_attr_ex* attr) {
  Provider& provider = Provider::Get();
  if (provider.Fails("rdma_create_qp_ex")) return -1;
  const bool with_ops = (attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS) != 0;
  if (with_ops && provider.refuses_send_ops) {
    errno = EOPNOTSUPP;
    return -1;
  }
  provider.qp_attr = *attr;
  auto* qp = provider.Make<ibv_qp_ex>("qp");
  qp->qp_base.context = id->verbs;
  qp->qp_base.qp_num = 0x77;
  qp->qp_base.send_cq = attr->send_cq;
  qp->qp_base.recv_cq = attr->recv_cq;
  qp->qp_base.srq = attr->srq;
  const rpma::test::AllocationsSucceed guard;
  provider.qps.push_back(&qp->qp_base);
  if (with_ops) SetWrOps(qp);
  id->qp = &qp->qp_base;
  return 0;
}
void rdma_destroy_qp(rdma_cm_id* id) {
  Provider::Get().Note("rdma_destroy_qp");
  std::erase(Provider::Get().qps, id->qp);
  Provider::Get().Destroy(reinterpret_cast<ibv_qp_ex*>(id->qp));
  id->qp = nullptr;
}

int rdma_connect(rdma_cm_id*, rdma_conn_param* param) { return Answer("rdma_connect", param); }
int rdma_accept(rdma_cm_id*, rdma_conn_param* param) { return Answer("rdma_accept", param); }
int rdma_reject(rdma_cm_id* id, const void*, uint8_t) {
  EXPECT_TRUE(Provider::Get().IsLive(id));
  return FailOr0("rdma_reject");
}
int rdma_disconnect(rdma_cm_id*) { return FailOr0("rdma_disconnect"); }
const char* rdma_event_str(rdma_cm_event_type) { return "RDMA_CM_EVENT"; }

int rdma_get_cm_event(rdma_event_channel* channel, rdma_cm_event** event) {
  Provider& provider = Provider::Get();
  if (provider.Fails("rdma_get_cm_event")) return -1;
  auto& pending = provider.events[channel];
  if (pending.empty()) {
    errno = EAGAIN;
    return -1;
  }
  const rpma::test::AllocationsSucceed guard;
  *event = provider.Make<rdma_cm_event>("cm_event");
  if (pending.front().type == RDMA_CM_EVENT_CONNECT_REQUEST && pending.front().id == nullptr) {
    pending.front().id = provider.last_id = provider.Make<rdma_cm_id>("cm_id");
    provider.last_id->verbs = &provider.context.context;
    provider.last_id->channel = channel;
  }
  (*event)->id = pending.front().id;
  (*event)->event = pending.front().type;
  const std::string& data = pending.front().data;
  if (!data.empty()) {
    char* copy = static_cast<char*>(std::malloc(data.size()));
    std::memcpy(copy, data.data(), data.size());
    (*event)->param.conn.private_data = copy;
    (*event)->param.conn.private_data_len = static_cast<uint8_t>(data.size());
  }
  pending.pop_front();
  return 0;
}
// The event and its private data go, as in librdmacm, also when the call is made to fail.
int rdma_ack_cm_event(rdma_cm_event* event) {
  std::free(const_cast<void*>(event->param.conn.private_data));
  Provider::Get().Destroy(event);
  return FailOr0("rdma_ack_cm_event");
}

}  // extern "C"
