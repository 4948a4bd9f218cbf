#include "property_tests/worker/trace.h"

namespace conformance {

std::string Line(const TraceEvent& e) {
  std::string start = "        ";
  if (e.kind == event::kCall) start = "call    ";
  if (e.kind == event::kSuite) start = "suite   ";
  if (e.kind == event::kReturn) start += "returned ";
  if (e.kind == event::kCompletion) start += "completion ";
  if (e.kind == event::kPosted) start += "posted ";
  if (e.kind == event::kNic) start += "nic: ";
  const bool told = e.kind != event::kCall && !e.who.empty();
  return start + e.text + (told && e.kind != event::kReturn ? " (" + e.who + ")" : "");
}

}  // namespace conformance
