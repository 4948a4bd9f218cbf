// The checks of rpma_conn_wait(3), beside its page in spec/.
#include "spec/rpma_conn_wait.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_wait {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Scripts({"given connected; rpma_conn_wait(client, 0, &cq, &is_rcq)"}),
       Expand(
           {"given shared; rpma_write(client, remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 3)",
            "rpma_conn_wait",
            {{"client", "!", "NULL"},
             {"0", "1", "-1", "INT_MAX"},
             {"&cq", "!", "NULL"},
             {"&is_rcq", "NULL"}},
            "rpma_cq_get_wc(cq, 1, &wc, NULL)"}),
       Expand({"given shared; rpma_recv(client, mr, 0, 64, 7); rpma_send(server, mr, 64, 8, "
               "RPMA_F_COMPLETION_ALWAYS, 8)",
               "rpma_conn_wait",
               {{"client", "!", "NULL"}, {"0"}, {"&cq", "!", "NULL"}, {"&is_rcq", "NULL"}},
               "rpma_cq_get_wc(cq, 1, &wc, NULL)"}),
       Scripts({"given separate; rpma_conn_wait(client, 0, &cq, NULL)",
                "given shared; rpma_conn_get_compl_fd(client, &fd); nonblock(fd); "
                "rpma_conn_wait(client, 0, &cq, &is_rcq)",
                "given shared; rpma_write(client, remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, "
                "3); rpma_conn_wait(client, 0, &cq, &is_rcq); rpma_cq_get_wc(cq, 1, &wc, NULL); "
                "rpma_write(client, remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 4); "
                "rpma_conn_wait(client, 0, &cq, &is_rcq); rpma_cq_get_wc(cq, 1, &wc, NULL)",
                "given shared; rpma_write(client, remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, "
                "3); rpma_recv(client, mr, 0, 64, 7); rpma_send(server, mr, 64, 8, "
                "RPMA_F_COMPLETION_ALWAYS, 8); rpma_conn_wait(client, 0, &cq, &is_rcq); "
                "rpma_conn_wait(client, 0, &cq, &is_rcq); rpma_recv(client, mr, 0, 64, 7); "
                "rpma_send(server, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 8); rpma_conn_wait(client, "
                "0, &cq, &is_rcq)"}),
       WithFaults("given shared; rpma_write(client, remote, 0, mr, 64, 8, "
                  "RPMA_F_COMPLETION_ALWAYS, 3); FAULT; rpma_conn_wait(client, 0, &cq, &is_rcq); "
                  "rpma_conn_wait(client, 0, &cq, &is_rcq)",
                  {"ibv_get_cq_event EIO", "ibv_get_cq_event EAGAIN", "ibv_req_notify_cq EIO"},
                  1)});
}

const ScriptChecks kChecks{&spec::rpma_conn_wait::kPage, AllScripts};

}  // namespace conformance::rpma_conn_wait
