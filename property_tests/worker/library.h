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
#define CONFORMANCE_OPTIONAL(X) X(rpma_write) X(rpma_atomic_write) X(rpma_cq_get_fd) X(rpma_cq_wait)

struct Library {
#define X(name) decltype(&::name) name = nullptr;
  CONFORMANCE_NEEDED(X)
  CONFORMANCE_OPTIONAL(X)
#undef X
  // Spelt out, because a header of a library that is still growing may not declare it yet.
  int (*rpma_read)(rpma_conn*, rpma_mr_local* dst, size_t dst_offset, const rpma_mr_remote* src,
                   size_t src_offset, size_t len, int flags, const void* op_context) = nullptr;
};

struct LoadedLibrary {
  void* handle = nullptr;  // of dlopen
  Library functions;
  std::string problem;  // empty: every needed function is there
};

// Loads the library at `path`, or as the loader finds it if `path` has no slash. It stays loaded.
LoadedLibrary LoadLibraryUnderTest(const std::string& path);

}  // namespace conformance
