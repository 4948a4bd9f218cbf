// Devices and contexts: ibv_get_device_list(3), ibv_open_device(3), ibv_query_*(3).
#include <infiniband/verbs.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

#include "abi/edge.h"
#include "abi/gid.h"
#include "abi/objects.h"

#undef ibv_query_port

namespace fakenic {
namespace {

constexpr uint64_t kAtomicWriteCap = uint64_t{1} << 40;  // in device_cap_flags_ex
constexpr uint8_t kPort = 1;

uint32_t HostNumber() {
  const Locked locked;
  return edge().network.HostNumber();
}

uint64_t Guid() { return kGuid + HostNumber() - 1; }

void NameDevice(ibv_device& device) {
  std::snprintf(device.name, sizeof device.name, "%s", edge().device_name.c_str());
  std::snprintf(device.ibdev_path, sizeof device.ibdev_path, "/sys/class/infiniband/%s",
                device.name);
}

ibv_device& TheDevice() {
  static ibv_device& device = *[] {
    auto* made = new ibv_device{};
    made->node_type = IBV_NODE_CA;
    made->transport_type = IBV_TRANSPORT_IB;
    std::snprintf(made->dev_name, sizeof made->dev_name, "uverbs0");
    std::snprintf(made->dev_path, sizeof made->dev_path, "/sys/class/infiniband_verbs/uverbs0");
    NameDevice(*made);
    return made;
  }();
  return device;
}

void FillDevice(ibv_device_attr& attr) {
  const DeviceLimits& limits = edge().fabric.device().limits();
  attr = {};
  std::snprintf(attr.fw_ver, sizeof attr.fw_ver, "0.1.0");
  attr.node_guid = attr.sys_image_guid = htobe64(Guid());
  attr.max_mr_size = UINT64_MAX;
  attr.page_size_cap = 0xfffff000;
  attr.max_qp = static_cast<int>(limits.max_qp);
  attr.max_qp_wr = static_cast<int>(limits.max_qp_wr);
  attr.device_cap_flags = IBV_DEVICE_RC_RNR_NAK_GEN;
  attr.max_sge = attr.max_sge_rd = static_cast<int>(limits.max_sge);
  attr.max_cq = static_cast<int>(limits.max_cq);
  attr.max_cqe = static_cast<int>(limits.max_cqe);
  attr.max_mr = static_cast<int>(limits.max_mr);
  attr.max_pd = static_cast<int>(limits.max_pd);
  attr.max_qp_rd_atom = attr.max_qp_init_rd_atom = limits.max_rd_atomic;
  attr.max_res_rd_atom = limits.max_rd_atomic * attr.max_qp;
  attr.max_srq = static_cast<int>(limits.max_srq);
  attr.max_srq_wr = static_cast<int>(limits.max_srq_wr);
  attr.max_srq_sge = static_cast<int>(limits.max_srq_sge);
  attr.atomic_cap = IBV_ATOMIC_HCA;
  attr.max_pkeys = 1;
  attr.local_ca_ack_delay = 15;
  attr.phys_port_cnt = 1;
}

void FillOdp(ibv_odp_caps& caps) {
  caps.general_caps = IBV_ODP_SUPPORT;
  caps.per_transport_caps.rc_odp_caps = IBV_ODP_SUPPORT_SEND | IBV_ODP_SUPPORT_RECV |
                                        IBV_ODP_SUPPORT_WRITE | IBV_ODP_SUPPORT_READ |
                                        IBV_ODP_SUPPORT_ATOMIC | IBV_ODP_SUPPORT_SRQ_RECV;
}

int QueryDeviceEx(ibv_context*, const ibv_query_device_ex_input* input, ibv_device_attr_ex* attr,
                  size_t attr_size) {
  if (const int error = edge().faults.Fire("ibv_query_device")) return error;
  if (input != nullptr && input->comp_mask != 0) return EINVAL;
  ibv_device_attr_ex full{};
  FillDevice(full.orig_attr);
  full.device_cap_flags_ex = full.orig_attr.device_cap_flags;
  if (edge().offers_atomic_write) full.device_cap_flags_ex |= kAtomicWriteCap;
  if (edge().fabric.device().offers_flush()) {
    full.device_cap_flags_ex |= kFlushGlobalCap | kFlushPersistentCap;
  }
  if (edge().fabric.device().profile().pages_on_demand) FillOdp(full.odp_caps);
  full.phys_port_cnt_ex = 1;
  std::memcpy(attr, &full, std::min(attr_size, sizeof full));
  return 0;
}

int QueryPort(ibv_context*, uint8_t port_num, ibv_port_attr* attr, size_t attr_size) {
  if (port_num != kPort) return EINVAL;
  ibv_port_attr full{};
  full.state = IBV_PORT_ACTIVE;
  full.max_mtu = full.active_mtu = IBV_MTU_4096;
  full.gid_tbl_len = kGids;
  full.max_msg_sz = 1u << 31;
  full.pkey_tbl_len = 1;
  full.active_width = 1;
  full.active_speed = 1;
  full.phys_state = 5;  // link up
  full.lid = static_cast<uint16_t>(HostNumber());
  full.link_layer = IBV_LINK_LAYER_ETHERNET;
  std::memcpy(attr, &full, std::min(attr_size, sizeof full));
  return 0;
}

// The host's first address, as RoCE has it: an IPv4 address mapped into IPv6.
ibv_gid AddressGid() {
  const auto& addresses = edge().network.settings().addresses;
  return GidOf(addresses.empty() ? Address::Loopback(AF_INET) : addresses.front());
}

// The link-local address, and the host's.
ibv_gid Gid(int index) { return index == 0 ? LinkLocalGid(HostNumber()) : AddressGid(); }

ibv_gid_entry GidEntry(int index) {
  return {Gid(index), static_cast<uint32_t>(index), kPort, IBV_GID_TYPE_ROCE_V2, 0};
}

}  // namespace

void RenameDevice() { NameDevice(TheDevice()); }

namespace {

// All that are open, in order. Guarded by the edge's lock.
std::vector<FakeContext*>& OpenContexts() {
  static auto& contexts = *new std::vector<FakeContext*>;
  return contexts;
}

}  // namespace

void RemoveDevice() {
  edge().fabric.device().ForEachQp([](Qp& qp) {
    QpAttr attr;
    attr.state = QpState::kErr;
    edge().fabric.ModifyQp(qp, attr, qp_mask::kState);
  });
  edge().cm.RemoveDevice();
  ibv_async_event event{};
  event.event_type = IBV_EVENT_DEVICE_FATAL;
  for (FakeContext* context : OpenContexts()) context->async_events.Push(event);
}

FakeContext* OpenContext() {
  auto* context = new FakeContext(edge().fabric);
  verbs_context& verbs = context->verbs;
  verbs.sz = sizeof verbs;
  verbs.query_device_ex = QueryDeviceEx;
  verbs.query_port = QueryPort;
  verbs.advise_mr = AdviseMr;
  verbs.create_qp_ex = CreateQp;
  verbs.create_cq_ex = CreateCqEx;
  verbs.context.device = &TheDevice();
  verbs.context.cmd_fd = -1;
  verbs.context.async_fd = context->async_events.fd().get();
  verbs.context.num_comp_vectors = 1;
  verbs.context.abi_compat = reinterpret_cast<void*>(UINTPTR_MAX);
  pthread_mutex_init(&verbs.context.mutex, nullptr);
  FillDataPath(verbs);
  OpenContexts().push_back(context);
  return context;
}

}  // namespace fakenic

using fakenic::edge;

extern "C" {

ibv_device** ibv_get_device_list(int* num_devices) {
  auto** list = static_cast<ibv_device**>(std::calloc(2, sizeof(ibv_device*)));
  if (list == nullptr) return fakenic::Null<ibv_device*>(ENOMEM);
  const fakenic::Locked locked;
  const bool present = edge().cm.hosts.device_present;
  if (present) list[0] = &fakenic::TheDevice();
  if (num_devices != nullptr) *num_devices = present ? 1 : 0;
  return list;
}

void ibv_free_device_list(ibv_device** list) { std::free(list); }

const char* ibv_get_device_name(ibv_device* device) { return device->name; }

int ibv_get_device_index(ibv_device*) { return 1; }

__be64 ibv_get_device_guid(ibv_device*) { return htobe64(fakenic::Guid()); }

ibv_context* ibv_open_device(ibv_device*) {
  if (const int error = edge().faults.Fire("ibv_open_device"))
    return fakenic::Null<ibv_context>(error);
  const fakenic::Locked locked;
  try {
    return &fakenic::OpenContext()->verbs.context;
  } catch (const std::system_error& failure) {
    return fakenic::Null<ibv_context>(failure.code().value());
  }
}

int ibv_close_device(ibv_context* context) {
  const fakenic::Locked locked;
  pthread_mutex_destroy(&context->mutex);
  fakenic::FakeContext* closed = fakenic::FromContext(context);
  std::erase(fakenic::OpenContexts(), closed);
  delete closed;
  return 0;
}

int ibv_query_device(ibv_context*, ibv_device_attr* attr) {
  if (const int error = edge().faults.Fire("ibv_query_device")) return fakenic::Verb(error);
  fakenic::FillDevice(*attr);
  return 0;
}

// The caller's struct may be the short one of old headers: nothing beyond its last field is
// written.
int ibv_query_port(ibv_context* context, uint8_t port_num, _compat_ibv_port_attr* attr) {
  return fakenic::QueryPort(context, port_num, reinterpret_cast<ibv_port_attr*>(attr),
                            offsetof(ibv_port_attr, port_cap_flags2));
}

int ibv_query_gid(ibv_context*, uint8_t port_num, int index, ibv_gid* gid) {
  if (port_num != fakenic::kPort || index < 0 || index >= fakenic::kGids) {
    errno = EINVAL;
    return -1;
  }
  *gid = fakenic::Gid(index);
  return 0;
}

int _ibv_query_gid_ex(ibv_context*, uint32_t port_num, uint32_t gid_index, ibv_gid_entry* entry,
                      uint32_t flags, size_t entry_size) {
  if (flags != 0 || entry_size < sizeof *entry) return fakenic::Verb(EINVAL);
  if (port_num != fakenic::kPort || gid_index >= fakenic::kGids) return fakenic::Verb(EINVAL);
  *entry = fakenic::GidEntry(static_cast<int>(gid_index));
  return 0;
}

ssize_t _ibv_query_gid_table(ibv_context*, ibv_gid_entry* entries, size_t max_entries,
                             uint32_t flags, size_t entry_size) {
  if (flags != 0 || entry_size != sizeof *entries || max_entries < fakenic::kGids) return -EINVAL;
  for (int i = 0; i < fakenic::kGids; ++i) entries[i] = fakenic::GidEntry(i);
  return fakenic::kGids;
}

// The private form, with the values of sysfs: RoCE version 2.
int ibv_query_gid_type(ibv_context*, uint8_t port_num, unsigned index, int* type) {
  if (port_num != fakenic::kPort || index >= fakenic::kGids) return fakenic::Verb(EINVAL);
  constexpr int kSysfsRoceV2 = 1;
  *type = kSysfsRoceV2;
  return 0;
}

int ibv_query_pkey(ibv_context*, uint8_t port_num, int index, __be16* pkey) {
  if (port_num != fakenic::kPort || index != 0) {
    errno = EINVAL;
    return -1;
  }
  *pkey = htobe16(0xffff);
  return 0;
}

int ibv_get_pkey_index(ibv_context*, uint8_t port_num, __be16 pkey) {
  return port_num == fakenic::kPort && pkey == htobe16(0xffff) ? 0 : -1;
}

int ibv_fork_init(void) { return 0; }

ibv_fork_status ibv_is_fork_initialized(void) { return IBV_FORK_UNNEEDED; }

// There is no sysfs entry for the fake.
int ibv_read_sysfs_file(const char*, const char*, char*, size_t) { return -1; }

}  // extern "C"
