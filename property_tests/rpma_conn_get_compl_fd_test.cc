// The checks of rpma_conn_get_compl_fd(3), beside its page in spec/.
#include "spec/rpma_conn_get_compl_fd.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_get_compl_fd {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Expand({"given shared",
                       "rpma_conn_get_compl_fd",
                       {{"client", "server", "!", "NULL"}, {"&fd", "!", "NULL"}},
                       "rpma_conn_get_compl_fd(client, &fd)"}),
               Scripts({"given connected; rpma_conn_get_compl_fd(client, &fd)",
                        "given separate; rpma_conn_get_compl_fd(client, &fd)",
                        "given shared; rpma_conn_get_compl_fd(client, &fd); readable(fd); "
                        "rpma_write(client, remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 3); "
                        "readable(fd); rpma_conn_wait(client, 0, &cq, &is_rcq); readable(fd)",
                        "given shared; rpma_conn_get_compl_fd(client, &fd); rpma_recv(client, mr, "
                        "0, 64, 7); rpma_send(server, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 8); "
                        "readable(fd); rpma_conn_wait(client, 0, &cq, &is_rcq); readable(fd)"})});
}

const ScriptChecks kChecks{&spec::rpma_conn_get_compl_fd::kPage, AllScripts};

}  // namespace conformance::rpma_conn_get_compl_fd
