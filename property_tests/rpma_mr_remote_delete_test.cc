// The checks of rpma_mr_remote_delete(3), beside its page in spec/.
#include "spec/rpma_mr_remote_delete.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_mr_remote_delete {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Expand({"rpma_mr_remote_from_descriptor(bytes:"
                       "001000000000000000200000000000001122334408, 21, &mr); ",
                       "rpma_mr_remote_delete",
                       {{"&mr", "!", "NULL"}},
                       ""}),
               Scripts({"rpma_mr_remote_from_descriptor(bytes:"
                        "001000000000000000200000000000001122334408, 21, &mr); "
                        "rpma_mr_remote_delete(&mr); rpma_mr_remote_delete(&mr)"})});
}

const ScriptChecks kChecks{&spec::rpma_mr_remote_delete::kPage, AllScripts};

}  // namespace conformance::rpma_mr_remote_delete
