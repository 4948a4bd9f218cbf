#include "property_tests/script/placement.h"

#include <algorithm>

#include "property_tests/script/functions.h"
#include "property_tests/script/givens.h"

namespace conformance {

namespace {

constexpr std::string_view kListens = "rpma_ep_listen";
constexpr std::string_view kAsks = "rpma_conn_req_new";

const std::vector<Side> kClientAlone{Side::kClient};
const std::vector<Side> kServerAlone{Side::kServer};
const std::vector<Side> kBoth{Side::kClient, Side::kServer};

bool IsHandle(const Param& param) {
  return param.kind == ParamKind::kHandle || param.kind == ParamKind::kHandleInOut;
}

bool Calls(const std::vector<ScriptCall>& calls, std::string_view function) {
  return std::any_of(calls.begin(), calls.end(),
                     [&](const ScriptCall& call) { return call.function == function; });
}

}  // namespace

bool HasTwoEnds(const Script& script) {
  const Script* given = FindGiven(script.given);
  const auto has = [&](std::string_view function) {
    return Calls(script.calls, function) || (given != nullptr && Calls(given->calls, function));
  };
  return has(kListens) && has(kAsks);
}

const std::vector<Side>& Placement::EndsOf(const ScriptCall& call) const {
  if (call.function == kListens) return kServerAlone;
  if (call.function == kAsks) return kClientAlone;
  const Function* function = FindFunction(call.function);
  const std::vector<Side>* ends = &kClientAlone;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (function != nullptr && function->params[i].kind == ParamKind::kHandleOut) ends = &kBoth;
    if (function != nullptr && !IsHandle(function->params[i])) continue;
    const auto found = ends_.find(Bare(call.arguments[i]));
    if (found == ends_.end()) continue;
    if (found->second != &kBoth) return *found->second;
    ends = &kBoth;
  }
  return *ends;
}

const std::vector<Side>& Placement::Of(const ScriptCall& call) {
  const std::vector<Side>& ends = EndsOf(call);
  for (const std::string& argument : call.arguments)
    if (argument[0] == '&') ends_[argument.substr(1)] = &ends;
  return ends;
}

}  // namespace conformance
