// Any bytes as the descriptor of a platform.
#include <librpma.h>

#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rpma_peer_cfg* pcfg = nullptr;
  const int code = rpma_peer_cfg_from_descriptor(data, size, &pcfg);
  REQUIRE(code == (size == 0 ? RPMA_E_INVAL : 0));
  if (code != 0) return 0;

  bool supported = false;
  uint8_t described = 2;
  REQUIRE(rpma_peer_cfg_get_direct_write_to_pmem(pcfg, &supported) == 0);
  REQUIRE(supported == (data[0] != 0));
  REQUIRE(rpma_peer_cfg_get_descriptor(pcfg, &described) == 0);
  REQUIRE(described == (supported ? 1 : 0));
  REQUIRE(rpma_peer_cfg_delete(&pcfg) == 0);
  return 0;
}
