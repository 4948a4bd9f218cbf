// What one opened device context owns: every verbs object made through it, under handles that mean
// nothing elsewhere.
#pragma once

#include <cstdint>
#include <set>

#include "nic/comp_channel.h"
#include "nic/cq.h"
#include "nic/fabric.h"
#include "nic/mr.h"
#include "nic/pd.h"
#include "nic/qp.h"
#include "nic/slot_map.h"
#include "nic/srq.h"

namespace fakenic {

// A new object, or the errno that says why there is none.
template <typename T>
struct Made {
  T* object = nullptr;
  int error = 0;
};

// The destroying functions return 0; ENOENT for a handle that is not live here; EBUSY while
// something still uses the object.
class Context {
 public:
  explicit Context(Fabric& fabric) : fabric_(fabric) {}
  ~Context();  // ends whatever the program left
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Fabric& fabric() { return fabric_; }

  Made<Pd> AllocPd();
  int DeallocPd(uint32_t handle);

  // EINVAL, EOPNOTSUPP: see CheckRegistration. ENOENT: the handle names no live domain.
  Made<Mr> RegMr(uint32_t pd_handle, uint64_t addr, uint64_t length, uint32_t access);
  int DeregMr(uint32_t handle);

  CompChannel* CreateCompChannel();
  int DestroyCompChannel(CompChannel* channel);

  // EINVAL: cqe is below 1 or above the device's limit.
  Made<Cq> CreateCq(int cqe, CompChannel* channel);
  // EINVAL: cqe is below the number of completions in it, below 1 or above the device's limit.
  int ResizeCq(uint32_t handle, int cqe);
  int DestroyCq(uint32_t handle);

  // ENOENT: a handle names no live object. EINVAL: a capability is above the device's limit.
  Made<Qp> CreateQp(uint32_t pd_handle, uint32_t send_cq_handle, uint32_t recv_cq_handle,
                    const QpCap& cap, bool sq_sig_all, Srq* srq = nullptr);
  int DestroyQp(uint32_t handle);

  // ENOENT: the handle names no live domain. EINVAL: a value is 0 or above the device's limit.
  Made<Srq> CreateSrq(uint32_t pd_handle, uint32_t max_wr, uint32_t max_sge);
  // EINVAL: the limit is above the queue's size.
  int SetSrqLimit(uint32_t handle, uint32_t limit);
  int DestroySrq(uint32_t handle);
  Srq* FindSrq(uint32_t handle) const { return srqs_.Find(handle); }
  Qp* FindQp(uint32_t handle) const { return qps_.Find(handle); }
  Cq* FindCq(uint32_t handle) const { return cqs_.Find(handle); }
  Pd* FindPd(uint32_t handle) const { return pds_.Find(handle); }

 private:
  Fabric& fabric_;
  std::set<CompChannel*> channels_;
  SlotMap<Pd> pds_{fabric_.device().limits().max_pd};
  SlotMap<Mr> mrs_{fabric_.device().limits().max_mr};
  SlotMap<Cq> cqs_{fabric_.device().limits().max_cq};
  SlotMap<Srq> srqs_{fabric_.device().limits().max_srq};
  SlotMap<Qp> qps_{fabric_.device().limits().max_qp};
};

}  // namespace fakenic
