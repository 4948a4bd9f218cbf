// What a device says that it can do.
#pragma once

#include <infiniband/verbs.h>

namespace rpma {

// Throws RPMA_E_PROVIDER.
ibv_device_attr_ex QueryDevice(ibv_context* context);

// Whether it pages memory in on demand for the reads and writes of a reliable connection.
bool IsOdpCapable(const ibv_device_attr_ex& attr);

}  // namespace rpma
