// The verbs objects that the library owns.
#pragma once

#include "handle.h"

namespace rpma {

inline int DestroyPd(ibv_pd* pd) noexcept {
  return VerbsResult(ibv_dealloc_pd(pd), "ibv_dealloc_pd");
}
using Pd = Handle<ibv_pd, DestroyPd>;

inline int DestroyMr(ibv_mr* mr) noexcept { return VerbsResult(ibv_dereg_mr(mr), "ibv_dereg_mr"); }
using Mr = Handle<ibv_mr, DestroyMr>;

inline int DestroySrq(ibv_srq* srq) noexcept {
  return VerbsResult(ibv_destroy_srq(srq), "ibv_destroy_srq");
}
using Srq = Handle<ibv_srq, DestroySrq>;

inline int DestroyCompChannel(ibv_comp_channel* channel) noexcept {
  return VerbsResult(ibv_destroy_comp_channel(channel), "ibv_destroy_comp_channel");
}
using CompChannel = Handle<ibv_comp_channel, DestroyCompChannel>;

inline int DestroyCq(ibv_cq* cq) noexcept {
  return VerbsResult(ibv_destroy_cq(cq), "ibv_destroy_cq");
}
using Cq = Handle<ibv_cq, DestroyCq>;

}  // namespace rpma
