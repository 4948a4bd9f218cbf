// The checks of rpma_conn_get_event_fd(3), beside its page in spec/.
#include "spec/rpma_conn_get_event_fd.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_get_event_fd {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given accepted",
               "rpma_conn_get_event_fd",
               {{"client", "server", "!", "NULL"}, {"&fd", "!", "NULL"}},
               "rpma_conn_get_event_fd(client, &fd)"}),
       Scripts({"given requested; rpma_conn_get_event_fd(client, &fd); readable(fd); "
                "rpma_conn_req_connect(&sreq, NULL, &server); readable(fd); "
                "rpma_conn_get_event_fd(server, &sfd); readable(sfd); rpma_conn_next_event(client, "
                "&event); readable(fd); readable(sfd); rpma_conn_next_event(server, &event); "
                "readable(sfd); rpma_conn_disconnect(server); readable(fd); "
                "rpma_conn_next_event(client, &event); readable(fd); readable(sfd)"})});
}

const ScriptChecks kChecks{&spec::rpma_conn_get_event_fd::kPage, AllScripts};

}  // namespace conformance::rpma_conn_get_event_fd
