// The checks of rpma_mr_get_descriptor_size(3), beside its page in spec/.
#include "spec/rpma_mr_get_descriptor_size.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_mr_get_descriptor_size {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Scripts({"given region; rpma_mr_get_descriptor_size(mr, &size); "
                        "rpma_mr_get_descriptor_size(mr, &size)",
                        "given peer; rpma_mr_reg(peer, mem+8, 1, RPMA_MR_USAGE_SEND, &mr); "
                        "rpma_mr_get_descriptor_size(mr, &size)",
                        "given region; rpma_mr_reg(peer, mem+4096, 12288, RPMA_MR_USAGE_RECV, "
                        "&other); rpma_mr_get_descriptor_size(other, &size); "
                        "rpma_mr_get_descriptor_size(mr, &size)"}),
               Expand({"given region",
                       "rpma_mr_get_descriptor_size",
                       {{"mr", "!", "NULL"}, {"&size", "!", "NULL"}},
                       ""})});
}

const ScriptChecks kChecks{&spec::rpma_mr_get_descriptor_size::kPage, AllScripts};

}  // namespace conformance::rpma_mr_get_descriptor_size
