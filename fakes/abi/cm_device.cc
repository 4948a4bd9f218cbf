#include "abi/cm_device.h"

#include <rdma/rdma_cma.h>

#include <cstdlib>
#include <system_error>
#include <utility>

#include "abi/edge.h"
#include "abi/objects.h"

namespace fakenic {
ibv_context* CmContext() {
  FakeContext*& context = edge().cm_context;
  if (context == nullptr) context = OpenContext();
  return &context->verbs.context;
}

ibv_pd* AcquireCmPd() {
  FakePd*& pd = edge().cm_pd;
  if (edge().cm_pd_users++ == 0) {
    pd = new FakePd;
    pd->model = FromContext(CmContext())->model.AllocPd().object;
    pd->pd = {.context = CmContext(), .handle = pd->model->handle};
  }
  return &pd->pd;
}

void ReleaseCmPd() {
  if (--edge().cm_pd_users > 0) return;
  FromContext(CmContext())->model.DeallocPd(edge().cm_pd->pd.handle);
  delete std::exchange(edge().cm_pd, nullptr);
}

}  // namespace fakenic

extern "C" {

ibv_context** rdma_get_devices(int* num_devices) {
  auto** list = static_cast<ibv_context**>(std::calloc(2, sizeof(ibv_context*)));
  if (list == nullptr) return fakenic::Null<ibv_context*>(ENOMEM);
  const fakenic::Locked locked;
  try {
    list[0] = fakenic::CmContext();
  } catch (const std::system_error& failure) {
    std::free(list);
    return fakenic::Null<ibv_context*>(failure.code().value());
  }
  if (num_devices != nullptr) *num_devices = 1;
  return list;
}

void rdma_free_devices(ibv_context** list) { std::free(list); }

}  // extern "C"
