// The checks of rpma_cq_wait(3), beside its page in spec/.
#include "spec/rpma_cq_wait.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_cq_wait {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given memory; rpma_write(client, remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, "
               "3); rpma_conn_get_cq(client, &cq)",
               "rpma_cq_wait",
               {{"cq", "!", "NULL"}},
               "rpma_cq_get_wc(cq, 1, &wc, NULL)"}),
       Scripts({"given memory; rpma_conn_get_cq(client, &cq); rpma_write(client, remote, 0, mr, "
                "64, 8, RPMA_F_COMPLETION_ALWAYS, 3); rpma_cq_wait(cq); rpma_cq_get_wc(cq, 1, &wc, "
                "NULL); rpma_write(client, remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 4); "
                "rpma_cq_wait(cq); rpma_cq_get_wc(cq, 1, &wc, NULL); rpma_write(client, remote, 0, "
                "mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 5); rpma_cq_wait(cq)",
                "given separate; rpma_conn_get_rcq(client, &rcq); rpma_recv(client, mr, 0, 64, 7); "
                "rpma_send(server, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 8); rpma_cq_wait(rcq); "
                "rpma_cq_get_wc(rcq, 1, &wc, NULL); rpma_recv(client, mr, 0, 64, 7); "
                "rpma_send(server, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 8); rpma_cq_wait(rcq)",
                "given memory; rpma_conn_get_cq(client, &cq); rpma_cq_get_fd(cq, &fd); "
                "nonblock(fd); rpma_cq_wait(cq)",
                "given memory; rpma_conn_get_cq(client, &cq); rpma_cq_get_fd(cq, &fd); "
                "nonblock(fd); rpma_write(client, remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, "
                "3); rpma_cq_wait(cq); rpma_cq_get_wc(cq, 1, &wc, NULL); rpma_cq_wait(cq)",
                "given shared; rpma_conn_get_cq(client, &cq); rpma_cq_wait(cq); "
                "rpma_conn_get_rcq(client, &rcq); rpma_cq_wait(rcq)"}),
       WithFaults("given memory; rpma_conn_get_cq(client, &cq); rpma_write(client, remote, 0, mr, "
                  "64, 8, RPMA_F_COMPLETION_ALWAYS, 3); FAULT; rpma_cq_wait(cq); rpma_cq_wait(cq)",
                  {"ibv_req_notify_cq EIO", "ibv_get_cq_event EIO", "ibv_get_cq_event EAGAIN"},
                  1)});
}

const ScriptChecks kChecks{&spec::rpma_cq_wait::kPage, AllScripts};

}  // namespace conformance::rpma_cq_wait
