// The checks of rpma_ep_listen(3), beside its page in spec/.
#include "spec/rpma_ep_listen.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_ep_listen {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given peer",
               "rpma_ep_listen",
               {{"peer", "!", "NULL"},
                {"addr", "!", "NULL"},
                {"port", "!", "NULL"},
                {"&ep", "!", "NULL"}},
               ""}),
       Scripts({"given listening; rpma_ep_listen(peer, addr, port, &other)",
                "given listening; rpma_ep_shutdown(&ep); rpma_ep_listen(peer, addr, port, &ep)",
                "given listening; rpma_ep_get_fd(ep, &fd); readable(fd)"}),
       WithFaults(
           "given peer; FAULT; rpma_ep_listen(peer, addr, port, &ep)",
           {"malloc ENOMEM", "rdma_create_event_channel EIO", "rdma_create_id ENODEV",
            "rdma_getaddrinfo EINVAL", "rdma_listen EADDRINUSE", "rdma_bind_addr EADDRINUSE"},
           3)});
}

const ScriptChecks kChecks{&spec::rpma_ep_listen::kPage, AllScripts};

}  // namespace conformance::rpma_ep_listen
