// What a replayed case did, event by event, at whom.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace conformance {

// Where an event happens: at one end of the connection, at the NIC, or anywhere ("").
namespace at {
inline constexpr std::string_view kClient = "client";
inline constexpr std::string_view kServer = "server";
inline constexpr std::string_view kNowhere = "";
}  // namespace at

namespace event {
inline constexpr std::string_view kCall = "call";  // of the library: "rpma_peer_new(ctx, &peer)"
inline constexpr std::string_view kReturn = "return";  // what the last call at that end returned
inline constexpr std::string_view kCompletion = "completion";  // that the library handed out
inline constexpr std::string_view kPosted = "posted";  // work requests that the call gave the NIC
inline constexpr std::string_view kNic = "nic";        // a step of the fake NIC
inline constexpr std::string_view kSuite = "suite";    // what the suite did for its own purposes
inline constexpr std::string_view kNote = "note";
inline constexpr std::string_view kDemand = "demand";  // what the last call owes; only if asked for
}  // namespace event

struct TraceEvent {
  std::string who;
  std::string kind;
  std::string text;

  bool operator==(const TraceEvent&) const = default;
};

using Trace = std::function<void(const TraceEvent&)>;

// As `replay` shows it.
std::string Line(const TraceEvent& event);

}  // namespace conformance
