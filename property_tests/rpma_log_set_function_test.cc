// The checks of rpma_log_set_function(3), beside its page in spec/.
#include "spec/rpma_log_set_function.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_log_set_function {

// A call that fails in the provider, of which every log has something to say.
constexpr char kFails[] =
    "rpma_utils_get_ibv_context(\"203.0.113.7\", RPMA_UTIL_IBV_CONTEXT_LOCAL, &none); ";
constexpr char kEverything[] =
    "rpma_log_set_threshold(RPMA_LOG_THRESHOLD, RPMA_LOG_LEVEL_DEBUG); "
    "rpma_log_set_threshold(RPMA_LOG_THRESHOLD_AUX, RPMA_LOG_LEVEL_DEBUG); ";

// One function after the other, each followed by something to say.
std::vector<Script> InTurn() {
  const std::vector<std::string> functions{"log", "log2", "NULL"};
  std::vector<Script> scripts;
  for (const std::string& first : functions)
    for (const std::string& second : functions)
      scripts.push_back(MustParseScript(kEverything + ("rpma_log_set_function(" + first + "); ") +
                                        kFails + "rpma_log_set_function(" + second + "); " +
                                        kFails));
  return scripts;
}

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Expand({"", "rpma_log_set_function", {{"log", "log2", "NULL"}}, kFails}),
               InTurn(),
               {MustParseScript(kEverything + std::string("rpma_log_set_function(log); ") +
                                "rpma_mr_remote_from_descriptor(bytes:00, 1, &mr); "
                                "rpma_peer_cfg_from_descriptor(bytes:00, 1, &cfg); " +
                                kFails)}});
}

const ScriptChecks kChecks{&spec::rpma_log_set_function::kPage, AllScripts};

}  // namespace conformance::rpma_log_set_function
