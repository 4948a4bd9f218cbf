// The checks of rpma_log_get_threshold(3), beside its page in spec/.
#include "spec/rpma_log_get_threshold.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_log_get_threshold {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Scripts({"rpma_log_get_threshold(RPMA_LOG_THRESHOLD, &level); "
                        "rpma_log_get_threshold(RPMA_LOG_THRESHOLD, &level); "
                        "rpma_log_get_threshold(RPMA_LOG_THRESHOLD_AUX, &other)",
                        "rpma_log_set_threshold(RPMA_LOG_THRESHOLD_AUX, RPMA_LOG_LEVEL_INFO); "
                        "rpma_log_get_threshold(RPMA_LOG_THRESHOLD, &level); "
                        "rpma_log_get_threshold(RPMA_LOG_THRESHOLD_AUX, &other)"}),
               Expand({"",
                       "rpma_log_get_threshold",
                       {{"RPMA_LOG_THRESHOLD", "RPMA_LOG_THRESHOLD_AUX", "!", "2", "-1", "INT_MAX"},
                        {"&level", "!", "NULL"}},
                       ""})});
}

const ScriptChecks kChecks{&spec::rpma_log_get_threshold::kPage, AllScripts};

}  // namespace conformance::rpma_log_get_threshold
