#include "property_tests/script/life.h"

#include <algorithm>

#include "property_tests/script/deleters.h"

namespace conformance {

namespace {

using Names = std::vector<std::string>;

// Each kind of object has a few variables of its own.
const Names kPeers{"peer", "peer2"};
const Names kOutgoing{"creq", "creq2"};
const Names kIncoming{"sreq", "sreq2"};
const Names kClients{"client", "client2"};
const Names kServers{"server", "server2"};

ScriptCall Call(std::string function, Names arguments) {
  return {std::move(function), std::move(arguments)};
}

}  // namespace

bool Life::up(const std::string& conn) const {
  const auto found = conns_.find(conn);
  return found != conns_.end() && found->second.up && !found->second.left;
}

bool Life::InUse(const std::string& name) const {
  return std::any_of(sources_.begin(), sources_.end(), [&](const auto& entry) {
    return live(entry.first) &&
           std::find(entry.second.begin(), entry.second.end(), name) != entry.second.end();
  });
}

std::vector<ScriptCall> Life::Choices() const {
  std::vector<ScriptCall> choices;
  AddConnecting(choices);
  AddUsing(choices);
  AddMaking(choices);
  AddEnding(choices);
  return choices;
}

// The configuration, if it goes with this peer: its shared receive queue has to be of the same one.
std::string Life::ConfigFor(const std::string& peer) const {
  if (!live("cfg")) return "NULL";
  const Names& cfg = sources_.at("cfg");
  return cfg.empty() || sources_.at("srq")[0] == peer ? "cfg" : "NULL";
}

// What a request is made from.
Names Life::RequestSources(const std::string& peer, const std::string& cfg) const {
  Names sources{peer};
  if (cfg == "cfg" && !sources_.at("cfg").empty()) sources.push_back("srq");
  return sources;
}

void Life::AddMaking(std::vector<ScriptCall>& choices) const {
  for (const std::string& peer : kPeers) {
    if (!live(peer)) {
      choices.push_back(Call("rpma_peer_new", {"ctx", "&" + peer}));
      continue;
    }
    if (!live("ep")) choices.push_back(Call("rpma_ep_listen", {peer, "addr", "port", "&ep"}));
    if (!live("mr"))
      choices.push_back(
          Call("rpma_mr_reg", {peer, "mem", "4096", "RPMA_MR_USAGE_WRITE_DST", "&mr"}));
    for (std::size_t i = 0; i < kOutgoing.size(); ++i)
      if (!live(kOutgoing[i]) && !live(kClients[i]))
        choices.push_back(
            Call("rpma_conn_req_new", {peer, "addr", "port", ConfigFor(peer), "&" + kOutgoing[i]}));
    if (!live("srq")) choices.push_back(Call("rpma_srq_new", {peer, "NULL", "&srq"}));
  }
  if (!live("cfg")) {
    choices.push_back(Call("rpma_conn_cfg_new", {"&cfg"}));
    return;
  }
  for (const char* size : {"0", "4"})
    choices.push_back(Call("rpma_conn_cfg_set_rcq_size", {"cfg", size}));
  if (live("srq"))
    choices.push_back(Call("rpma_conn_cfg_set_srq", {"cfg", "srq"}));
  else if (sources_.at("cfg").empty())  // both would be refused together
    choices.push_back(Call("rpma_conn_cfg_set_compl_channel", {"cfg", "true"}));
  choices.push_back(Call("rpma_conn_cfg_set_compl_channel", {"cfg", "false"}));
}

void Life::AddConnecting(std::vector<ScriptCall>& choices) const {
  const std::string cfg = live("ep") ? ConfigFor(sources_.at("ep")[0]) : "NULL";
  constexpr int kOften = 15;
  std::vector<ScriptCall> often;
  for (std::size_t i = 0; i < kOutgoing.size(); ++i) {
    for (const char* data : {"NULL", "data:3"}) {
      if (live(kOutgoing[i]))
        often.push_back(
            Call("rpma_conn_req_connect", {"&" + kOutgoing[i], data, "&" + kClients[i]}));
      if (live(kIncoming[i]))
        often.push_back(
            Call("rpma_conn_req_connect", {"&" + kIncoming[i], data, "&" + kServers[i]}));
    }
    if (!waiting_.empty() && !live(kIncoming[i]) && !live(kServers[i]))
      often.push_back(Call("rpma_ep_next_conn_req", {"ep", cfg, "&" + kIncoming[i]}));
  }
  for (const auto& [name, conn] : conns_)
    if (conn.due > 0)
      often.push_back(Call("rpma_conn_next_event", {name, "&event"}));
    else if (up(name))
      often.push_back(Call("rpma_conn_disconnect", {name}));
  for (int i = 0; i < kOften; ++i) choices.insert(choices.end(), often.begin(), often.end());
}

void Life::AddUsing(std::vector<ScriptCall>& choices) const {
  for (const auto& [name, conn] : conns_) {
    choices.push_back(Call("rpma_conn_get_private_data", {name, "&pdata"}));
    choices.push_back(Call("rpma_conn_get_cq", {name, "&cq"}));
    choices.push_back(Call("rpma_conn_get_rcq", {name, "&rcq"}));
    choices.push_back(Call("rpma_conn_get_qp_num", {name, "&qp_num"}));
    choices.push_back(Call("rpma_conn_get_compl_fd", {name, "&compl_fd"}));
    choices.push_back(Call("rpma_conn_get_event_fd", {name, "&fd"}));
    choices.push_back(Call("readable", {"fd"}));
  }
  for (const std::string& request : kIncoming)
    if (live(request))
      choices.push_back(Call("rpma_conn_req_get_private_data", {request, "&pdata"}));
  for (const char* call : {"ibv_create_cq", "rdma_create_id", "rdma_accept", "rdma_connect",
                           "rdma_destroy_id", "rdma_get_cm_event", "malloc"})
    choices.push_back(Call("fault", {call, "1", "EIO"}));
}

// What is in use stays: what its deletion does is open.
void Life::AddEnding(std::vector<ScriptCall>& choices) const {
  for (const auto& [name, type] : types_)
    if (!InUse(name)) choices.push_back(Call(DeleterOf(type), {"&" + name}));
  for (const std::string& name : ended_)
    if (name.rfind("client", 0) == 0) choices.push_back(Call("rpma_conn_delete", {"&" + name}));
}

bool Life::Allows(const ScriptCall& call) const {
  const std::vector<ScriptCall> choices = Choices();
  return std::find(choices.begin(), choices.end(), call) != choices.end();
}

void Life::Make(const std::string& name, std::string_view type, Names from) {
  types_[name] = type;
  sources_[name] = std::move(from);
  ended_.erase(name);
}

void Life::End(const std::string& name) {
  types_.erase(name);
  ended_.insert(name);
}

void Life::Hear(const std::string& conn) {
  const auto found = conns_.find(conn);
  if (found != conns_.end()) ++found->second.due;
}

void Life::ApplyConnect(const ScriptCall& call) {
  const std::string request(Bare(call.arguments[0]));
  const std::string name(Bare(call.arguments[2]));
  Make(name, "rpma_conn", sources_[request]);
  End(request);
  conns_[name] = {};
  const auto client = clients_.find(request);
  if (client == clients_.end()) {
    if (live("ep"))
      waiting_.push_back(name);
    else
      Hear(name);
    return;
  }
  conns_[name].other = client->second;
  if (conns_.count(client->second) > 0) conns_[client->second].other = name;
  Hear(client->second);
  clients_.erase(client);
}

// The client's first event makes both ends.
void Life::ApplyEvent(Conn& conn) {
  --conn.due;
  const auto other = conns_.find(conn.other);
  if (conn.up || other == conns_.end()) return;
  conn.up = other->second.up = true;
  ++other->second.due;
}

void Life::ApplyDisconnect(const std::string& name) {
  Conn& conn = conns_[name];
  if (!conn.up || conn.left) return;
  conn.left = true;
  Hear(conn.other);
}

void Life::Apply(const ScriptCall& call) {
  const std::string first(Bare(call.arguments[0]));
  const std::string last(Bare(call.arguments.back()));
  if (call.function == "rpma_peer_new") Make(last, "rpma_peer", {});
  if (call.function == "rpma_ep_listen") Make(last, "rpma_ep", {first});
  if (call.function == "rpma_mr_reg") Make(last, "rpma_mr_local", {first});
  if (call.function == "rpma_conn_cfg_new") Make(last, "rpma_conn_cfg", {});
  if (call.function == "rpma_srq_new") Make(last, "rpma_srq", {first});
  if (call.function == "rpma_conn_cfg_set_srq") sources_["cfg"] = {"srq"};
  if (call.function == "rpma_conn_req_new")
    Make(last, "rpma_conn_req", RequestSources(first, call.arguments[3]));
  if (call.function == "rpma_ep_next_conn_req") {
    Make(last, "rpma_conn_req", RequestSources(sources_["ep"][0], call.arguments[1]));
    clients_[last] = waiting_.front();
    waiting_.pop_front();
  }
  if (call.function == "rpma_conn_req_connect") ApplyConnect(call);
  if (call.function == "rpma_conn_next_event") ApplyEvent(conns_[first]);
  if (call.function == "rpma_conn_disconnect") ApplyDisconnect(first);
  if (!IsDeleter(call.function)) return;
  if (call.function == "rpma_conn_delete" && conns_.count(first) > 0) {
    ApplyDisconnect(first);
    conns_.erase(first);
  }
  if (const auto client = clients_.find(first); client != clients_.end()) {
    Hear(client->second);
    clients_.erase(client);
  }
  if (call.function == "rpma_ep_shutdown") {
    for (const std::string& client : waiting_) Hear(client);
    waiting_.clear();
  }
  End(first);
}

}  // namespace conformance
