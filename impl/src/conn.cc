#include "conn.h"

#include <limits>

#include "native_atomic_write.h"
#include "peer_cfg.h"

namespace rpma {
namespace {

// The longest inline data: the 8 bytes of an atomic write.
constexpr uint32_t kMaxInlineData = RPMA_ATOMIC_WRITE_ALIGNMENT;

ibv_qp_init_attr_ex QpAttributes(const rpma_conn& conn, const rpma_peer& peer,
                                 const rpma_conn_cfg& cfg) {
  ibv_qp_init_attr_ex attr{};
  attr.send_cq = conn.cq->cq.get();
  if (conn.srq) attr.srq = conn.srq->srq.get();
  if (conn.srq && conn.srq->rcq) {
    attr.recv_cq = conn.srq->rcq->cq.get();
  } else {
    attr.recv_cq = conn.rcq ? conn.rcq->cq.get() : attr.send_cq;
  }
  attr.cap.max_send_wr = cfg.sq_size;
  attr.cap.max_recv_wr = cfg.rq_size;
  attr.cap.max_send_sge = 1;
  attr.cap.max_recv_sge = 1;
  attr.cap.max_inline_data = kMaxInlineData;
  attr.qp_type = IBV_QPT_RC;
  attr.comp_mask = IBV_QP_INIT_ATTR_PD;
  attr.pd = peer.pd->get();
  return attr;
}

// Tries to create the QP with an atomic write of its own. Many providers refuse to be asked.
bool CreateAtomicWriteQp(rdma_cm_id* id, ibv_qp_init_attr_ex attr) {
  attr.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
  attr.send_ops_flags = kQpExWithAtomicWrite;
  if (rdma_create_qp_ex(id, &attr) == 0) return true;
  Log{RPMA_LOG_LEVEL_INFO}("native atomic write refused by the provider, not used");
  return false;
}

// Stores what a CM event means for a connection; RPMA_E_UNKNOWN if it should not get the event.
int Translate(rdma_cm_event_type type, rpma_conn_event* event) {
  switch (type) {
    case RDMA_CM_EVENT_ESTABLISHED:
      *event = RPMA_CONN_ESTABLISHED;
      return 0;
    case RDMA_CM_EVENT_CONNECT_ERROR:
    case RDMA_CM_EVENT_DEVICE_REMOVAL:
      *event = RPMA_CONN_LOST;
      return 0;
    case RDMA_CM_EVENT_UNREACHABLE:
      *event = RPMA_CONN_UNREACHABLE;
      return 0;
    case RDMA_CM_EVENT_REJECTED:
      *event = RPMA_CONN_REJECTED;
      return 0;
    case RDMA_CM_EVENT_DISCONNECTED:
    case RDMA_CM_EVENT_TIMEWAIT_EXIT:
      *event = RPMA_CONN_CLOSED;
      return 0;
    default:
      return RPMA_E_UNKNOWN;
  }
}

}  // namespace
}  // namespace rpma

rpma_conn::rpma_conn(rpma::CmId cm_id, const rpma_peer& peer, const rpma_conn_cfg& cfg)
    : srq(cfg.srq.Get()),
      event_channel(rpma::OrThrow(rdma_create_event_channel(), "rdma_create_event_channel")),
      flush_buffer(peer),
      id(std::move(cm_id)) {
  // Now, while no event of the id can be pending: an incoming request has none before it is
  // accepted, so the endpoint, in another thread, never reads one of them.
  rpma::ThrowIf(rpma::CmResult(rdma_migrate_id(id.get(), event_channel.get()), "rdma_migrate_id"));

  if (cfg.has_shared_channel) {
    shared_channel = rpma::CompChannel(
        rpma::OrThrow(ibv_create_comp_channel(id->verbs), "ibv_create_comp_channel"));
  }
  cq = std::make_unique<rpma::CompletionQueue>(id->verbs, cfg.cq_size, shared_channel.get());
  const bool receives_elsewhere = srq && srq->rcq;
  if (const uint32_t rcq_size = cfg.rcq_size; rcq_size > 0 && !receives_elsewhere) {
    rcq = std::make_unique<rpma::CompletionQueue>(id->verbs, rcq_size, shared_channel.get());
  }
  CreateQp(peer, cfg);
}

void rpma_conn::CreateQp(const rpma_peer& peer, const rpma_conn_cfg& cfg) {
  ibv_qp_init_attr_ex attr = rpma::QpAttributes(*this, peer, cfg);
  const bool native = rpma::DeclaresAtomicWrite<ibv_qp_ex> && peer.has_native_atomic_write &&
                      rpma::CreateAtomicWriteQp(id.get(), attr);
  if (!native)
    rpma::ThrowIf(rpma::CmResult(rdma_create_qp_ex(id.get(), &attr), "rdma_create_qp_ex"));
  id_qp = rpma::Qp(id.get());
  qp = id->qp;
  if (native) {
    ibv_qp_ex* extended = ibv_qp_to_qp_ex(qp);
    if (extended != nullptr && rpma::CanWriteAtomically(extended)) {
      atomic_write_qp = extended;
      atomic_write = rpma::WriteNatively;
    }
  }
}

int rpma_conn::Close() noexcept {
  rpma::FirstError error;
  error.Add(id_qp.Close());
  error.Add(flush_buffer.Close());  // behind the QP, whose flushes may still read into it
  if (rcq) error.Add(rcq->Close());
  if (cq) error.Add(cq->Close());
  error.Add(id.Close());
  error.Add(shared_channel.Close());
  return error.Result();
}

int rpma_conn_get_event_fd(const struct rpma_conn* conn, int* fd) {
  if (conn == nullptr || fd == nullptr) return RPMA_E_INVAL;
  *fd = conn->event_channel->fd;
  return 0;
}

int rpma_conn_next_event(struct rpma_conn* conn, enum rpma_conn_event* event) {
  if (conn == nullptr || event == nullptr) return RPMA_E_INVAL;
  rdma_cm_event* cm_event;
  if (const int code = rpma::NextCmEvent(conn->event_channel.get(), &cm_event); code != 0) {
    return code;
  }
  const rdma_cm_event_type type = cm_event->event;
  const int status = cm_event->status;
  if (type == RDMA_CM_EVENT_ESTABLISHED && conn->private_data.is_empty()) {
    conn->private_data.Assign(cm_event->param.conn);
  }
  if (rdma_ack_cm_event(cm_event) != 0) {
    return rpma::ProviderFailure("rdma_ack_cm_event", errno);
  }
  rpma_conn_event translated;
  if (const int code = rpma::Translate(type, &translated); code != 0) {
    rpma::Log{RPMA_LOG_LEVEL_WARNING}("unexpected event: %s", rdma_event_str(type));
    return code;
  }
  // The end of the time-wait says nothing new. Nor is the next event waited for: poll(2) may have
  // promised the caller that there is one.
  if (translated == RPMA_CONN_CLOSED && conn->closed.exchange(true)) return RPMA_E_NO_EVENT;
  rpma::Log{RPMA_LOG_LEVEL_NOTICE}("%s, status %d", rpma_utils_conn_event_2str(translated), status);
  *event = translated;
  return 0;
}

int rpma_conn_get_private_data(const struct rpma_conn* conn, struct rpma_conn_private_data* pdata) {
  if (conn == nullptr || pdata == nullptr) return RPMA_E_INVAL;
  *pdata = conn->private_data.View();
  return 0;
}

int rpma_conn_apply_remote_peer_cfg(struct rpma_conn* conn, const struct rpma_peer_cfg* pcfg) {
  if (conn == nullptr || pcfg == nullptr) return RPMA_E_INVAL;
  const bool supported = pcfg->direct_write_to_pmem.load(std::memory_order_relaxed);
  conn->remote_has_direct_write_to_pmem.store(supported, std::memory_order_relaxed);
  return 0;
}

int rpma_conn_disconnect(struct rpma_conn* conn) {
  if (conn == nullptr) return RPMA_E_INVAL;
  rpma::Log{RPMA_LOG_LEVEL_NOTICE}("disconnecting");
  return rpma::CmResult(rdma_disconnect(conn->id.get()), "rdma_disconnect");
}

int rpma_conn_delete(struct rpma_conn** conn_ptr) {
  if (conn_ptr == nullptr) return RPMA_E_INVAL;
  const std::unique_ptr<rpma_conn> conn(std::exchange(*conn_ptr, nullptr));
  return conn ? conn->Close() : 0;
}

int rpma_conn_get_cq(const struct rpma_conn* conn, struct rpma_cq** cq_ptr) {
  if (conn == nullptr || cq_ptr == nullptr) return RPMA_E_INVAL;
  *cq_ptr = rpma::HandleOf(conn->cq);
  return 0;
}

int rpma_conn_get_rcq(const struct rpma_conn* conn, struct rpma_cq** rcq_ptr) {
  if (conn == nullptr || rcq_ptr == nullptr) return RPMA_E_INVAL;
  *rcq_ptr = rpma::HandleOf(conn->rcq);
  return 0;
}

int rpma_conn_get_qp_num(const struct rpma_conn* conn, uint32_t* qp_num) {
  if (conn == nullptr || qp_num == nullptr) return RPMA_E_INVAL;
  *qp_num = conn->qp->qp_num;
  return 0;
}

int rpma_conn_get_compl_fd(const struct rpma_conn* conn, int* fd) {
  if (conn == nullptr || fd == nullptr) return RPMA_E_INVAL;
  if (!conn->shared_channel) return RPMA_E_NOT_SHARED_CHNL;
  *fd = conn->shared_channel->fd;
  return 0;
}

int rpma_conn_wait(struct rpma_conn* conn, int /*flags*/, struct rpma_cq** cq, bool* is_rcq) {
  if (conn == nullptr || cq == nullptr) return RPMA_E_INVAL;
  if (!conn->shared_channel) return RPMA_E_NOT_SHARED_CHNL;
  ibv_cq* event_cq;
  void* cq_context;
  if (ibv_get_cq_event(conn->shared_channel.get(), &event_cq, &cq_context) != 0) {
    if (errno != EAGAIN && errno != EINTR) rpma::ProviderFailure("ibv_get_cq_event", errno);
    return RPMA_E_NO_COMPLETION;
  }
  const bool for_rcq = conn->rcq && event_cq == conn->rcq->cq.get();
  const std::unique_ptr<rpma::CompletionQueue>& found = for_rcq ? conn->rcq : conn->cq;
  if (event_cq != found->cq.get()) {
    ibv_ack_cq_events(event_cq, 1);  // or the CQ could never be destroyed
    rpma::Log{RPMA_LOG_LEVEL_ERROR}("completion event of a CQ that is not the connection's");
    return RPMA_E_UNKNOWN;
  }
  if (const int code = found->AckEvent(); code != 0) return code;
  *cq = rpma::HandleOf(found);
  if (is_rcq != nullptr) *is_rcq = for_rcq;
  return 0;
}
