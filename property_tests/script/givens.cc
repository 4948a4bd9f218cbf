#include "property_tests/script/givens.h"

#include <map>

namespace conformance {

namespace {

// A region that everything may be done to, and the other side's handle of it.
#define MEMORY                                                                             \
  "rpma_mr_reg(peer, mem, 4096, RPMA_MR_USAGE_READ_SRC|RPMA_MR_USAGE_READ_DST|"            \
  "RPMA_MR_USAGE_WRITE_SRC|RPMA_MR_USAGE_WRITE_DST|RPMA_MR_USAGE_SEND|RPMA_MR_USAGE_RECV|" \
  "RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY|RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT, &mr); "        \
  "rpma_mr_get_descriptor(mr, &desc); rpma_mr_remote_from_descriptor(&desc, 21, &remote)"
#define CONNECT                                                                                    \
  "rpma_conn_req_new(peer, addr, port, cfg, &creq); rpma_conn_req_connect(&creq, NULL, &client); " \
  "rpma_ep_next_conn_req(ep, cfg, &sreq); rpma_conn_req_connect(&sreq, NULL, &server); "           \
  "rpma_conn_next_event(client, &event); rpma_conn_next_event(server, &event)"

struct Given {
  const char* name;
  const char* base;  // what it builds on
  const char* calls;
};

// The client's event comes first: its queue pair becomes ready inside its own call, and only then
// does the server hear of it.
constexpr Given kGivens[] = {
    {"context", "", "rpma_utils_get_ibv_context(addr, RPMA_UTIL_IBV_CONTEXT_LOCAL, &ctx)"},
    {"peer", "context", "rpma_peer_new(ctx, &peer)"},
    {"region", "peer", "rpma_mr_reg(peer, mem, 4096, RPMA_MR_USAGE_WRITE_DST, &mr)"},
    {"listening", "peer", "rpma_ep_listen(peer, addr, port, &ep)"},
    {"request", "listening", "rpma_conn_req_new(peer, addr, port, NULL, &creq)"},
    {"requested", "request",
     "rpma_conn_req_connect(&creq, NULL, &client); rpma_ep_next_conn_req(ep, NULL, &sreq)"},
    {"accepted", "requested", "rpma_conn_req_connect(&sreq, NULL, &server)"},
    {"connected", "accepted",
     "rpma_conn_next_event(client, &event); rpma_conn_next_event(server, &event)"},
    {"memory", "connected", MEMORY},
    {"separate", "listening",
     "rpma_conn_cfg_new(&cfg); rpma_conn_cfg_set_rcq_size(cfg, 10); " CONNECT "; " MEMORY},
    {"shared", "listening",
     "rpma_conn_cfg_new(&cfg); rpma_conn_cfg_set_rcq_size(cfg, 10); "
     "rpma_conn_cfg_set_compl_channel(cfg, true); " CONNECT "; " MEMORY},
};

}  // namespace

const Script* FindGiven(std::string_view name) {
  static const std::map<std::string, Script, std::less<>> scripts = [] {
    std::map<std::string, Script, std::less<>> all;
    for (const Given& given : kGivens) {
      Script calls = all[given.base];
      for (ScriptCall& call : MustParseScript(given.calls).calls)
        calls.calls.push_back(std::move(call));
      all[given.name] = std::move(calls);
    }
    return all;
  }();
  const auto found = scripts.find(name);
  return found == scripts.end() ? nullptr : &found->second;
}

std::string GivenNames() {
  std::string names;
  for (const Given& given : kGivens) names += (names.empty() ? "" : ", ") + std::string(given.name);
  return "one of " + names;
}

}  // namespace conformance
