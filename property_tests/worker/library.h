// The library under test: loaded with dlopen and called through this one table, by no other way.
#pragma once

#include <librpma.h>

#include <string>
#include <vector>

namespace conformance {

// Every function of the library that the suite calls.
// clang-format off
#define CONFORMANCE_NEEDED(X)       \
  X(rpma_utils_get_ibv_context)     \
  X(rpma_peer_new)                  \
  X(rpma_peer_delete)               \
  X(rpma_mr_reg)                    \
  X(rpma_mr_dereg)                  \
  X(rpma_mr_get_descriptor)         \
  X(rpma_mr_get_descriptor_size)    \
  X(rpma_mr_remote_from_descriptor) \
  X(rpma_mr_remote_delete)          \
  X(rpma_conn_cfg_new)              \
  X(rpma_conn_cfg_delete)           \
  X(rpma_conn_cfg_set_sq_size)      \
  X(rpma_conn_cfg_set_cq_size)      \
  X(rpma_ep_listen)                 \
  X(rpma_ep_shutdown)               \
  X(rpma_ep_next_conn_req)          \
  X(rpma_conn_req_new)              \
  X(rpma_conn_req_connect)          \
  X(rpma_conn_req_delete)           \
  X(rpma_conn_next_event)           \
  X(rpma_conn_get_cq)               \
  X(rpma_conn_disconnect)           \
  X(rpma_conn_delete)               \
  X(rpma_cq_get_wc)
// clang-format on
// Of these each page that needs one is judged, or not, on its own.
// clang-format off
#define CONFORMANCE_OPTIONAL(X)           \
  X(rpma_read)                            \
  X(rpma_write)                           \
  X(rpma_atomic_write)                    \
  X(rpma_write_with_imm)                  \
  X(rpma_send)                            \
  X(rpma_send_with_imm)                   \
  X(rpma_flush)                           \
  X(rpma_recv)                            \
  X(rpma_srq_recv)                        \
  X(rpma_conn_req_recv)                   \
  X(rpma_cq_get_fd)                       \
  X(rpma_cq_wait)                         \
  X(rpma_conn_cfg_set_rq_size)            \
  X(rpma_conn_cfg_set_rcq_size)           \
  X(rpma_conn_cfg_set_compl_channel)      \
  X(rpma_conn_cfg_set_srq)                \
  X(rpma_conn_get_rcq)                    \
  X(rpma_conn_get_qp_num)                 \
  X(rpma_conn_apply_remote_peer_cfg)      \
  X(rpma_peer_cfg_new)                    \
  X(rpma_peer_cfg_delete)                 \
  X(rpma_peer_cfg_set_direct_write_to_pmem) \
  X(rpma_srq_cfg_new)                     \
  X(rpma_srq_cfg_delete)                  \
  X(rpma_srq_cfg_set_rq_size)             \
  X(rpma_srq_cfg_set_rcq_size)            \
  X(rpma_srq_new)                         \
  X(rpma_srq_delete)                      \
  X(rpma_srq_get_rcq)
// clang-format on

struct Library {
#define X(name) decltype(&::name) name = nullptr;
  CONFORMANCE_NEEDED(X)
  CONFORMANCE_OPTIONAL(X)
#undef X
};

struct LoadedLibrary {
  void* handle = nullptr;  // of dlopen
  Library functions;
  std::string problem;  // empty: every needed function is there
};

// Loads the library at `path`, or as the loader finds it if `path` has no slash. It stays loaded.
LoadedLibrary LoadLibraryUnderTest(const std::string& path);

}  // namespace conformance
