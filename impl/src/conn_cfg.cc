#include "conn_cfg.h"

#include "atomic_fields.h"
#include "error.h"
#include "srq.h"

namespace rpma {
namespace {

constinit const rpma_conn_cfg kDefaultConnCfg;

}  // namespace

void NamedSrq::Set(rpma_srq* srq) {
  const std::lock_guard lock(mutex_);
  names_one_ = srq != nullptr;
  srq_ = srq != nullptr ? srq->weak_from_this() : std::weak_ptr<rpma_srq>();
}

std::shared_ptr<rpma_srq> NamedSrq::Get() const {
  const std::lock_guard lock(mutex_);
  if (!names_one_) return nullptr;
  std::shared_ptr<rpma_srq> srq = srq_.lock();
  if (srq != nullptr && srq->callers_share != nullptr) return srq;
  Log{RPMA_LOG_LEVEL_ERROR}("conn_cfg: its srq is deleted");
  throw Error{RPMA_E_INVAL};
}

}  // namespace rpma

const rpma_conn_cfg& rpma_conn_cfg::OrDefaults(const rpma_conn_cfg* cfg) {
  return cfg != nullptr ? *cfg : rpma::kDefaultConnCfg;
}

int rpma_conn_cfg::Check() const {
  return rpma::Boundary([&] {
    const std::shared_ptr<rpma_srq> queue = srq.Get();
    if (!has_shared_channel || queue == nullptr || !queue->rcq) return;
    rpma::Log{RPMA_LOG_LEVEL_ERROR}("conn_cfg: has a shared channel and an srq with a cq");
    throw rpma::Error{RPMA_E_INVAL};
  });
}

int rpma_conn_cfg_new(struct rpma_conn_cfg** cfg_ptr) {
  if (cfg_ptr == nullptr) return RPMA_E_INVAL;
  return rpma::Boundary([&] { *cfg_ptr = new rpma_conn_cfg; });
}

int rpma_conn_cfg_delete(struct rpma_conn_cfg** cfg_ptr) {
  if (cfg_ptr == nullptr) return RPMA_E_INVAL;
  delete *cfg_ptr;
  *cfg_ptr = nullptr;
  return 0;
}

int rpma_conn_cfg_set_timeout(struct rpma_conn_cfg* cfg, int timeout_ms) {
  if (timeout_ms < 0) return RPMA_E_INVAL;
  return rpma::Set(cfg, &rpma_conn_cfg::timeout_ms, timeout_ms);
}

int rpma_conn_cfg_get_timeout(const struct rpma_conn_cfg* cfg, int* timeout_ms) {
  return rpma::Get(cfg, &rpma_conn_cfg::timeout_ms, timeout_ms);
}

int rpma_conn_cfg_set_cq_size(struct rpma_conn_cfg* cfg, uint32_t cq_size) {
  return rpma::Set(cfg, &rpma_conn_cfg::cq_size, cq_size);
}

int rpma_conn_cfg_get_cq_size(const struct rpma_conn_cfg* cfg, uint32_t* cq_size) {
  return rpma::Get(cfg, &rpma_conn_cfg::cq_size, cq_size);
}

int rpma_conn_cfg_set_rcq_size(struct rpma_conn_cfg* cfg, uint32_t rcq_size) {
  return rpma::Set(cfg, &rpma_conn_cfg::rcq_size, rcq_size);
}

int rpma_conn_cfg_get_rcq_size(const struct rpma_conn_cfg* cfg, uint32_t* rcq_size) {
  return rpma::Get(cfg, &rpma_conn_cfg::rcq_size, rcq_size);
}

int rpma_conn_cfg_set_sq_size(struct rpma_conn_cfg* cfg, uint32_t sq_size) {
  return rpma::Set(cfg, &rpma_conn_cfg::sq_size, sq_size);
}

int rpma_conn_cfg_get_sq_size(const struct rpma_conn_cfg* cfg, uint32_t* sq_size) {
  return rpma::Get(cfg, &rpma_conn_cfg::sq_size, sq_size);
}

int rpma_conn_cfg_set_rq_size(struct rpma_conn_cfg* cfg, uint32_t rq_size) {
  return rpma::Set(cfg, &rpma_conn_cfg::rq_size, rq_size);
}

int rpma_conn_cfg_get_rq_size(const struct rpma_conn_cfg* cfg, uint32_t* rq_size) {
  return rpma::Get(cfg, &rpma_conn_cfg::rq_size, rq_size);
}

int rpma_conn_cfg_set_compl_channel(struct rpma_conn_cfg* cfg, bool shared) {
  return rpma::Set(cfg, &rpma_conn_cfg::has_shared_channel, shared);
}

int rpma_conn_cfg_get_compl_channel(const struct rpma_conn_cfg* cfg, bool* shared) {
  return rpma::Get(cfg, &rpma_conn_cfg::has_shared_channel, shared);
}

int rpma_conn_cfg_set_srq(struct rpma_conn_cfg* cfg, struct rpma_srq* srq) {
  if (cfg == nullptr) return RPMA_E_INVAL;
  cfg->srq.Set(srq);
  return 0;
}

int rpma_conn_cfg_get_srq(const struct rpma_conn_cfg* cfg, struct rpma_srq** srq_ptr) {
  if (cfg == nullptr || srq_ptr == nullptr) return RPMA_E_INVAL;
  return rpma::Boundary([&] { *srq_ptr = cfg->srq.Get().get(); });
}
