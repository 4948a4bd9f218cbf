// The checks of rpma_err_2str(3), beside its page in spec/.
#include "spec/rpma_err_2str.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_err_2str {

constexpr char kAll[] =
    "rpma_err_2str(RPMA_E_UNKNOWN); "
    "rpma_err_2str(RPMA_E_NOSUPP); "
    "rpma_err_2str(RPMA_E_PROVIDER); "
    "rpma_err_2str(RPMA_E_NOMEM); "
    "rpma_err_2str(RPMA_E_INVAL); "
    "rpma_err_2str(RPMA_E_NO_COMPLETION); "
    "rpma_err_2str(RPMA_E_NO_EVENT); "
    "rpma_err_2str(RPMA_E_AGAIN); "
    "rpma_err_2str(RPMA_E_SHARED_CHANNEL); "
    "rpma_err_2str(RPMA_E_NOT_SHARED_CHNL)";

std::vector<Script> Twice() {
  std::vector<Script> scripts;
  for (const std::string value :
       {"RPMA_E_UNKNOWN", "RPMA_E_NOSUPP", "RPMA_E_PROVIDER", "RPMA_E_NOMEM", "RPMA_E_INVAL",
        "RPMA_E_NO_COMPLETION", "RPMA_E_NO_EVENT", "RPMA_E_AGAIN", "RPMA_E_SHARED_CHANNEL",
        "RPMA_E_NOT_SHARED_CHNL", "0", "1", "-1", "-99999", "-100010", "INT_MIN", "INT_MAX"}) {
    const std::string call = "rpma_err_2str(" + value + ")";
    scripts.push_back(MustParseScript(call + "; " + call));
  }
  return scripts;
}

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Twice(), {MustParseScript(std::string(kAll) + "; " + kAll)}});
}

const ScriptChecks kChecks{&spec::rpma_err_2str::kPage, AllScripts};

}  // namespace conformance::rpma_err_2str
