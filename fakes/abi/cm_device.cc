#include "abi/cm_device.h"

#include <rdma/rdma_cma.h>

#include <cstdlib>
#include <system_error>

#include "abi/edge.h"
#include "abi/objects.h"

namespace fakenic {
namespace {

FakePd* default_pd = nullptr;  // under the edge's lock, as the context it belongs to
unsigned default_pd_users = 0;

}  // namespace

ibv_context* CmContext() {
  static FakeContext& context = *OpenContext();
  return &context.verbs.context;
}

ibv_pd* AcquireCmPd() {
  if (default_pd_users++ == 0) {
    default_pd = new FakePd;
    default_pd->model = FromContext(CmContext())->model.AllocPd().object;
    default_pd->pd = {.context = CmContext(), .handle = default_pd->model->handle};
  }
  return &default_pd->pd;
}

void ReleaseCmPd() {
  if (--default_pd_users > 0) return;
  FromContext(CmContext())->model.DeallocPd(default_pd->pd.handle);
  delete default_pd;
  default_pd = nullptr;
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
