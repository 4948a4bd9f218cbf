// The checks of rpma_cq_get_fd(3), beside its page in spec/.
#include "spec/rpma_cq_get_fd.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_cq_get_fd {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given separate; rpma_conn_get_cq(client, &cq); rpma_conn_get_rcq(client, &rcq)",
               "rpma_cq_get_fd",
               {{"cq", "rcq", "!", "NULL"}, {"&fd", "!", "NULL"}},
               "rpma_cq_get_fd(cq, &fd)"}),
       Scripts(
           {"given memory; rpma_conn_get_cq(client, &cq); rpma_cq_get_fd(cq, &fd); readable(fd); "
            "rpma_write(client, remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 3); readable(fd); "
            "rpma_cq_wait(cq); readable(fd); rpma_cq_get_wc(cq, 1, &wc, NULL); rpma_write(client, "
            "remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 4); readable(fd)",
            "given separate; rpma_conn_get_rcq(client, &rcq); rpma_cq_get_fd(rcq, &fd); "
            "readable(fd); rpma_recv(client, mr, 0, 64, 7); rpma_send(server, mr, 64, 8, "
            "RPMA_F_COMPLETION_ALWAYS, 8); readable(fd)",
            "given shared; rpma_conn_get_cq(client, &cq); rpma_cq_get_fd(cq, &fd); readable(fd); "
            "rpma_write(client, remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 3); "
            "readable(fd)"})});
}

const ScriptChecks kChecks{&spec::rpma_cq_get_fd::kPage, AllScripts};

}  // namespace conformance::rpma_cq_get_fd
