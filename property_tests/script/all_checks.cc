#include "property_tests/script/all_checks.h"

namespace conformance {

const std::vector<const ScriptChecks*>& AllScriptChecks() {
  // clang-format off
  static const std::vector<const ScriptChecks*> checks{
      &kUtilsGetIbvContextChecks,
      &kUtilsIbvContextIsOdpCapableChecks,
      &kUtilsConnEvent2strChecks,
      &kErr2strChecks,
      &kLogSetThresholdChecks,
      &kLogGetThresholdChecks,
      &kLogSetFunctionChecks,
      &kPeerCfgNewChecks,
      &kPeerCfgDeleteChecks,
      &kPeerCfgSetDirectWriteToPmemChecks,
      &kPeerCfgGetDirectWriteToPmemChecks,
      &kPeerCfgGetDescriptorChecks,
      &kPeerCfgGetDescriptorSizeChecks,
      &kPeerCfgFromDescriptorChecks,
      &kPeerNewChecks,
      &kPeerDeleteChecks,
      &kMrRegChecks,
      &kMrDeregChecks,
      &kMrGetDescriptorChecks,
      &kMrGetDescriptorSizeChecks,
      &kMrGetPtrChecks,
      &kMrGetSizeChecks,
      &kMrRemoteFromDescriptorChecks,
      &kMrRemoteGetSizeChecks,
      &kMrRemoteGetFlushTypeChecks,
      &kMrRemoteDeleteChecks,
      &kMrAdviseChecks,
      &kConnCfgNewChecks,
      &kConnCfgDeleteChecks,
      &kConnCfgSetTimeoutChecks,
      &kConnCfgGetTimeoutChecks,
      &kConnCfgSetCqSizeChecks,
      &kConnCfgGetCqSizeChecks,
      &kConnCfgSetRcqSizeChecks,
      &kConnCfgGetRcqSizeChecks,
      &kConnCfgSetSqSizeChecks,
      &kConnCfgGetSqSizeChecks,
      &kConnCfgSetRqSizeChecks,
      &kConnCfgGetRqSizeChecks,
      &kConnCfgSetComplChannelChecks,
      &kConnCfgGetComplChannelChecks,
      &kConnCfgSetSrqChecks,
      &kConnCfgGetSrqChecks,
      &kSrqCfgNewChecks,
      &kSrqCfgDeleteChecks,
      &kSrqCfgSetRqSizeChecks,
      &kSrqCfgGetRqSizeChecks,
      &kSrqCfgSetRcqSizeChecks,
      &kSrqCfgGetRcqSizeChecks,
      &kSrqNewChecks,
      &kSrqDeleteChecks,
      &kSrqGetRcqChecks,
  };
  // clang-format on
  return checks;
}

}  // namespace conformance
