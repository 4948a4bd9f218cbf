// librpma: remote access to persistent memory over RDMA. The C interface of librpma 1.3, soname
// librpma.so.0, version node LIBRPMA_1.0. The manual pages of librpma are the specification; each
// comment below names the page it follows. Declared here is exactly what the library exports.
//
// What holds for every function, unless its comment says otherwise:
// - It returns 0 or one of the negative RPMA_E_ codes, and refuses bad arguments with RPMA_E_INVAL
//   before it asks the provider (libibverbs, librdmacm) for anything. A NULL handle is such an
//   argument.
// - On failure it leaves its out-parameters as they were, and whatever it made on the way is
//   released. After RPMA_E_PROVIDER, errno holds the provider's own code where it gave one.
// - A function that deletes takes the address of the handle. It stores NULL there when the object
//   is gone; when *handle is NULL already it returns 0 and does nothing.
// - Objects are not locked. "Threads: any" means that several threads may call the function on one
//   object at a time; "one per object" means that calls on one object must not overlap, calls on
//   different objects may.
// - An object that is handed to another one is borrowed, not copied, and has to outlive it; the
//   comments name the exceptions.
// - Sizes, lengths and offsets are in bytes.
#pragma once

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// ---- Error codes: rpma_err_2str(3) ----

#define RPMA_E_UNKNOWN (-100000)
#define RPMA_E_NOSUPP (-100001)
#define RPMA_E_PROVIDER (-100002)
#define RPMA_E_NOMEM (-100003)
#define RPMA_E_INVAL (-100004)
#define RPMA_E_NO_COMPLETION (-100005)
#define RPMA_E_NO_EVENT (-100006)
#define RPMA_E_AGAIN (-100007)
#define RPMA_E_SHARED_CHANNEL (-100008)
#define RPMA_E_NOT_SHARED_CHNL (-100009)

// ---- Constants ----

// The default of rpma_conn_cfg_set_timeout(), in milliseconds.
#define RPMA_DEFAULT_TIMEOUT_MS 1000

// What a memory region is used for, see rpma_mr_reg(); OR them together.
#define RPMA_MR_USAGE_READ_SRC (1 << 0)
#define RPMA_MR_USAGE_READ_DST (1 << 1)
#define RPMA_MR_USAGE_WRITE_SRC (1 << 2)
#define RPMA_MR_USAGE_WRITE_DST (1 << 3)
#define RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY (1 << 4)
#define RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT (1 << 5)
#define RPMA_MR_USAGE_SEND (1 << 6)
#define RPMA_MR_USAGE_RECV (1 << 7)

// When an operation produces a completion, the flags argument of every operation.
#define RPMA_F_COMPLETION_ON_ERROR (1 << 0)
#define RPMA_F_COMPLETION_ALWAYS (1 << 1 | RPMA_F_COMPLETION_ON_ERROR)

// The alignment that rpma_atomic_write() demands, in bytes.
#define RPMA_ATOMIC_WRITE_ALIGNMENT 8

// Takes rpma_log_set_function() back to the library's own function.
#define RPMA_LOG_USE_DEFAULT_FUNCTION (NULL)

// Unused by the library; part of the interface.
#define RPMA_W_WAIT_FOR_COMPLETION (1)

// ---- Types ----

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct rpma_peer;       // an RDMA device with a protection domain
struct rpma_peer_cfg;   // what a peer says about its platform
struct rpma_mr_local;   // a memory region of this process
struct rpma_mr_remote;  // a memory region of the other side
struct rpma_conn_cfg;   // how a connection is to be made
struct rpma_srq_cfg;    // how a shared receive queue is to be made
struct rpma_srq;        // a shared receive queue
struct rpma_ep;         // a listening endpoint
struct rpma_conn_req;   // a connection not asked for, or not answered, yet
struct rpma_conn;       // a connection
struct rpma_cq;         // a completion queue

// Bytes that travel with a connection request or with its answer.
struct rpma_conn_private_data {
  void *ptr;
  uint8_t len;
};

enum rpma_util_ibv_context_type {
  RPMA_UTIL_IBV_CONTEXT_LOCAL,   // the device that owns the address
  RPMA_UTIL_IBV_CONTEXT_REMOTE,  // the device through which the address is reached
};

enum rpma_conn_event {
  RPMA_CONN_UNDEFINED = -1,
  RPMA_CONN_ESTABLISHED,
  RPMA_CONN_CLOSED,
  RPMA_CONN_LOST,
  RPMA_CONN_REJECTED,
  RPMA_CONN_UNREACHABLE,
};

enum rpma_flush_type {
  RPMA_FLUSH_TYPE_PERSISTENT,
  RPMA_FLUSH_TYPE_VISIBILITY,
};

enum rpma_log_level {
  RPMA_LOG_DISABLED = -1,
  RPMA_LOG_LEVEL_FATAL,
  RPMA_LOG_LEVEL_ERROR,
  RPMA_LOG_LEVEL_WARNING,
  RPMA_LOG_LEVEL_NOTICE,
  RPMA_LOG_LEVEL_INFO,
  RPMA_LOG_LEVEL_DEBUG,
};

enum rpma_log_threshold {
  RPMA_LOG_THRESHOLD,
  RPMA_LOG_THRESHOLD_AUX,
  RPMA_LOG_THRESHOLD_MAX,  // the number of thresholds
};

// Gets a message: a printf(3) format that ends in a line feed, and its arguments; and where in the
// library it comes from. Threads: is called by any thread, inside the call that has something to
// say, and has to be thread-safe.
typedef void rpma_log_function(enum rpma_log_level level, const char *file_name, const int line_no,
                               const char *function_name, const char *message_format, ...);

// ---- Errors and utilities ----

// A sentence for a return code; "Unknown error" for any value that is not one. Never fails.
// Threads: any. Lifetime: the text is static. Source: rpma_err_2str(3).
const char *rpma_err_2str(int ret);

// A sentence for a connection event; also for values outside the enum. Never fails.
// Threads: any. Lifetime: the text is static. Source: rpma_utils_conn_event_2str(3).
const char *rpma_utils_conn_event_2str(enum rpma_conn_event conn_event);

// Whether the device pages memory in on demand for both directions of a reliable connection: 1 or
// 0. Such a device registers memory that cannot be pinned, such as a file of a DAX file system.
// RPMA_E_INVAL     ibv_ctx or is_odp_capable is NULL
// RPMA_E_PROVIDER  the device could not be asked
// Threads: any. Source: rpma_utils_ibv_context_is_odp_capable(3), ERRORS.
int rpma_utils_ibv_context_is_odp_capable(struct ibv_context *ibv_ctx, int *is_odp_capable);

// Finds the RDMA device for addr, a host name or an IPv4 or IPv6 address. LOCAL: the device that
// owns addr. REMOTE: the device that has a route to addr; waits for the answer, at most 1000 ms for
// each address family that the name has.
// RPMA_E_INVAL     addr or ibv_ctx_ptr is NULL, or type is not one of the two
// RPMA_E_PROVIDER  no such address, no route, or no device has it; an address that every device
//                  has, such as 0.0.0.0, is no device's
// RPMA_E_NOMEM     out of memory
// Threads: one call at a time. Lifetime: the context is librdmacm's and stays open; do not close
// it. Source: rpma_utils_get_ibv_context(3), ERRORS; the wildcard: decision record 0002.
int rpma_utils_get_ibv_context(const char *addr, enum rpma_util_ibv_context_type type,
                               struct ibv_context **ibv_ctx_ptr);

// ---- Log ----
// RPMA_LOG_LEVEL_ERROR: provider failures, descriptors that describe nothing, configurations that
// contradict themselves, flushes that cannot be had. WARNING: unexpected events of a connection.
// NOTICE: what happens to endpoints and connections. INFO: what devices and peers can do. DEBUG:
// remote regions, empty polls. NULL arguments and RPMA_E_NOMEM are not logged.

// Sets a threshold. RPMA_LOG_THRESHOLD: messages above this level are dropped,
// RPMA_LOG_LEVEL_WARNING at first. RPMA_LOG_THRESHOLD_AUX: of the others the library's own function
// also writes those up to this level to stderr, RPMA_LOG_DISABLED at first.
// RPMA_E_INVAL     threshold is not one of the two, or level is not in its enum
// Threads: any. Source: rpma_log_set_threshold(3), DESCRIPTION and ERRORS; its RPMA_E_AGAIN cannot
// happen here.
int rpma_log_set_threshold(enum rpma_log_threshold threshold, enum rpma_log_level level);

// RPMA_E_INVAL     threshold is not one of the two, or level is NULL
// Threads: any. Source: rpma_log_get_threshold(3), ERRORS.
int rpma_log_get_threshold(enum rpma_log_threshold threshold, enum rpma_log_level *level);

// Sets the function that gets the messages; NULL for the library's own, which writes to syslog(3),
// facility LOG_LOCAL7 under the program's own identity, and to stderr. Never fails.
// Threads: any; a message that is on its way in another thread may still go to the function before.
// Source: rpma_log_set_function(3), whose RPMA_E_AGAIN cannot happen here; the identity: decision
// record 0002.
int rpma_log_set_function(rpma_log_function *log_function);

// ---- Peer ----

// Makes a peer on ibv_ctx, a context from rpma_utils_get_ibv_context().
// RPMA_E_INVAL     ibv_ctx or peer_ptr is NULL
// RPMA_E_NOMEM     out of memory, here or (errno ENOMEM) at the protection domain
// RPMA_E_PROVIDER  the protection domain failed with another errno, or the device query failed
// RPMA_E_UNKNOWN   the protection domain failed without an errno
// Threads: any. Source: rpma_peer_new(3), ERRORS.
int rpma_peer_new(struct ibv_context *ibv_ctx, struct rpma_peer **peer_ptr);

// Deletes the peer. On failure *peer_ptr stays and stays valid, so delete what still uses the peer
// (memory regions, connections) and call again. An endpoint that still listens keeps its own hold
// on the protection domain, which then goes with the endpoint.
// RPMA_E_INVAL     peer_ptr is NULL
// RPMA_E_PROVIDER  the protection domain could not be freed, e.g. is in use
// Threads: one per object. Source: rpma_peer_delete(3), RETURN VALUE and ERRORS.
int rpma_peer_delete(struct rpma_peer **peer_ptr);

// ---- Peer configuration ----

// Makes a description of this side's platform, for the other side: no direct write to pmem.
// RPMA_E_INVAL     pcfg_ptr is NULL
// RPMA_E_NOMEM     out of memory
// Threads: any. Source: rpma_peer_cfg_new(3), ERRORS.
int rpma_peer_cfg_new(struct rpma_peer_cfg **pcfg_ptr);

// Deletes the description.
// RPMA_E_INVAL     pcfg_ptr is NULL
// Threads: one per object. Source: rpma_peer_cfg_delete(3), ERRORS.
int rpma_peer_cfg_delete(struct rpma_peer_cfg **pcfg_ptr);

// Whether a write that has reached this platform and been read back is persistent: its caches are
// part of the persistent domain, or the device writes past them. false at first.
// RPMA_E_INVAL     pcfg is NULL
// Threads: any. Source: rpma_peer_cfg_set_direct_write_to_pmem(3), ERRORS.
int rpma_peer_cfg_set_direct_write_to_pmem(struct rpma_peer_cfg *pcfg, bool supported);

// RPMA_E_INVAL     pcfg or supported is NULL
// Threads: any. Source: rpma_peer_cfg_get_direct_write_to_pmem(3), ERRORS.
int rpma_peer_cfg_get_direct_write_to_pmem(const struct rpma_peer_cfg *pcfg, bool *supported);

// Writes the descriptor, for the other side, to desc: as many bytes as
// rpma_peer_cfg_get_descriptor_size() says.
// RPMA_E_INVAL     pcfg or desc is NULL
// Threads: any. Source: rpma_peer_cfg_get_descriptor(3), ERRORS.
int rpma_peer_cfg_get_descriptor(const struct rpma_peer_cfg *pcfg, void *desc);

// The size of the descriptor: 1.
// RPMA_E_INVAL     pcfg or desc_size is NULL
// Threads: any. Source: rpma_peer_cfg_get_descriptor_size(3), ERRORS.
int rpma_peer_cfg_get_descriptor_size(const struct rpma_peer_cfg *pcfg, size_t *desc_size);

// Makes a description from the desc_size bytes of the other side's descriptor. Bytes beyond its
// own 1 are ignored. The descriptor is not authenticated, and decides how data is made persistent.
// RPMA_E_INVAL     desc or pcfg_ptr is NULL, or desc_size is 0
// RPMA_E_NOMEM     out of memory
// Threads: any. Lifetime: desc is only read here. Source: rpma_peer_cfg_from_descriptor(3),
// ERRORS; the size: decision record 0002.
int rpma_peer_cfg_from_descriptor(const void *desc, size_t desc_size,
                                  struct rpma_peer_cfg **pcfg_ptr);

// ---- Memory regions ----

// Registers size bytes at ptr for the operations in usage, an OR of RPMA_MR_USAGE_ bits.
// RPMA_E_INVAL     peer, ptr or mr_ptr is NULL; size is 0; usage is 0 or has a bit that is none of
//                  the eight
// RPMA_E_NOMEM     out of memory
// RPMA_E_PROVIDER  the registration failed, whatever its errno
// Threads: one per peer. Lifetime: the memory stays the caller's and has to stay mapped until
// rpma_mr_dereg(). Source: rpma_mr_reg(3), ERRORS; usage: decision record 0002.
int rpma_mr_reg(struct rpma_peer *peer, void *ptr, size_t size, int usage,
                struct rpma_mr_local **mr_ptr);

// Ends the registration. On failure *mr_ptr stays and stays valid, so the call can be repeated.
// RPMA_E_INVAL     mr_ptr is NULL
// RPMA_E_PROVIDER  the provider could not deregister
// Threads: one per peer. Source: rpma_mr_dereg(3), RETURN VALUE and ERRORS.
int rpma_mr_dereg(struct rpma_mr_local **mr_ptr);

// Writes the region's descriptor, for the other side, to desc: as many bytes as
// rpma_mr_get_descriptor_size() says, at any alignment.
// RPMA_E_INVAL     mr or desc is NULL
// Threads: any. Source: rpma_mr_get_descriptor(3), ERRORS.
int rpma_mr_get_descriptor(const struct rpma_mr_local *mr, void *desc);

// The size of the region's descriptor: 21.
// RPMA_E_INVAL     mr or desc_size is NULL
// Threads: any. Source: rpma_mr_get_descriptor_size(3), ERRORS.
int rpma_mr_get_descriptor_size(const struct rpma_mr_local *mr, size_t *desc_size);

// The address that was registered.
// RPMA_E_INVAL     mr or ptr is NULL
// Threads: any. Source: rpma_mr_get_ptr(3), ERRORS.
int rpma_mr_get_ptr(const struct rpma_mr_local *mr, void **ptr);

// The size that was registered.
// RPMA_E_INVAL     mr or size is NULL
// Threads: any. Source: rpma_mr_get_size(3), ERRORS.
int rpma_mr_get_size(const struct rpma_mr_local *mr, size_t *size);

// Tells the system how the len bytes of the region from offset on will be used. advice and flags:
// see ibv_advise_mr(3).
// RPMA_E_INVAL     mr is NULL; the range is not inside the region; the region's usage does not
//                  allow the advice; flags is not valid
// RPMA_E_NOSUPP    the system does not take this advice, or none
// RPMA_E_PROVIDER  any other failure
// Threads: any. Source: rpma_mr_advise(3), ERRORS; which errno is which: decision record 0002.
int rpma_mr_advise(struct rpma_mr_local *mr, size_t offset, size_t len, int advice, uint32_t flags);

// Makes a remote region from the desc_size bytes of a descriptor, at any alignment. Bytes beyond
// the descriptor's own 21 are ignored.
// RPMA_E_INVAL     desc or mr_ptr is NULL, or desc_size is less than 21
// RPMA_E_NOSUPP    the descriptor grants no usage, so it describes no region
// RPMA_E_NOMEM     out of memory
// Threads: any. Lifetime: desc is only read here. Source: rpma_mr_remote_from_descriptor(3),
// ERRORS; sizes: decision record 0002.
int rpma_mr_remote_from_descriptor(const void *desc, size_t desc_size,
                                   struct rpma_mr_remote **mr_ptr);

// The size of the remote region.
// RPMA_E_INVAL     mr or size is NULL
// Threads: any. Source: rpma_mr_remote_get_size(3), ERRORS.
int rpma_mr_remote_get_size(const struct rpma_mr_remote *mr, size_t *size);

// The flush types that the remote region allows: an OR of RPMA_MR_USAGE_FLUSH_TYPE_ bits (not a
// value of enum rpma_flush_type), 0 for none.
// RPMA_E_INVAL     mr or flush_type is NULL
// Threads: any. Source: rpma_mr_remote_get_flush_type(3), ERRORS.
int rpma_mr_remote_get_flush_type(const struct rpma_mr_remote *mr, int *flush_type);

// Deletes the description; the remote memory is not touched.
// RPMA_E_INVAL     mr_ptr is NULL
// Threads: any. Source: rpma_mr_remote_delete(3), ERRORS.
int rpma_mr_remote_delete(struct rpma_mr_remote **mr_ptr);

// ---- Connection configuration ----

// Makes a configuration with the defaults that the setters below name. It is read only by
// rpma_conn_req_new() and rpma_ep_next_conn_req(), and may be changed or deleted after them.
// RPMA_E_INVAL     cfg_ptr is NULL
// RPMA_E_NOMEM     out of memory
// Threads: any. Source: rpma_conn_cfg_new(3), ERRORS.
int rpma_conn_cfg_new(struct rpma_conn_cfg **cfg_ptr);

// Deletes the configuration.
// RPMA_E_INVAL     cfg_ptr is NULL
// Threads: one per object. Source: rpma_conn_cfg_delete(3), ERRORS.
int rpma_conn_cfg_delete(struct rpma_conn_cfg **cfg_ptr);

// How long the active side waits for its address and then, again, for its route: milliseconds,
// RPMA_DEFAULT_TIMEOUT_MS at first. The passive side does not use it.
// RPMA_E_INVAL     cfg is NULL or timeout_ms is negative
// Threads: any. Source: rpma_conn_cfg_set_timeout(3), ERRORS.
int rpma_conn_cfg_set_timeout(struct rpma_conn_cfg *cfg, int timeout_ms);

// RPMA_E_INVAL     cfg or timeout_ms is NULL
// Threads: any. Source: rpma_conn_cfg_get_timeout(3), ERRORS.
int rpma_conn_cfg_get_timeout(const struct rpma_conn_cfg *cfg, int *timeout_ms);

// The size of the main CQ in completions, 10 at first. Asked of the provider as it is, at most
// INT_MAX.
// RPMA_E_INVAL     cfg is NULL
// Threads: any. Source: rpma_conn_cfg_set_cq_size(3), ERRORS.
int rpma_conn_cfg_set_cq_size(struct rpma_conn_cfg *cfg, uint32_t cq_size);

// RPMA_E_INVAL     cfg or cq_size is NULL
// Threads: any. Source: rpma_conn_cfg_get_cq_size(3), ERRORS.
int rpma_conn_cfg_get_cq_size(const struct rpma_conn_cfg *cfg, uint32_t *cq_size);

// The size of the receive CQ in completions, 0 at first: 0 means no receive CQ, receives complete
// in the main CQ. Asked of the provider as it is, at most INT_MAX.
// RPMA_E_INVAL     cfg is NULL
// Threads: any. Source: rpma_conn_cfg_set_rcq_size(3), ERRORS.
int rpma_conn_cfg_set_rcq_size(struct rpma_conn_cfg *cfg, uint32_t rcq_size);

// RPMA_E_INVAL     cfg or rcq_size is NULL
// Threads: any. Source: rpma_conn_cfg_get_rcq_size(3), ERRORS.
int rpma_conn_cfg_get_rcq_size(const struct rpma_conn_cfg *cfg, uint32_t *rcq_size);

// The size of the send queue in work requests, 10 at first.
// RPMA_E_INVAL     cfg is NULL
// Threads: any. Source: rpma_conn_cfg_set_sq_size(3), ERRORS.
int rpma_conn_cfg_set_sq_size(struct rpma_conn_cfg *cfg, uint32_t sq_size);

// RPMA_E_INVAL     cfg or sq_size is NULL
// Threads: any. Source: rpma_conn_cfg_get_sq_size(3), ERRORS.
int rpma_conn_cfg_get_sq_size(const struct rpma_conn_cfg *cfg, uint32_t *sq_size);

// The size of the receive queue in work requests, 10 at first.
// RPMA_E_INVAL     cfg is NULL
// Threads: any. Source: rpma_conn_cfg_set_rq_size(3), ERRORS.
int rpma_conn_cfg_set_rq_size(struct rpma_conn_cfg *cfg, uint32_t rq_size);

// RPMA_E_INVAL     cfg or rq_size is NULL
// Threads: any. Source: rpma_conn_cfg_get_rq_size(3), ERRORS.
int rpma_conn_cfg_get_rq_size(const struct rpma_conn_cfg *cfg, uint32_t *rq_size);

// Whether the CQ and the receive CQ share one completion channel, false at first. With a shared
// channel wait with rpma_conn_wait(), without one with rpma_cq_wait().
// RPMA_E_INVAL     cfg is NULL
// Threads: any. Source: rpma_conn_cfg_set_compl_channel(3), ERRORS.
int rpma_conn_cfg_set_compl_channel(struct rpma_conn_cfg *cfg, bool shared);

// RPMA_E_INVAL     cfg or shared is NULL
// Threads: any. Source: rpma_conn_cfg_get_compl_channel(3), ERRORS.
int rpma_conn_cfg_get_compl_channel(const struct rpma_conn_cfg *cfg, bool *shared);

// Makes connections take their receives from srq; NULL, as at first, for a receive queue of their
// own. If srq has a receive CQ their receives complete there, they have no receive CQ of their own
// whatever its size, and a shared completion channel cannot be had.
// RPMA_E_INVAL     cfg is NULL
// Threads: any. Lifetime: srq is not kept alive; once it is deleted, no connection can be made with
// cfg. Source: rpma_conn_cfg_set_srq(3), ERRORS; NULL and the channel: decision record 0002.
int rpma_conn_cfg_set_srq(struct rpma_conn_cfg *cfg, struct rpma_srq *srq);

// RPMA_E_INVAL     cfg or srq_ptr is NULL, or the srq is deleted
// Threads: any. Source: rpma_conn_cfg_get_srq(3), ERRORS.
int rpma_conn_cfg_get_srq(const struct rpma_conn_cfg *cfg, struct rpma_srq **srq_ptr);

// ---- Shared receive queue configuration ----

// Makes a configuration with the defaults that the setters below name. It is read only by
// rpma_srq_new(), and may be changed or deleted after it.
// RPMA_E_INVAL     cfg_ptr is NULL
// RPMA_E_NOMEM     out of memory
// Threads: any. Source: rpma_srq_cfg_new(3), ERRORS.
int rpma_srq_cfg_new(struct rpma_srq_cfg **cfg_ptr);

// Deletes the configuration.
// RPMA_E_INVAL     cfg_ptr is NULL
// Threads: one per object. Source: rpma_srq_cfg_delete(3), ERRORS.
int rpma_srq_cfg_delete(struct rpma_srq_cfg **cfg_ptr);

// The size of the shared receive queue in work requests, 100 at first (20 in librpma 1.2 and 1.3).
// RPMA_E_INVAL     cfg is NULL
// Threads: any. Source: rpma_srq_cfg_set_rq_size(3), ERRORS; the default: decision record 0002.
int rpma_srq_cfg_set_rq_size(struct rpma_srq_cfg *cfg, uint32_t rq_size);

// RPMA_E_INVAL     cfg or rq_size is NULL
// Threads: any. Source: rpma_srq_cfg_get_rq_size(3), ERRORS.
int rpma_srq_cfg_get_rq_size(const struct rpma_srq_cfg *cfg, uint32_t *rq_size);

// The size of the queue's receive CQ in completions, 100 at first (20 in librpma 1.2 and 1.3): 0
// means no CQ of its own, receives complete in a CQ of the connection that the message came by.
// Asked of the provider as it is, at most INT_MAX.
// RPMA_E_INVAL     cfg is NULL
// Threads: any. Source: rpma_srq_cfg_set_rcq_size(3), ERRORS; the default: decision record 0002.
int rpma_srq_cfg_set_rcq_size(struct rpma_srq_cfg *cfg, uint32_t rcq_size);

// RPMA_E_INVAL     cfg or rcq_size is NULL
// Threads: any. Source: rpma_srq_cfg_get_rcq_size(3), ERRORS.
int rpma_srq_cfg_get_rcq_size(const struct rpma_srq_cfg *cfg, uint32_t *rcq_size);

// ---- Shared receive queue ----

// Makes a shared receive queue, with a receive CQ unless cfg says that it has none. cfg NULL for
// the defaults.
// RPMA_E_INVAL     peer or srq_ptr is NULL
// RPMA_E_NOMEM     out of memory
// RPMA_E_PROVIDER  the queue, the CQ or its channel could not be made
// Threads: one per peer. Lifetime: cfg is only read here. Source: rpma_srq_new(3), ERRORS.
int rpma_srq_new(struct rpma_peer *peer, struct rpma_srq_cfg *cfg, struct rpma_srq **srq_ptr);

// Deletes the queue and its receive CQ. *srq_ptr becomes NULL also on RPMA_E_PROVIDER, after every
// part has been tried; what a connection still uses goes with the last such connection.
// RPMA_E_INVAL     srq_ptr is NULL
// RPMA_E_PROVIDER  the destruction of a part failed, e.g. it is in use
// Threads: one per object. Source: rpma_srq_delete(3), RETURN VALUE and ERRORS.
int rpma_srq_delete(struct rpma_srq **srq_ptr);

// The queue's receive CQ; NULL if it has none.
// RPMA_E_INVAL     srq or rcq_ptr is NULL
// Threads: any. Lifetime: the queue's. Source: rpma_srq_get_rcq(3), ERRORS.
int rpma_srq_get_rcq(const struct rpma_srq *srq, struct rpma_cq **rcq_ptr);

// Posts a receive, as rpma_recv() does, for a message of any connection that uses the queue.
// RPMA_E_INVAL     srq is NULL; dst is NULL and offset or len is not 0; len is above 2^31
// RPMA_E_PROVIDER  the provider refused the request, e.g. the queue is full (errno ENOMEM)
// Threads: any. Lifetime: the region has to stay until the receive has completed. Source:
// rpma_srq_recv(3), ERRORS; the length: decision record 0002.
int rpma_srq_recv(struct rpma_srq *srq, struct rpma_mr_local *dst, size_t offset, size_t len,
                  const void *op_context);

// ---- Endpoint ----

// Starts to listen for connection requests at addr (host name or address) and port (number or
// service name, as text).
// RPMA_E_INVAL     peer, addr, port or ep_ptr is NULL
// RPMA_E_PROVIDER  no such address, or it could not be bound or listened on
// RPMA_E_NOMEM     out of memory
// Threads: one call at a time. Source: rpma_ep_listen(3), ERRORS.
int rpma_ep_listen(struct rpma_peer *peer, const char *addr, const char *port,
                   struct rpma_ep **ep_ptr);

// Stops to listen. Requests and connections that came from the endpoint stay. On failure *ep_ptr
// stays and stays valid, so the call can be repeated.
// RPMA_E_INVAL     ep_ptr is NULL
// RPMA_E_PROVIDER  the listening id could not be destroyed
// Threads: one per object. Source: rpma_ep_shutdown(3), RETURN VALUE and ERRORS.
int rpma_ep_shutdown(struct rpma_ep **ep_ptr);

// A descriptor that is readable when a request is pending; set O_NONBLOCK on it to make
// rpma_ep_next_conn_req() return instead of wait. It is the endpoint's: do not close it.
// RPMA_E_INVAL     ep or fd is NULL
// Threads: any. Source: rpma_ep_get_fd(3), ERRORS.
int rpma_ep_get_fd(const struct rpma_ep *ep, int *fd);

// Takes the next connection request, waits for one unless the descriptor is O_NONBLOCK. cfg shapes
// the connection, NULL for the defaults. A request that cannot be served is rejected.
// RPMA_E_INVAL     ep or req_ptr is NULL; cfg has a shared channel and an SRQ with a receive CQ
//                  (the request then stays); or the event was not a connection request
// RPMA_E_NO_EVENT  none is pending
// RPMA_E_PROVIDER  no event could be read, or the request's queues, its channel or its buffer for
//                  flushes could not be made
// RPMA_E_NOMEM     out of memory
// Threads: one per object. Lifetime: the request does not need the endpoint any more. Source:
// rpma_ep_next_conn_req(3), ERRORS.
int rpma_ep_next_conn_req(struct rpma_ep *ep, const struct rpma_conn_cfg *cfg,
                          struct rpma_conn_req **req_ptr);

// ---- Connection request ----

// Prepares an outgoing request to addr (host name or address) and port (number or service name, as
// text); waits for the address and the route, see rpma_conn_cfg_set_timeout(). cfg shapes the
// connection, NULL for the defaults.
// RPMA_E_INVAL     peer, addr, port or req_ptr is NULL; cfg has a shared channel and an SRQ with a
//                  receive CQ
// RPMA_E_NOMEM     out of memory
// RPMA_E_PROVIDER  address or route not found, or the queues, the channel or the buffer for flushes
//                  could not be made
// Threads: one call at a time. Source: rpma_conn_req_new(3), ERRORS.
int rpma_conn_req_new(struct rpma_peer *peer, const char *addr, const char *port,
                      const struct rpma_conn_cfg *cfg, struct rpma_conn_req **req_ptr);

// Drops the request; an incoming one is rejected. *req_ptr becomes NULL also on RPMA_E_PROVIDER,
// after every part has been tried.
// RPMA_E_INVAL     req_ptr is NULL
// RPMA_E_PROVIDER  the rejection, or the destruction of a part, failed
// Threads: one per object. Source: rpma_conn_req_delete(3), RETURN VALUE and ERRORS.
int rpma_conn_req_delete(struct rpma_conn_req **req_ptr);

// Sends the outgoing request, or accepts the incoming one, and makes the request a connection. Does
// not wait: RPMA_CONN_ESTABLISHED from rpma_conn_next_event() says that both sides are there. pdata
// is given to the other side; NULL for none. The transport carries at most 56 bytes of it with a
// request and 196 with an answer, and pads them with zeros.
// *req_ptr is consumed and becomes NULL, also on failure, unless req_ptr or *req_ptr is NULL.
// RPMA_E_INVAL     req_ptr, *req_ptr or conn_ptr is NULL, or pdata has no bytes (ptr NULL, len 0)
// RPMA_E_NOMEM     out of memory
// RPMA_E_PROVIDER  the request or the answer could not be sent, e.g. pdata is too long
// Threads: one per object. Lifetime: pdata is only read here. Source: rpma_conn_req_connect(3),
// ERRORS.
int rpma_conn_req_connect(struct rpma_conn_req **req_ptr,
                          const struct rpma_conn_private_data *pdata, struct rpma_conn **conn_ptr);

// Posts a receive, as rpma_recv() does, before there is a connection, so that no message comes too
// early.
// RPMA_E_INVAL     req is NULL; dst is NULL and offset or len is not 0; len is above 2^31
// RPMA_E_PROVIDER  the provider refused the request, e.g. the receive queue is full (errno ENOMEM)
//                  or an SRQ takes its place
// Threads: any. Lifetime: the region has to stay until the receive has completed. Source:
// rpma_conn_req_recv(3), ERRORS, which forbids NULL; NULL and the length: decision record 0002.
int rpma_conn_req_recv(struct rpma_conn_req *req, struct rpma_mr_local *dst, size_t offset,
                       size_t len, const void *op_context);

// What came with an incoming request; {NULL, 0} if nothing did and for an outgoing one.
// RPMA_E_INVAL     req or pdata is NULL
// Threads: any. Lifetime: the bytes live as long as the request, and then as the connection made
// of it. Source: rpma_conn_req_get_private_data(3), ERRORS.
int rpma_conn_req_get_private_data(const struct rpma_conn_req *req,
                                   struct rpma_conn_private_data *pdata);

// ---- Connection ----

// A descriptor that is readable when an event is pending; set O_NONBLOCK on it to make
// rpma_conn_next_event() return instead of wait. It is the connection's: do not close it.
// RPMA_E_INVAL     conn or fd is NULL
// Threads: any. Source: rpma_conn_get_event_fd(3), ERRORS.
int rpma_conn_get_event_fd(const struct rpma_conn *conn, int *fd);

// Takes the connection's next event, waits for one unless the descriptor is O_NONBLOCK. The active
// side's queues can be used only after this has returned RPMA_CONN_ESTABLISHED.
// RPMA_CONN_CLOSED comes once. That the old connection can no longer interfere with a new one makes
// the descriptor readable once more, and the call returns RPMA_E_NO_EVENT without waiting.
// RPMA_E_INVAL     conn or event is NULL
// RPMA_E_NO_EVENT  none is pending, or one that has nothing to say
// RPMA_E_UNKNOWN   an event that a connection should not get
// RPMA_E_PROVIDER  the event could not be read or acknowledged
// Threads: one per object. Source: rpma_conn_next_event(3), ERRORS; NO_EVENT: librpma(7) and
// decision record 0002.
int rpma_conn_next_event(struct rpma_conn *conn, enum rpma_conn_event *event);

// What the other side sent with its request or answer; {NULL, 0} if nothing did, and on the active
// side before RPMA_CONN_ESTABLISHED. It is not authenticated.
// RPMA_E_INVAL     conn or pdata is NULL
// Threads: any, but not beside rpma_conn_next_event(). Lifetime: the bytes live as long as the
// connection. Source: rpma_conn_get_private_data(3), ERRORS.
int rpma_conn_get_private_data(const struct rpma_conn *conn, struct rpma_conn_private_data *pdata);

// Tells the connection what the other side's platform can, as rpma_peer_cfg_from_descriptor() made
// it; before that, it cannot write directly to pmem. May be called again.
// RPMA_E_INVAL     conn or pcfg is NULL
// Threads: any. Lifetime: pcfg is only read here. Source: rpma_conn_apply_remote_peer_cfg(3),
// ERRORS.
int rpma_conn_apply_remote_peer_cfg(struct rpma_conn *conn, const struct rpma_peer_cfg *pcfg);

// Starts to disconnect, or answers the other side's disconnection. Outstanding operations complete
// with IBV_WC_WR_FLUSH_ERR. RPMA_CONN_CLOSED says that it is done.
// RPMA_E_INVAL     conn is NULL
// RPMA_E_PROVIDER  the provider refused
// Threads: any. Source: rpma_conn_disconnect(3), ERRORS.
int rpma_conn_disconnect(struct rpma_conn *conn);

// Deletes a closed connection with its queues. *conn_ptr becomes NULL also on RPMA_E_PROVIDER,
// after every part has been tried.
// RPMA_E_INVAL     conn_ptr is NULL, or memory of the library could not be unmapped
// RPMA_E_PROVIDER  the destruction of a part failed
// Threads: one per object. Lifetime: its CQs and its private data go with it. Source:
// rpma_conn_delete(3), RETURN VALUE and ERRORS.
int rpma_conn_delete(struct rpma_conn **conn_ptr);

// The connection's main CQ.
// RPMA_E_INVAL     conn or cq_ptr is NULL
// Threads: any. Lifetime: the connection's. Source: rpma_conn_get_cq(3), ERRORS.
int rpma_conn_get_cq(const struct rpma_conn *conn, struct rpma_cq **cq_ptr);

// The connection's receive CQ; NULL if it has none, also when receives complete in an SRQ's.
// RPMA_E_INVAL     conn or rcq_ptr is NULL
// Threads: any. Lifetime: the connection's. Source: rpma_conn_get_rcq(3), ERRORS.
int rpma_conn_get_rcq(const struct rpma_conn *conn, struct rpma_cq **rcq_ptr);

// The number of the connection's QP, as in ibv_wc.qp_num.
// RPMA_E_INVAL     conn or qp_num is NULL
// Threads: any. Source: rpma_conn_get_qp_num(3), ERRORS.
int rpma_conn_get_qp_num(const struct rpma_conn *conn, uint32_t *qp_num);

// The descriptor of the shared completion channel. It is the connection's: do not close it.
// RPMA_E_INVAL            conn or fd is NULL
// RPMA_E_NOT_SHARED_CHNL  the channel is not shared
// Threads: any. Source: rpma_conn_get_compl_fd(3), ERRORS.
int rpma_conn_get_compl_fd(const struct rpma_conn *conn, int *fd);

// Waits for a completion event on the shared channel, and says which CQ it is for and, unless
// is_rcq is NULL, whether that is the receive CQ. Take all completions from it before the next
// wait. flags is reserved and ignored.
// RPMA_E_INVAL            conn or cq is NULL
// RPMA_E_NOT_SHARED_CHNL  the channel is not shared
// RPMA_E_NO_COMPLETION    no event could be read: O_NONBLOCK and none there, a signal, or an error;
//                         errno tells, an error is also logged
// RPMA_E_UNKNOWN          the event is for neither CQ
// RPMA_E_PROVIDER         the CQ could not be armed again
// Threads: any. Source: rpma_conn_wait(3), ERRORS.
int rpma_conn_wait(struct rpma_conn *conn, int flags, struct rpma_cq **cq, bool *is_rcq);

// ---- Operations ----

// Posts a read of len bytes from src at src_offset to dst at dst_offset; at most 2^31 bytes. dst
// and src NULL, offsets and len 0: a read of no bytes. flags, op_context and ranges: as for
// rpma_write().
// RPMA_E_INVAL     conn is NULL or flags is 0; one of dst and src is NULL; both are and an offset
//                  or len is not 0; len is above 2^31
// RPMA_E_PROVIDER  the provider refused the request, e.g. the send queue is full (errno ENOMEM)
// Threads: any. Lifetime: the destination has to stay until the read has completed. Source:
// rpma_read(3), ERRORS; the length: decision record 0002.
int rpma_read(struct rpma_conn *conn, struct rpma_mr_local *dst, size_t dst_offset,
              const struct rpma_mr_remote *src, size_t src_offset, size_t len, int flags,
              const void *op_context);

// Posts a write of len bytes from src at src_offset to dst at dst_offset; at most 2^31 bytes, the
// longest message of a reliable connection. src and dst NULL, offsets and len 0: a write of no
// bytes. flags: RPMA_F_COMPLETION_ALWAYS or RPMA_F_COMPLETION_ON_ERROR. The completion carries
// op_context as its wr_id; a range outside a region shows there, not here.
// RPMA_E_INVAL     conn is NULL or flags is 0; one of dst and src is NULL; both are and an offset
//                  or len is not 0; len is above 2^31
// RPMA_E_PROVIDER  the provider refused the request, e.g. the send queue is full (errno ENOMEM)
// Threads: any. Lifetime: the source has to stay as it is until the write has completed. Source:
// rpma_write(3), ERRORS; the length: decision record 0002.
int rpma_write(struct rpma_conn *conn, struct rpma_mr_remote *dst, size_t dst_offset,
               const struct rpma_mr_local *src, size_t src_offset, size_t len, int flags,
               const void *op_context);

// Posts a write as rpma_write() does, that also completes a receive of the other side, which finds
// imm, ntohl() of its imm_data, in the completion.
// RPMA_E_INVAL and RPMA_E_PROVIDER  as rpma_write()
// Threads: any. Lifetime: as for rpma_write(). Source: rpma_write_with_imm(3), ERRORS.
int rpma_write_with_imm(struct rpma_conn *conn, struct rpma_mr_remote *dst, size_t dst_offset,
                        const struct rpma_mr_local *src, size_t src_offset, size_t len, int flags,
                        uint32_t imm, const void *op_context);

// Posts a write of the 8 bytes at src, any alignment, to dst at dst_offset, placed so that no one
// sees a part of them. It is placed after the reads posted before it on this connection have
// completed. Success shows as IBV_WC_ATOMIC_WRITE where the device has an atomic write of its own,
// elsewhere as IBV_WC_RDMA_WRITE.
// RPMA_E_INVAL     conn, dst or src is NULL; flags is 0; dst_offset, or the remote address that it
//                  makes, is not a multiple of RPMA_ATOMIC_WRITE_ALIGNMENT
// RPMA_E_PROVIDER  the provider refused the request, e.g. the send queue is full (errno ENOMEM)
// Threads: any. Lifetime: src is only read here. Source: rpma_atomic_write(3), ERRORS; the
// address: decision record 0002.
int rpma_atomic_write(struct rpma_conn *conn, struct rpma_mr_remote *dst, size_t dst_offset,
                      const char src[8], int flags, const void *op_context);

// Posts a flush of len bytes of dst from dst_offset on: what was written there before it on this
// connection is visible to the other side (RPMA_FLUSH_TYPE_VISIBILITY) or persistent
// (RPMA_FLUSH_TYPE_PERSISTENT) when the flush has completed. It is a read of at most 8 bytes of the
// region, wherever len ends, and shows as IBV_WC_RDMA_READ. flags, op_context and ranges: as for
// rpma_write().
// RPMA_E_INVAL     conn or dst is NULL; flags is 0; type is not one of the two
// RPMA_E_NOSUPP    the other side has no direct write to pmem, see
//                  rpma_conn_apply_remote_peer_cfg(), and the flush is a persistent one; or dst was
//                  not registered for this type of flush
// RPMA_E_PROVIDER  the provider refused the request, e.g. the send queue is full (errno ENOMEM)
// Threads: any. Source: rpma_flush(3), DESCRIPTION and ERRORS; the registration: decision record
// 0002.
int rpma_flush(struct rpma_conn *conn, struct rpma_mr_remote *dst, size_t dst_offset, size_t len,
               enum rpma_flush_type type, int flags, const void *op_context);

// Posts a message of len bytes from src at offset, at most 2^31; it goes to a receive of the other
// side. src NULL, offset and len 0: a message of no bytes. flags, op_context and ranges: as for
// rpma_write().
// RPMA_E_INVAL     conn is NULL or flags is 0; src is NULL and offset or len is not 0; len is above
//                  2^31
// RPMA_E_PROVIDER  the provider refused the request, e.g. the send queue is full (errno ENOMEM)
// Threads: any. Lifetime: the source has to stay as it is until the send has completed. Source:
// rpma_send(3), ERRORS; the length: decision record 0002.
int rpma_send(struct rpma_conn *conn, const struct rpma_mr_local *src, size_t offset, size_t len,
              int flags, const void *op_context);

// Posts a message as rpma_send() does; the other side finds imm, ntohl() of its imm_data, in the
// completion.
// RPMA_E_INVAL and RPMA_E_PROVIDER  as rpma_send()
// Threads: any. Lifetime: as for rpma_send(). Source: rpma_send_with_imm(3), ERRORS.
int rpma_send_with_imm(struct rpma_conn *conn, const struct rpma_mr_local *src, size_t offset,
                       size_t len, int flags, uint32_t imm, const void *op_context);

// Posts a receive: a buffer of len bytes at dst and offset for one message of the other side; which
// message gets which buffer is not said. dst NULL, offset and len 0: for a message of no bytes. The
// completion, which always comes, carries op_context as its wr_id.
// RPMA_E_INVAL     conn is NULL; dst is NULL and offset or len is not 0; len is above 2^31
// RPMA_E_PROVIDER  the provider refused the request, e.g. the receive queue is full (errno ENOMEM)
//                  or an SRQ takes its place
// Threads: any. Lifetime: the region has to stay until the receive has completed. Source:
// rpma_recv(3), ERRORS; the length: decision record 0002.
int rpma_recv(struct rpma_conn *conn, struct rpma_mr_local *dst, size_t offset, size_t len,
              const void *op_context);

// ---- Completion queue ----

// The descriptor of the CQ's completion channel, also when it is shared. Do not close it.
// RPMA_E_INVAL     cq or fd is NULL
// Threads: any. Source: rpma_cq_get_fd(3), ERRORS.
int rpma_cq_get_fd(const struct rpma_cq *cq, int *fd);

// Waits for a completion event of the CQ. Take all completions before the next wait; there may be
// none left.
// RPMA_E_INVAL           cq is NULL
// RPMA_E_NO_COMPLETION   O_NONBLOCK and no event there, or a signal
// RPMA_E_SHARED_CHANNEL  the channel is shared, use rpma_conn_wait()
// RPMA_E_PROVIDER        no event can be read any more, or the CQ could not be armed again
// Threads: any. Source: rpma_cq_wait(3), ERRORS; PROVIDER: decision record 0002.
int rpma_cq_wait(struct rpma_cq *cq);

// Takes up to num_entries completions into the array wc, and stores how many there were in
// *num_entries_got unless that is NULL. Never waits. Of a completion whose status is not
// IBV_WC_SUCCESS only wr_id, status, qp_num and vendor_err mean something.
// RPMA_E_INVAL          cq or wc is NULL, num_entries is below 1, or is above 1 and num_entries_got
//                       is NULL
// RPMA_E_NO_COMPLETION  there is none
// RPMA_E_PROVIDER       the provider failed
// RPMA_E_UNKNOWN        the provider returned more than it was asked for
// Threads: any. Source: rpma_cq_get_wc(3), ERRORS.
int rpma_cq_get_wc(struct rpma_cq *cq, int num_entries, struct ibv_wc *wc, int *num_entries_got);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
