// Events of a replay in JSON: ["client", "call", "rpma_peer_new(ctx, &peer)"].
#pragma once

#include <nlohmann/json.hpp>

#include "property_tests/worker/trace.h"

namespace conformance {

template <class Json>
void to_json(Json& json, const TraceEvent& event) {
  json = Json::array({event.who, event.kind, event.text});
}

template <class Json>
void from_json(const Json& json, TraceEvent& event) {
  event = {json.at(0), json.at(1), json.at(2)};
}

}  // namespace conformance
