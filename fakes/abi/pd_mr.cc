// Protection domains and memory regions: ibv_alloc_pd(3), ibv_reg_mr(3), ibv_advise_mr(3).
#include <infiniband/verbs.h>
#include <sys/mman.h>
#include <unistd.h>

#include <span>

#include "abi/edge.h"
#include "abi/objects.h"

#undef ibv_reg_mr
#undef ibv_reg_mr_iova

namespace fakenic {
namespace {

// Whether this kernel can be asked to populate a range, as a driver does that pins it (Linux 5.14).
bool CanPopulate(void* page, size_t size) {
  static const bool can = madvise(page, size, MADV_POPULATE_READ) == 0 || errno != EINVAL;
  return can;
}

// 0 if the whole range is mapped, and writable where the NIC may write; else the errno of the
// registration.
int CheckMapped(void* addr, size_t length, unsigned access) {
  if (length == 0) return 0;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t begin = reinterpret_cast<uintptr_t>(addr) & ~(page - 1);
  const uintptr_t end = (reinterpret_cast<uintptr_t>(addr) + length + page - 1) & ~(page - 1);
  if (end <= begin) return EFAULT;
  alignas(4096) static char own_page[4096];
  auto* range = reinterpret_cast<void*>(begin);
  if (!CanPopulate(own_page, sizeof own_page)) {  // then only what is not mapped at all shows
    return msync(range, end - begin, MS_ASYNC) == 0 ? 0 : EFAULT;
  }
  const bool written = (access & (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE)) != 0;
  if (madvise(range, end - begin, written ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) == 0)
    return 0;
  const bool no_memory = errno == EHWPOISON || errno == EAGAIN;
  return no_memory ? ENOMEM : EFAULT;
}

ibv_mr* RegMr(ibv_pd* pd, void* addr, size_t length, uint64_t iova, unsigned access) {
  if (const int error = edge().faults.Fire("ibv_reg_mr")) return Null<ibv_mr>(error);
  if (iova != reinterpret_cast<uintptr_t>(addr)) return Null<ibv_mr>(EOPNOTSUPP);
  if (const int error = CheckMapped(addr, length, access)) return Null<ibv_mr>(error);
  const Locked locked;
  const Made<Mr> made = FromContext(pd->context)->model.RegMr(pd->handle, iova, length, access);
  if (made.error != 0) return Null<ibv_mr>(made.error);
  auto* mr = new FakeMr;
  mr->model = made.object;
  mr->mr = {.context = pd->context,
            .pd = pd,
            .addr = addr,
            .length = length,
            .handle = made.object->handle,
            .lkey = made.object->key,
            .rkey = made.object->key};
  return &mr->mr;
}

}  // namespace

// Nothing is fetched before its time: what is registered is mapped, and the copies of this NIC page
// it in. So an advice has only its checks.
int AdviseMr(ibv_pd* pd, ibv_advise_mr_advice advice, uint32_t flags, ibv_sge* sg_list,
             uint32_t num_sge) {
  if (const int error = edge().faults.Fire("ibv_advise_mr")) return error;
  const Locked locked;
  const Device& device = edge().fabric.device();
  if (!device.profile().pages_on_demand) return EOPNOTSUPP;
  if (advice > IBV_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT) return EOPNOTSUPP;
  if ((flags & ~uint32_t{IBV_ADVISE_MR_FLAG_FLUSH}) != 0 || num_sge == 0) return EINVAL;
  const Pd* domain = FromContext(pd->context)->model.FindPd(pd->handle);
  if (domain == nullptr) return ENOENT;
  const bool written = advice == IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE;
  for (const ibv_sge& sge : std::span(sg_list, num_sge)) {
    const Mr* mr = device.FindMr(sge.lkey);
    if (const int error = CheckAdvice(mr, domain, sge.addr, sge.length, written)) return error;
  }
  return 0;
}

}  // namespace fakenic

using fakenic::edge;
using fakenic::Locked;

extern "C" {

ibv_pd* ibv_alloc_pd(ibv_context* context) {
  if (const int error = edge().faults.Fire("ibv_alloc_pd")) return fakenic::Null<ibv_pd>(error);
  const Locked locked;
  const auto made = fakenic::FromContext(context)->model.AllocPd();
  if (made.error != 0) return fakenic::Null<ibv_pd>(made.error);
  auto* pd = new fakenic::FakePd;
  pd->model = made.object;
  pd->pd = {.context = context, .handle = made.object->handle};
  return &pd->pd;
}

int ibv_dealloc_pd(ibv_pd* pd) {
  if (const int error = edge().faults.Fire("ibv_dealloc_pd")) return fakenic::Verb(error);
  const Locked locked;
  if (const int error = fakenic::FromContext(pd->context)->model.DeallocPd(pd->handle)) {
    return fakenic::Verb(error);
  }
  delete fakenic::From<fakenic::FakePd>(pd);
  return 0;
}

ibv_mr* ibv_reg_mr(ibv_pd* pd, void* addr, size_t length, int access) {
  return fakenic::RegMr(pd, addr, length, reinterpret_cast<uintptr_t>(addr),
                        static_cast<unsigned>(access));
}

ibv_mr* ibv_reg_mr_iova(ibv_pd* pd, void* addr, size_t length, uint64_t iova, int access) {
  return fakenic::RegMr(pd, addr, length, iova, static_cast<unsigned>(access));
}

ibv_mr* ibv_reg_mr_iova2(ibv_pd* pd, void* addr, size_t length, uint64_t iova, unsigned access) {
  return fakenic::RegMr(pd, addr, length, iova, access);
}

int ibv_dereg_mr(ibv_mr* mr) {
  if (const int error = edge().faults.Fire("ibv_dereg_mr")) return fakenic::Verb(error);
  const Locked locked;
  if (const int error = fakenic::FromContext(mr->context)->model.DeregMr(mr->handle)) {
    return fakenic::Verb(error);
  }
  delete fakenic::From<fakenic::FakeMr>(mr);
  return 0;
}

}  // extern "C"
