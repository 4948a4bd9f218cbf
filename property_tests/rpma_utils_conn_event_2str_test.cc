// The checks of rpma_utils_conn_event_2str(3), beside its page in spec/.
#include "spec/rpma_utils_conn_event_2str.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_utils_conn_event_2str {

constexpr char kAll[] =
    "rpma_utils_conn_event_2str(RPMA_CONN_UNDEFINED); "
    "rpma_utils_conn_event_2str(RPMA_CONN_ESTABLISHED); "
    "rpma_utils_conn_event_2str(RPMA_CONN_CLOSED); "
    "rpma_utils_conn_event_2str(RPMA_CONN_LOST); "
    "rpma_utils_conn_event_2str(RPMA_CONN_REJECTED); "
    "rpma_utils_conn_event_2str(RPMA_CONN_UNREACHABLE)";

std::vector<Script> Twice() {
  std::vector<Script> scripts;
  for (const std::string value :
       {"RPMA_CONN_UNDEFINED", "RPMA_CONN_ESTABLISHED", "RPMA_CONN_CLOSED", "RPMA_CONN_LOST",
        "RPMA_CONN_REJECTED", "RPMA_CONN_UNREACHABLE", "5", "-2", "INT_MIN", "INT_MAX"}) {
    const std::string call = "rpma_utils_conn_event_2str(" + value + ")";
    scripts.push_back(MustParseScript(call + "; " + call));
  }
  return scripts;
}

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Twice(), {MustParseScript(std::string(kAll) + "; " + kAll)}});
}

const ScriptChecks kChecks{&spec::rpma_utils_conn_event_2str::kPage, AllScripts};

}  // namespace conformance::rpma_utils_conn_event_2str
