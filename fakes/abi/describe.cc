// Lines about this process for `fakenic ps`.
#include <cinttypes>
#include <cstdio>

#include "abi/edge.h"

namespace fakenic {
namespace {

const char* StateName(QpState state) {
  constexpr const char* kNames[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
  return kNames[static_cast<size_t>(state)];
}

}  // namespace

std::string Edge::Describe() {
  std::string text;
  char line[400];
  fabric.device().ForEachQp([&](const Qp& qp) {
    std::snprintf(line, sizeof line, "    qp 0x%06x %s", qp.num, StateName(qp.state()));
    text += line;
    if (qp.state() >= QpState::kRtr && qp.state() != QpState::kErr) {
      std::snprintf(line, sizeof line, " to 0x%06x, %zu sends under way", qp.attr().dest_qp_num,
                    qp.outstanding.size());
      text += line;
    }
    text += "\n";
    if (!qp.first_cause.empty()) text.append("      ").append(qp.first_cause).append("\n");
  });
  for (const uint16_t port : cm.ListeningPorts()) {
    std::snprintf(line, sizeof line, "    listens on port %u\n", port);
    text += line;
  }
  std::snprintf(line, sizeof line, "    %zu links, %" PRIu64 " cm_ids, %" PRIu64 " completions\n",
                network.links(), cm.live_ids(), fabric.counts().completions);
  return text += line;
}

}  // namespace fakenic
