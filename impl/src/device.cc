#include "device.h"

#include "error.h"

namespace rpma {

ibv_device_attr_ex QueryDevice(ibv_context* context) {
  ibv_device_attr_ex attr;
  ThrowIf(
      VerbsResult(ibv_query_device_ex(context, /*input=*/nullptr, &attr), "ibv_query_device_ex"));
  return attr;
}

bool IsOdpCapable(const ibv_device_attr_ex& attr) {
  constexpr uint32_t kReadWrite = IBV_ODP_SUPPORT_WRITE | IBV_ODP_SUPPORT_READ;
  return (attr.odp_caps.general_caps & IBV_ODP_SUPPORT) != 0 &&
         (attr.odp_caps.per_transport_caps.rc_odp_caps & kReadWrite) == kReadWrite;
}

}  // namespace rpma
