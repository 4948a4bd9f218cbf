// The checks of rpma_ep_get_fd(3), beside its page in spec/.
#include "spec/rpma_ep_get_fd.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_ep_get_fd {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand(
           {"given listening", "rpma_ep_get_fd", {{"ep", "!", "NULL"}, {"&fd", "!", "NULL"}}, ""}),
       Scripts(
           {"given request; rpma_ep_get_fd(ep, &fd); readable(fd); rpma_conn_req_connect(&creq, "
            "NULL, &client); readable(fd); rpma_ep_next_conn_req(ep, NULL, &sreq); readable(fd)",
            "given request; rpma_conn_req_connect(&creq, NULL, &client); rpma_ep_get_fd(ep, &fd); "
            "readable(fd); rpma_ep_get_fd(ep, &fd)"})});
}

const ScriptChecks kChecks{&spec::rpma_ep_get_fd::kPage, AllScripts};

}  // namespace conformance::rpma_ep_get_fd
