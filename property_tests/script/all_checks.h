// The checks of every page of calls, each beside its page's name in property_tests/.
#pragma once

#include "property_tests/script/script_checks.h"

namespace conformance {

// clang-format off
namespace rpma_utils_get_ibv_context { extern const ScriptChecks kChecks; }
namespace rpma_utils_ibv_context_is_odp_capable { extern const ScriptChecks kChecks; }
namespace rpma_utils_conn_event_2str { extern const ScriptChecks kChecks; }
namespace rpma_err_2str { extern const ScriptChecks kChecks; }
namespace rpma_log_set_threshold { extern const ScriptChecks kChecks; }
namespace rpma_log_get_threshold { extern const ScriptChecks kChecks; }
namespace rpma_log_set_function { extern const ScriptChecks kChecks; }
namespace rpma_peer_cfg_new { extern const ScriptChecks kChecks; }
namespace rpma_peer_cfg_delete { extern const ScriptChecks kChecks; }
namespace rpma_peer_cfg_set_direct_write_to_pmem { extern const ScriptChecks kChecks; }
namespace rpma_peer_cfg_get_direct_write_to_pmem { extern const ScriptChecks kChecks; }
namespace rpma_peer_cfg_get_descriptor { extern const ScriptChecks kChecks; }
namespace rpma_peer_cfg_get_descriptor_size { extern const ScriptChecks kChecks; }
namespace rpma_peer_cfg_from_descriptor { extern const ScriptChecks kChecks; }
namespace rpma_peer_new { extern const ScriptChecks kChecks; }
namespace rpma_peer_delete { extern const ScriptChecks kChecks; }
namespace rpma_mr_reg { extern const ScriptChecks kChecks; }
namespace rpma_mr_dereg { extern const ScriptChecks kChecks; }
namespace rpma_mr_get_descriptor { extern const ScriptChecks kChecks; }
namespace rpma_mr_get_descriptor_size { extern const ScriptChecks kChecks; }
namespace rpma_mr_get_ptr { extern const ScriptChecks kChecks; }
namespace rpma_mr_get_size { extern const ScriptChecks kChecks; }
namespace rpma_mr_remote_from_descriptor { extern const ScriptChecks kChecks; }
namespace rpma_mr_remote_get_size { extern const ScriptChecks kChecks; }
namespace rpma_mr_remote_get_flush_type { extern const ScriptChecks kChecks; }
namespace rpma_mr_remote_delete { extern const ScriptChecks kChecks; }
namespace rpma_mr_advise { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_new { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_delete { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_set_timeout { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_get_timeout { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_set_cq_size { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_get_cq_size { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_set_rcq_size { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_get_rcq_size { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_set_sq_size { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_get_sq_size { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_set_rq_size { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_get_rq_size { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_set_compl_channel { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_get_compl_channel { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_set_srq { extern const ScriptChecks kChecks; }
namespace rpma_conn_cfg_get_srq { extern const ScriptChecks kChecks; }
namespace rpma_srq_cfg_new { extern const ScriptChecks kChecks; }
namespace rpma_srq_cfg_delete { extern const ScriptChecks kChecks; }
namespace rpma_srq_cfg_set_rq_size { extern const ScriptChecks kChecks; }
namespace rpma_srq_cfg_get_rq_size { extern const ScriptChecks kChecks; }
namespace rpma_srq_cfg_set_rcq_size { extern const ScriptChecks kChecks; }
namespace rpma_srq_cfg_get_rcq_size { extern const ScriptChecks kChecks; }
namespace rpma_srq_new { extern const ScriptChecks kChecks; }
namespace rpma_srq_delete { extern const ScriptChecks kChecks; }
namespace rpma_srq_get_rcq { extern const ScriptChecks kChecks; }
namespace rpma_ep_listen { extern const ScriptChecks kChecks; }
namespace rpma_ep_shutdown { extern const ScriptChecks kChecks; }
namespace rpma_ep_get_fd { extern const ScriptChecks kChecks; }
namespace rpma_ep_next_conn_req { extern const ScriptChecks kChecks; }
namespace rpma_conn_req_new { extern const ScriptChecks kChecks; }
namespace rpma_conn_req_delete { extern const ScriptChecks kChecks; }
namespace rpma_conn_req_connect { extern const ScriptChecks kChecks; }
namespace rpma_conn_req_get_private_data { extern const ScriptChecks kChecks; }
namespace rpma_conn_get_event_fd { extern const ScriptChecks kChecks; }
namespace rpma_conn_next_event { extern const ScriptChecks kChecks; }
namespace rpma_conn_get_private_data { extern const ScriptChecks kChecks; }
namespace rpma_conn_apply_remote_peer_cfg { extern const ScriptChecks kChecks; }
namespace rpma_conn_get_qp_num { extern const ScriptChecks kChecks; }
namespace rpma_conn_get_cq { extern const ScriptChecks kChecks; }
namespace rpma_conn_get_rcq { extern const ScriptChecks kChecks; }
namespace rpma_conn_disconnect { extern const ScriptChecks kChecks; }
namespace rpma_conn_delete { extern const ScriptChecks kChecks; }
namespace rpma_conn_get_compl_fd { extern const ScriptChecks kChecks; }
namespace rpma_conn_wait { extern const ScriptChecks kChecks; }
namespace rpma_cq_get_fd { extern const ScriptChecks kChecks; }
namespace rpma_cq_wait { extern const ScriptChecks kChecks; }
namespace rpma_cq_get_wc { extern const ScriptChecks kChecks; }
// clang-format on

}  // namespace conformance
