// Bugs in calls that are made by hand, because a page's data do not say how.
#include <librpma.h>

#include <cstdlib>

#include "property_tests/planted_bugs/call_bugs.h"

namespace planted {

namespace {

constexpr SpecialBug kCallBugs[] = {
    {"rpma_utils_get_ibv_context.no-memory", MisreportsAllocation},
    {"rpma_utils_get_ibv_context.context",
     [](const PassingCall& call) -> std::int64_t {
       const std::int64_t code = call.Real();
       if (code == 0 && ItsTurn()) *reinterpret_cast<void**>(call.arguments[2]) = nullptr;
       return code;
     }},
};

}  // namespace

const SpecialBug* FindSpecialBug(std::string_view rule) {
  for (const std::span<const SpecialBug> bugs :
       {std::span<const SpecialBug>(kCallBugs), LogBugs(), ObjectBugs(), ConnectionBugs()})
    for (const SpecialBug& bug : bugs)
      if (bug.rule == rule) return &bug;
  return nullptr;
}

std::int64_t MisreportsAllocation(const PassingCall& call) {
  void* volatile memory = std::malloc(16);
  std::free(memory);
  return memory == nullptr ? RPMA_E_PROVIDER : call.Real();
}

}  // namespace planted
