#include "property_tests/script/all_checks.h"

namespace conformance {

const std::vector<const ScriptChecks*>& AllScriptChecks() {
  static const std::vector<const ScriptChecks*> checks{
      &kUtilsGetIbvContextChecks, &kPeerNewChecks,       &kPeerDeleteChecks,
      &kConnCfgNewChecks,         &kConnCfgDeleteChecks, &kConnCfgSetSqSizeChecks,
      &kConnCfgGetSqSizeChecks,
  };
  return checks;
}

}  // namespace conformance
