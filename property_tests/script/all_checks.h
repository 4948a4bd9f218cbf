// The checks of every page of calls, each beside its page's name in property_tests/.
#pragma once

#include "property_tests/script/script_checks.h"

namespace conformance {

extern const ScriptChecks kUtilsGetIbvContextChecks;
extern const ScriptChecks kUtilsIbvContextIsOdpCapableChecks;
extern const ScriptChecks kUtilsConnEvent2strChecks;
extern const ScriptChecks kErr2strChecks;
extern const ScriptChecks kLogSetThresholdChecks;
extern const ScriptChecks kLogGetThresholdChecks;
extern const ScriptChecks kLogSetFunctionChecks;
extern const ScriptChecks kPeerCfgNewChecks;
extern const ScriptChecks kPeerCfgDeleteChecks;
extern const ScriptChecks kPeerCfgSetDirectWriteToPmemChecks;
extern const ScriptChecks kPeerCfgGetDirectWriteToPmemChecks;
extern const ScriptChecks kPeerCfgGetDescriptorChecks;
extern const ScriptChecks kPeerCfgGetDescriptorSizeChecks;
extern const ScriptChecks kPeerCfgFromDescriptorChecks;
extern const ScriptChecks kPeerNewChecks;
extern const ScriptChecks kPeerDeleteChecks;
extern const ScriptChecks kMrRegChecks;
extern const ScriptChecks kMrDeregChecks;
extern const ScriptChecks kMrGetDescriptorChecks;
extern const ScriptChecks kMrGetDescriptorSizeChecks;
extern const ScriptChecks kMrGetPtrChecks;
extern const ScriptChecks kMrGetSizeChecks;
extern const ScriptChecks kMrRemoteFromDescriptorChecks;
extern const ScriptChecks kMrRemoteGetSizeChecks;
extern const ScriptChecks kMrRemoteGetFlushTypeChecks;
extern const ScriptChecks kMrRemoteDeleteChecks;
extern const ScriptChecks kMrAdviseChecks;
extern const ScriptChecks kConnCfgNewChecks;
extern const ScriptChecks kConnCfgDeleteChecks;
extern const ScriptChecks kConnCfgSetTimeoutChecks;
extern const ScriptChecks kConnCfgGetTimeoutChecks;
extern const ScriptChecks kConnCfgSetCqSizeChecks;
extern const ScriptChecks kConnCfgGetCqSizeChecks;
extern const ScriptChecks kConnCfgSetRcqSizeChecks;
extern const ScriptChecks kConnCfgGetRcqSizeChecks;
extern const ScriptChecks kConnCfgSetSqSizeChecks;
extern const ScriptChecks kConnCfgGetSqSizeChecks;
extern const ScriptChecks kConnCfgSetRqSizeChecks;
extern const ScriptChecks kConnCfgGetRqSizeChecks;
extern const ScriptChecks kConnCfgSetComplChannelChecks;
extern const ScriptChecks kConnCfgGetComplChannelChecks;
extern const ScriptChecks kConnCfgSetSrqChecks;
extern const ScriptChecks kConnCfgGetSrqChecks;
extern const ScriptChecks kSrqCfgNewChecks;
extern const ScriptChecks kSrqCfgDeleteChecks;
extern const ScriptChecks kSrqCfgSetRqSizeChecks;
extern const ScriptChecks kSrqCfgGetRqSizeChecks;
extern const ScriptChecks kSrqCfgSetRcqSizeChecks;
extern const ScriptChecks kSrqCfgGetRcqSizeChecks;
extern const ScriptChecks kSrqNewChecks;
extern const ScriptChecks kSrqDeleteChecks;
extern const ScriptChecks kSrqGetRcqChecks;
extern const ScriptChecks kEpListenChecks;
extern const ScriptChecks kEpShutdownChecks;
extern const ScriptChecks kEpGetFdChecks;
extern const ScriptChecks kEpNextConnReqChecks;
extern const ScriptChecks kConnReqNewChecks;
extern const ScriptChecks kConnReqDeleteChecks;
extern const ScriptChecks kConnReqConnectChecks;
extern const ScriptChecks kConnReqGetPrivateDataChecks;
extern const ScriptChecks kConnGetEventFdChecks;
extern const ScriptChecks kConnNextEventChecks;
extern const ScriptChecks kConnGetPrivateDataChecks;
extern const ScriptChecks kConnApplyRemotePeerCfgChecks;
extern const ScriptChecks kConnGetQpNumChecks;
extern const ScriptChecks kConnGetCqChecks;
extern const ScriptChecks kConnGetRcqChecks;
extern const ScriptChecks kConnDisconnectChecks;
extern const ScriptChecks kConnDeleteChecks;
extern const ScriptChecks kConnGetComplFdChecks;
extern const ScriptChecks kConnWaitChecks;
extern const ScriptChecks kCqGetFdChecks;
extern const ScriptChecks kCqWaitChecks;
extern const ScriptChecks kCqGetWcChecks;

}  // namespace conformance
