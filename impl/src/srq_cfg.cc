#include "srq_cfg.h"

#include "atomic_fields.h"
#include "error.h"

int rpma_srq_cfg_new(struct rpma_srq_cfg** cfg_ptr) {
  if (cfg_ptr == nullptr) return RPMA_E_INVAL;
  return rpma::Boundary([&] { *cfg_ptr = new rpma_srq_cfg; });
}

int rpma_srq_cfg_delete(struct rpma_srq_cfg** cfg_ptr) {
  if (cfg_ptr == nullptr) return RPMA_E_INVAL;
  delete *cfg_ptr;
  *cfg_ptr = nullptr;
  return 0;
}

int rpma_srq_cfg_set_rq_size(struct rpma_srq_cfg* cfg, uint32_t rq_size) {
  return rpma::Set(cfg, &rpma_srq_cfg::rq_size, rq_size);
}

int rpma_srq_cfg_get_rq_size(const struct rpma_srq_cfg* cfg, uint32_t* rq_size) {
  return rpma::Get(cfg, &rpma_srq_cfg::rq_size, rq_size);
}

int rpma_srq_cfg_set_rcq_size(struct rpma_srq_cfg* cfg, uint32_t rcq_size) {
  return rpma::Set(cfg, &rpma_srq_cfg::rcq_size, rcq_size);
}

int rpma_srq_cfg_get_rcq_size(const struct rpma_srq_cfg* cfg, uint32_t* rcq_size) {
  return rpma::Get(cfg, &rpma_srq_cfg::rcq_size, rcq_size);
}
