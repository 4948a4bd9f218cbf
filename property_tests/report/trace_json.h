// Events of a replay in JSON: ["client", "call", "rpma_peer_new(ctx, &peer)"].
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "property_tests/worker/trace.h"

namespace conformance {

inline nlohmann::json JsonOf(const std::vector<TraceEvent>& trace) {
  nlohmann::json events = nlohmann::json::array();
  for (const TraceEvent& event : trace)
    events.push_back(nlohmann::json::array({event.who, event.kind, event.text}));
  return events;
}

inline std::vector<TraceEvent> TraceOf(const nlohmann::json& events) {
  std::vector<TraceEvent> trace;
  for (const nlohmann::json& event : events)
    trace.push_back({event.at(0), event.at(1), event.at(2)});
  return trace;
}

}  // namespace conformance
