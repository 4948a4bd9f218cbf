/* rpma_err_2str(3), each code with a text of its own. */
#include <librpma.h>

__attribute__((visibility("default"))) const char *rpma_err_2str(int ret) {
  static const char *const kTexts[] = {"unknown",  "not supported", "provider", "no memory",
                                       "invalid",  "no completion", "no event", "again",
                                       "a shared", "no shared"};
  if (ret == 0) return "fine";
  if (ret > RPMA_E_UNKNOWN || ret < RPMA_E_NOT_SHARED_CHNL) return kTexts[0];
  return kTexts[RPMA_E_UNKNOWN - ret];
}
