// The checks of rpma_mr_remote_get_flush_type(3), beside its page in spec/.
#include "spec/rpma_mr_remote_get_flush_type.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_mr_remote_get_flush_type {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Scripts(
           {"rpma_mr_remote_from_descriptor(bytes:001000000000000000200000000000001122334408, 21, "
            "&mr); "
            "rpma_mr_remote_get_flush_type(mr, &flush); rpma_mr_remote_get_flush_type(mr, &flush)",
            "rpma_mr_remote_from_descriptor(bytes:001000000000000000200000000000001122334410, 21, "
            "&mr); "
            "rpma_mr_remote_from_descriptor(bytes:001000000000000001000000000000001122334420, 21, "
            "&other); "
            "rpma_mr_remote_get_flush_type(mr, &flush); rpma_mr_remote_get_flush_type(other, "
            "&flush)"}),
       Expand({"rpma_mr_remote_from_descriptor(bytes:001000000000000000200000000000001122334408, "
               "21, &mr); ",
               "rpma_mr_remote_get_flush_type",
               {{"mr", "!", "NULL"}, {"&flush", "!", "NULL"}},
               ""})});
}

const ScriptChecks kChecks{&spec::rpma_mr_remote_get_flush_type::kPage, AllScripts};

}  // namespace conformance::rpma_mr_remote_get_flush_type
