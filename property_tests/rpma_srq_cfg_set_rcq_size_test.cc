// The checks of rpma_srq_cfg_set_rcq_size(3), beside its page in spec/.
#include "spec/rpma_srq_cfg_set_rcq_size.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_srq_cfg_set_rcq_size {

std::vector<Script> AllScripts(std::uint64_t) {
  return ExpandSetter("srq_cfg", "rcq_size",
                      {"7", "3", "0", "1", "10", "65535", "0x7fffffff", "UINT32_MAX"});
}

const ScriptChecks kChecks{&spec::rpma_srq_cfg_set_rcq_size::kPage, AllScripts};

}  // namespace conformance::rpma_srq_cfg_set_rcq_size
