// The checks of rpma_cq_get_wc(3), beside its page in spec/.
#include "spec/rpma_cq_get_wc.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_cq_get_wc {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Expand({"given memory; rpma_conn_get_cq(client, &cq); rpma_write(client, remote, 0, "
                       "mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 3); rpma_write(client, remote, 0, mr, "
                       "64, 8, RPMA_F_COMPLETION_ALWAYS, 4); rpma_cq_wait(cq)",
                       "rpma_cq_get_wc",
                       {{"cq", "!", "NULL"},
                        {"1", "2", "16", "!", "0", "-1", "INT_MIN"},
                        {"&wc", "!", "NULL"},
                        {"&got", "NULL"}},
                       ""}),
               Scripts({"given memory; rpma_conn_get_cq(client, &cq); rpma_cq_get_wc(cq, 1, &wc, "
                        "&got); rpma_cq_get_wc(cq, 16, &wc, &got)",
                        "given memory; rpma_conn_get_cq(client, &cq); rpma_write(client, remote, "
                        "0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 3); rpma_cq_wait(cq); "
                        "rpma_cq_get_wc(cq, 16, &wc, &got); rpma_cq_get_wc(cq, 16, &wc, &got)",
                        "given memory; rpma_conn_get_cq(client, &cq); rpma_write(client, remote, "
                        "0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 3); rpma_write(client, remote, 0, "
                        "mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 4); rpma_write(client, remote, 0, "
                        "mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 5); rpma_cq_wait(cq); "
                        "rpma_cq_get_wc(cq, 1, &wc, NULL); rpma_cq_get_wc(cq, 2, &wc, &got)",
                        "given separate; rpma_conn_get_cq(client, &cq); rpma_conn_get_rcq(client, "
                        "&rcq); rpma_recv(client, mr, 0, 64, 7); rpma_send(server, mr, 64, 8, "
                        "RPMA_F_COMPLETION_ALWAYS, 8); rpma_cq_get_wc(cq, 1, &wc, &got); "
                        "rpma_cq_wait(rcq); rpma_cq_get_wc(rcq, 1, &wc, &got)",
                        "given memory; rpma_conn_get_cq(client, &cq); rpma_recv(client, mr, 0, 64, "
                        "7); rpma_send(server, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 8); "
                        "rpma_cq_wait(cq); rpma_cq_get_wc(cq, 1, &wc, &got)"}),
               WithFaults("given memory; rpma_conn_get_cq(client, &cq); rpma_write(client, remote, "
                          "0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 3); FAULT; rpma_cq_get_wc(cq, "
                          "1, &wc, &got); rpma_cq_get_wc(cq, 1, &wc, &got)",
                          {"ibv_poll_cq EIO"}, 1)});
}

const ScriptChecks kChecks{&spec::rpma_cq_get_wc::kPage, AllScripts};

}  // namespace conformance::rpma_cq_get_wc
