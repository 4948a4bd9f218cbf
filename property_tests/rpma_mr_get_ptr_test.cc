// The checks of rpma_mr_get_ptr(3), beside its page in spec/.
#include "spec/rpma_mr_get_ptr.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_mr_get_ptr {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Scripts({"given region; rpma_mr_get_ptr(mr, &ptr); rpma_mr_get_ptr(mr, &ptr)",
                "given peer; rpma_mr_reg(peer, mem+8, 1, RPMA_MR_USAGE_SEND, &mr); "
                "rpma_mr_get_ptr(mr, &ptr)",
                "given region; rpma_mr_reg(peer, mem+4096, 12288, RPMA_MR_USAGE_RECV, "
                "&other); rpma_mr_get_ptr(other, &ptr); rpma_mr_get_ptr(mr, &ptr)"}),
       Expand(
           {"given region", "rpma_mr_get_ptr", {{"mr", "!", "NULL"}, {"&ptr", "!", "NULL"}}, ""})});
}

const ScriptChecks kChecks{&spec::rpma_mr_get_ptr::kPage, AllScripts};

}  // namespace conformance::rpma_mr_get_ptr
