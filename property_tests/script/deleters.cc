#include "property_tests/script/deleters.h"

#include <algorithm>
#include <map>

namespace conformance {

namespace {

// What deletes an object of which type.
const std::map<std::string_view, const char*>& Deleters() {
  static const std::map<std::string_view, const char*> deleters{
      {"rpma_peer", "rpma_peer_delete"},         {"rpma_peer_cfg", "rpma_peer_cfg_delete"},
      {"rpma_mr_local", "rpma_mr_dereg"},        {"rpma_mr_remote", "rpma_mr_remote_delete"},
      {"rpma_conn_cfg", "rpma_conn_cfg_delete"}, {"rpma_srq_cfg", "rpma_srq_cfg_delete"},
      {"rpma_srq", "rpma_srq_delete"},           {"rpma_ep", "rpma_ep_shutdown"},
      {"rpma_conn_req", "rpma_conn_req_delete"}, {"rpma_conn", "rpma_conn_delete"}};
  return deleters;
}

}  // namespace

const char* DeleterOf(std::string_view type) {
  const auto found = Deleters().find(type);
  return found == Deleters().end() ? nullptr : found->second;
}

bool IsDeleter(std::string_view function) {
  return std::any_of(Deleters().begin(), Deleters().end(),
                     [&](const auto& entry) { return entry.second == function; });
}

}  // namespace conformance
