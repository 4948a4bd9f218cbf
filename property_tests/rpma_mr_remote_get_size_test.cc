// The checks of rpma_mr_remote_get_size(3), beside its page in spec/.
#include "spec/rpma_mr_remote_get_size.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_mr_remote_get_size {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Scripts({"rpma_mr_remote_from_descriptor(bytes:001000000000000000200000000000001122334408, "
                "21, &mr); "
                "rpma_mr_remote_get_size(mr, &size); rpma_mr_remote_get_size(mr, &size)",
                "rpma_mr_remote_from_descriptor(bytes:001000000000000000200000000000001122334410, "
                "21, &mr); "
                "rpma_mr_remote_from_descriptor(bytes:001000000000000001000000000000001122334420, "
                "21, &other); "
                "rpma_mr_remote_get_size(mr, &size); rpma_mr_remote_get_size(other, &size)"}),
       Expand({"rpma_mr_remote_from_descriptor(bytes:001000000000000000200000000000001122334408, "
               "21, &mr); ",
               "rpma_mr_remote_get_size",
               {{"mr", "!", "NULL"}, {"&size", "!", "NULL"}},
               ""})});
}

const ScriptChecks kChecks{&spec::rpma_mr_remote_get_size::kPage, AllScripts};

}  // namespace conformance::rpma_mr_remote_get_size
