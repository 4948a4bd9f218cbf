// The checks of rpma_conn_apply_remote_peer_cfg(3), beside its page in spec/.
#include "spec/rpma_conn_apply_remote_peer_cfg.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_apply_remote_peer_cfg {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given connected; rpma_peer_cfg_new(&pcfg)",
               "rpma_conn_apply_remote_peer_cfg",
               {{"client", "server", "!", "NULL"}, {"pcfg", "!", "NULL"}},
               ""}),
       Scripts(
           {"given memory; rpma_peer_cfg_new(&pcfg); rpma_peer_cfg_set_direct_write_to_pmem(pcfg, "
            "true); rpma_conn_apply_remote_peer_cfg(client, pcfg); rpma_flush(client, remote, 0, "
            "8, RPMA_FLUSH_TYPE_PERSISTENT, RPMA_F_COMPLETION_ALWAYS, 5); "
            "rpma_peer_cfg_set_direct_write_to_pmem(pcfg, false); rpma_flush(client, remote, 0, 8, "
            "RPMA_FLUSH_TYPE_PERSISTENT, RPMA_F_COMPLETION_ALWAYS, 5); "
            "rpma_conn_apply_remote_peer_cfg(client, pcfg); rpma_flush(client, remote, 0, 8, "
            "RPMA_FLUSH_TYPE_PERSISTENT, RPMA_F_COMPLETION_ALWAYS, 5)",
            "given memory; rpma_peer_cfg_new(&pcfg); rpma_peer_cfg_set_direct_write_to_pmem(pcfg, "
            "true); rpma_conn_apply_remote_peer_cfg(client, pcfg); rpma_peer_cfg_delete(&pcfg); "
            "rpma_flush(client, remote, 0, 8, RPMA_FLUSH_TYPE_PERSISTENT, "
            "RPMA_F_COMPLETION_ALWAYS, 5)",
            "given memory; rpma_peer_cfg_new(&pcfg); rpma_conn_apply_remote_peer_cfg(client, "
            "pcfg); rpma_flush(client, remote, 0, 8, RPMA_FLUSH_TYPE_PERSISTENT, "
            "RPMA_F_COMPLETION_ALWAYS, 5)"})});
}

const ScriptChecks kChecks{&spec::rpma_conn_apply_remote_peer_cfg::kPage, AllScripts};

}  // namespace conformance::rpma_conn_apply_remote_peer_cfg
