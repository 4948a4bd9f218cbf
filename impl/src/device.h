// What a device says that it can do.
#pragma once

#include <infiniband/verbs.h>

namespace rpma {

// IBV_ACCESS_FLUSH_GLOBAL and _PERSISTENT, which rdma-core has since version 45: the right to flush
// the memory by an operation of its own.
inline constexpr int kAccessFlushGlobal = 1 << 8;
inline constexpr int kAccessFlushPersistent = 1 << 9;

// Throws RPMA_E_PROVIDER.
ibv_device_attr_ex QueryDevice(ibv_context* context);

// Whether it pages memory in on demand for the reads and writes of a reliable connection.
bool IsOdpCapable(const ibv_device_attr_ex& attr);

}  // namespace rpma
