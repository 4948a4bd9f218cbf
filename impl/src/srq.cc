#include "srq.h"

namespace rpma {
namespace {

constinit const rpma_srq_cfg kDefaultSrqCfg;

ibv_srq* CreateSrq(ibv_pd* pd, uint32_t rq_size) {
  ibv_srq_init_attr attr{};
  attr.attr.max_wr = rq_size;
  attr.attr.max_sge = 1;
  return OrThrow(ibv_create_srq(pd, &attr), "ibv_create_srq");
}

}  // namespace
}  // namespace rpma

rpma_srq::rpma_srq(const rpma_peer& peer, const rpma_srq_cfg& cfg)
    : srq(rpma::CreateSrq(peer.pd->get(), cfg.rq_size)) {
  if (const uint32_t rcq_size = cfg.rcq_size; rcq_size > 0) {
    ibv_context* context = peer.pd->get()->context;
    rcq = std::make_unique<rpma::CompletionQueue>(context, rcq_size, /*shared_channel=*/nullptr);
  }
}

int rpma_srq::Close() noexcept {
  rpma::FirstError error;
  if (rcq) error.Add(rcq->Close());
  error.Add(srq.Close());
  return error.Result();
}

int rpma_srq_new(struct rpma_peer* peer, struct rpma_srq_cfg* cfg, struct rpma_srq** srq_ptr) {
  if (peer == nullptr || srq_ptr == nullptr) return RPMA_E_INVAL;
  return rpma::Boundary([&] {
    auto srq = std::make_shared<rpma_srq>(*peer, cfg != nullptr ? *cfg : rpma::kDefaultSrqCfg);
    *srq_ptr = srq.get();
    (*srq_ptr)->callers_share = std::move(srq);
  });
}

int rpma_srq_delete(struct rpma_srq** srq_ptr) {
  if (srq_ptr == nullptr) return RPMA_E_INVAL;
  rpma_srq* const handle = std::exchange(*srq_ptr, nullptr);
  if (handle == nullptr) return 0;
  const std::shared_ptr<rpma_srq> srq = std::move(handle->callers_share);
  return srq->Close();
}

int rpma_srq_get_rcq(const struct rpma_srq* srq, struct rpma_cq** rcq_ptr) {
  if (srq == nullptr || rcq_ptr == nullptr) return RPMA_E_INVAL;
  *rcq_ptr = rpma::HandleOf(srq->rcq);
  return 0;
}
