// Options of identifiers: rdma_set_option(3), rdma_set_local_ece(3), rdma_get_remote_ece(3).
#include <rdma/rdma_cma.h>

#include <cstring>

#include "abi/cm_objects.h"
#include "abi/edge.h"

namespace fakenic {
namespace {

template <typename T>
T Read(const void* value) {
  T result;
  std::memcpy(&result, value, sizeof result);
  return result;
}

int SetTypeOfService(CmId& id, const void* value) {
  id.type_of_service = Read<uint8_t>(value);
  return 0;
}

int SetReuseAddress(CmId& id, const void* value) {
  return edge().cm.SetReuseAddress(id, Read<int>(value) != 0);
}

int SetOneFamily(CmId& id, const void* value) {
  return edge().cm.SetOneFamily(id, Read<int>(value) != 0);
}

int SetAckTimeout(CmId& id, const void* value) {
  if (id.port_space != RDMA_PS_TCP && id.port_space != RDMA_PS_IB) return EINVAL;
  id.ack_timeout = Read<uint8_t>(value) & 0x1f;  // five bits on the wire
  return 0;
}

struct Option {
  int name;
  size_t size;
  int (*set)(CmId&, const void*);
};

constexpr Option kOptions[] = {
    {RDMA_OPTION_ID_TOS, sizeof(uint8_t), SetTypeOfService},
    {RDMA_OPTION_ID_REUSEADDR, sizeof(int), SetReuseAddress},
    {RDMA_OPTION_ID_AFONLY, sizeof(int), SetOneFamily},
    {RDMA_OPTION_ID_ACK_TIMEOUT, sizeof(uint8_t), SetAckTimeout},
};

// A path that the program found itself takes the place of rdma_resolve_route().
int SetPath(CmId& id, size_t size) {
  if (size == 0 || size % sizeof(ibv_path_data) != 0) return EINVAL;
  constexpr int kAnyTimeout = 1;
  return edge().cm.ResolveRoute(id, kAnyTimeout);
}

int SetOption(CmId& id, int level, int name, const void* value, size_t size) {
  if (level == RDMA_OPTION_IB && name == RDMA_OPTION_IB_PATH) return SetPath(id, size);
  if (level != RDMA_OPTION_ID) return ENOSYS;
  for (const Option& option : kOptions) {
    if (option.name == name) return size == option.size ? option.set(id, value) : EINVAL;
  }
  return ENOSYS;
}

}  // namespace
}  // namespace fakenic

using fakenic::Cm;
using fakenic::FromId;
using fakenic::Locked;

extern "C" {

int rdma_set_option(rdma_cm_id* id, int level, int optname, void* optval, size_t optlen) {
  if (const int error = fakenic::edge().faults.Fire("rdma_set_option")) return Cm(error);
  const Locked locked;
  return Cm(fakenic::SetOption(*FromId(id).model, level, optname, optval, optlen));
}

// Both are for programs that bring their own queue pair.
int rdma_set_local_ece(rdma_cm_id* id, ibv_ece* ece) {
  if (id == nullptr || id->qp != nullptr || ece == nullptr) return Cm(EINVAL);
  if (ece->vendor_id == 0 || ece->comp_mask != 0) return Cm(EINVAL);
  const Locked locked;
  FromId(id).model->local_ece = {ece->vendor_id, ece->options};
  return 0;
}

int rdma_get_remote_ece(rdma_cm_id* id, ibv_ece* ece) {
  if (id == nullptr || id->qp != nullptr || ece == nullptr) return Cm(EINVAL);
  const Locked locked;
  const fakenic::Ece& remote = FromId(id).model->remote_ece;
  *ece = {.vendor_id = remote.vendor_id, .options = remote.options, .comp_mask = 0};
  return 0;
}

}  // extern "C"
