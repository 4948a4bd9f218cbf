// The checks of rpma_log_set_threshold(3), beside its page in spec/.
#include "spec/rpma_log_set_threshold.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_log_set_threshold {

const char* const kLevels[] = {"RPMA_LOG_LEVEL_DEBUG",  "RPMA_LOG_LEVEL_INFO",
                               "RPMA_LOG_LEVEL_NOTICE", "RPMA_LOG_LEVEL_WARNING",
                               "RPMA_LOG_LEVEL_ERROR",  "RPMA_LOG_LEVEL_FATAL",
                               "RPMA_LOG_DISABLED"};

// A call that fails in the provider, of which every log has something to say.
constexpr char kFails[] =
    "; rpma_utils_get_ibv_context(\"203.0.113.7\", RPMA_UTIL_IBV_CONTEXT_LOCAL, &none)";

std::string Set(const std::string& threshold, const std::string& level) {
  return "rpma_log_set_threshold(" + threshold + ", " + level + ")";
}

// What is heard at each pair of levels, the highest first, by a function of the caller's and by the
// library's own.
std::vector<Script> Heard() {
  const std::string listen = "rpma_log_set_function(log); ";
  const std::string all = Set("RPMA_LOG_THRESHOLD", "RPMA_LOG_LEVEL_DEBUG");
  std::vector<Script> scripts;
  for (const std::string level : kLevels)
    for (const std::string auxiliary : kLevels) {
      const std::string both = "; " + Set("RPMA_LOG_THRESHOLD", level) + "; " +
                               Set("RPMA_LOG_THRESHOLD_AUX", auxiliary) + kFails;
      scripts.push_back(MustParseScript(listen + all + kFails + both));
      scripts.push_back(MustParseScript(all + both));
    }
  return scripts;
}

std::vector<Script> AllScripts(std::uint64_t) {
  const std::string everything = Set("RPMA_LOG_THRESHOLD", "RPMA_LOG_LEVEL_DEBUG") + "; " +
                                 Set("RPMA_LOG_THRESHOLD_AUX", "RPMA_LOG_LEVEL_DEBUG");
  return Join({{MustParseScript(everything + kFails)},
               Expand({"",
                       "rpma_log_set_threshold",
                       {{"RPMA_LOG_THRESHOLD", "RPMA_LOG_THRESHOLD_AUX", "!", "2", "-1"},
                        {"RPMA_LOG_DISABLED", "RPMA_LOG_LEVEL_FATAL", "RPMA_LOG_LEVEL_ERROR",
                         "RPMA_LOG_LEVEL_WARNING", "RPMA_LOG_LEVEL_NOTICE", "RPMA_LOG_LEVEL_INFO",
                         "RPMA_LOG_LEVEL_DEBUG", "!", "-2", "6", "INT_MIN", "INT_MAX"}},
                       "rpma_log_get_threshold(RPMA_LOG_THRESHOLD, &level); "
                       "rpma_log_get_threshold(RPMA_LOG_THRESHOLD_AUX, &level); "
                       "rpma_log_set_threshold(RPMA_LOG_THRESHOLD, RPMA_LOG_LEVEL_ERROR); "
                       "rpma_log_get_threshold(RPMA_LOG_THRESHOLD, &level)"}),
               Heard()});
}

const ScriptChecks kChecks{&spec::rpma_log_set_threshold::kPage, AllScripts};

}  // namespace conformance::rpma_log_set_threshold
