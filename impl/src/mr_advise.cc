#include <algorithm>

#include "mr_local.h"

namespace rpma {
namespace {

// The longest range of one sge, in whole pages.
constexpr size_t kMaxPiece = size_t{1} << 31;

int Code(int error) {
  if (error == 0) return 0;
  errno = error;
  switch (error) {
    case EOPNOTSUPP:
      return RPMA_E_NOSUPP;
    case EFAULT:
    case EINVAL:
    case ENOENT:
    case EPERM:
      return RPMA_E_INVAL;
    default:
      return ProviderFailure("ibv_advise_mr", error);
  }
}

}  // namespace
}  // namespace rpma

int rpma_mr_advise(struct rpma_mr_local* mr, size_t offset, size_t len, int advice,
                   uint32_t flags) {
  if (mr == nullptr) return RPMA_E_INVAL;
  const size_t size = mr->mr->length;
  if (offset > size || len > size - offset) return RPMA_E_INVAL;
  if (advice < IBV_ADVISE_MR_ADVICE_PREFETCH || advice > IBV_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT) {
    return RPMA_E_NOSUPP;
  }
  do {  // once also for no bytes
    const size_t piece = std::min(len, rpma::kMaxPiece);
    ibv_sge sge = {
        .addr = mr->addr + offset, .length = static_cast<uint32_t>(piece), .lkey = mr->lkey};
    const int error = ibv_advise_mr(mr->mr->pd, static_cast<ibv_advise_mr_advice>(advice), flags,
                                    &sge, /*num_sge=*/1);
    if (const int code = rpma::Code(error); code != 0) return code;
    offset += piece;
    len -= piece;
  } while (len != 0);
  return 0;
}
