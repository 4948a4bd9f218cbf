// The checks of every page of calls, each beside its page's name in property_tests/.
#pragma once

#include "property_tests/script/script_checks.h"

namespace conformance {

extern const ScriptChecks kUtilsGetIbvContextChecks;
extern const ScriptChecks kPeerNewChecks;
extern const ScriptChecks kPeerDeleteChecks;
extern const ScriptChecks kConnCfgNewChecks;
extern const ScriptChecks kConnCfgDeleteChecks;
extern const ScriptChecks kConnCfgSetSqSizeChecks;
extern const ScriptChecks kConnCfgGetSqSizeChecks;

}  // namespace conformance
