// Functions that the libraries export and the fake does not model: one row each, sorted by name. A
// program that links one of them loads; a call says that the operation is not supported, in the way
// in which that function reports errors.
#include <cerrno>
#include <cstddef>

// Every row puts its name into a section of its own, and so the table can be read.
#define LISTED(name) \
  [[gnu::section("unmodelled_rows"), gnu::used]] static const char* const listed_##name = #name;

#define RETURNS_ERRNO(name) \
  LISTED(name)              \
  int name() { return EOPNOTSUPP; }
#define RETURNS_NULL_POINTER(name) \
  LISTED(name)                     \
  void* name() {                   \
    errno = EOPNOTSUPP;            \
    return nullptr;                \
  }
#define RETURNS_MINUS_ONE(name) \
  LISTED(name)                  \
  int name() {                  \
    errno = EOPNOTSUPP;         \
    return -1;                  \
  }
#define RETURNS_NO_SOCKET(name) \
  LISTED(name)                  \
  long name() {                 \
    errno = ENOSYS;             \
    return -1;                  \
  }
// Their subject does not exist here, so there is nothing to do, and zero is the true answer.
#define RETURNS_NOTHING(name) \
  void name() {}
#define RETURNS_ZERO(name) \
  int name() { return 0; }

extern "C" {

RETURNS_ERRNO(execute_ioctl)
RETURNS_ERRNO(ibv_attach_mcast)
RETURNS_ERRNO(ibv_cmd_advise_mr)
RETURNS_ERRNO(ibv_cmd_alloc_dm)
RETURNS_ERRNO(ibv_cmd_alloc_mw)
RETURNS_ERRNO(ibv_cmd_alloc_pd)
RETURNS_ERRNO(ibv_cmd_attach_mcast)
RETURNS_ERRNO(ibv_cmd_close_xrcd)
RETURNS_ERRNO(ibv_cmd_create_ah)
RETURNS_ERRNO(ibv_cmd_create_counters)
RETURNS_ERRNO(ibv_cmd_create_cq)
RETURNS_ERRNO(ibv_cmd_create_cq_ex)
RETURNS_ERRNO(ibv_cmd_create_flow)
RETURNS_ERRNO(ibv_cmd_create_flow_action_esp)
RETURNS_ERRNO(ibv_cmd_create_qp)
RETURNS_ERRNO(ibv_cmd_create_qp_ex)
RETURNS_ERRNO(ibv_cmd_create_qp_ex2)
RETURNS_ERRNO(ibv_cmd_create_rwq_ind_table)
RETURNS_ERRNO(ibv_cmd_create_srq)
RETURNS_ERRNO(ibv_cmd_create_srq_ex)
RETURNS_ERRNO(ibv_cmd_create_wq)
RETURNS_ERRNO(ibv_cmd_dealloc_mw)
RETURNS_ERRNO(ibv_cmd_dealloc_pd)
RETURNS_ERRNO(ibv_cmd_dereg_mr)
RETURNS_ERRNO(ibv_cmd_destroy_ah)
RETURNS_ERRNO(ibv_cmd_destroy_counters)
RETURNS_ERRNO(ibv_cmd_destroy_cq)
RETURNS_ERRNO(ibv_cmd_destroy_flow)
RETURNS_ERRNO(ibv_cmd_destroy_flow_action)
RETURNS_ERRNO(ibv_cmd_destroy_qp)
RETURNS_ERRNO(ibv_cmd_destroy_rwq_ind_table)
RETURNS_ERRNO(ibv_cmd_destroy_srq)
RETURNS_ERRNO(ibv_cmd_destroy_wq)
RETURNS_ERRNO(ibv_cmd_detach_mcast)
RETURNS_ERRNO(ibv_cmd_free_dm)
RETURNS_ERRNO(ibv_cmd_get_context)
RETURNS_ERRNO(ibv_cmd_modify_cq)
RETURNS_ERRNO(ibv_cmd_modify_flow_action_esp)
RETURNS_ERRNO(ibv_cmd_modify_qp)
RETURNS_ERRNO(ibv_cmd_modify_qp_ex)
RETURNS_ERRNO(ibv_cmd_modify_srq)
RETURNS_ERRNO(ibv_cmd_modify_wq)
RETURNS_ERRNO(ibv_cmd_open_qp)
RETURNS_ERRNO(ibv_cmd_open_xrcd)
RETURNS_ERRNO(ibv_cmd_poll_cq)
RETURNS_ERRNO(ibv_cmd_post_recv)
RETURNS_ERRNO(ibv_cmd_post_send)
RETURNS_ERRNO(ibv_cmd_post_srq_recv)
RETURNS_ERRNO(ibv_cmd_query_context)
RETURNS_ERRNO(ibv_cmd_query_device_any)
RETURNS_ERRNO(ibv_cmd_query_mr)
RETURNS_ERRNO(ibv_cmd_query_port)
RETURNS_ERRNO(ibv_cmd_query_qp)
RETURNS_ERRNO(ibv_cmd_query_srq)
RETURNS_ERRNO(ibv_cmd_read_counters)
RETURNS_ERRNO(ibv_cmd_reg_dm_mr)
RETURNS_ERRNO(ibv_cmd_reg_dmabuf_mr)
RETURNS_ERRNO(ibv_cmd_reg_mr)
RETURNS_ERRNO(ibv_cmd_req_notify_cq)
RETURNS_ERRNO(ibv_cmd_rereg_mr)
RETURNS_ERRNO(ibv_cmd_resize_cq)
RETURNS_NOTHING(ibv_copy_ah_attr_from_kern)
RETURNS_NOTHING(ibv_copy_path_rec_from_kern)
RETURNS_NOTHING(ibv_copy_path_rec_to_kern)
RETURNS_NOTHING(ibv_copy_qp_attr_from_kern)
RETURNS_NULL_POINTER(ibv_create_ah)
RETURNS_NULL_POINTER(ibv_create_ah_from_wc)
RETURNS_ERRNO(ibv_destroy_ah)
RETURNS_ERRNO(ibv_detach_mcast)
RETURNS_ZERO(ibv_dofork_range)
RETURNS_ZERO(ibv_dontfork_range)
RETURNS_NULL_POINTER(ibv_get_sysfs_path)
RETURNS_NULL_POINTER(ibv_import_device)
RETURNS_NULL_POINTER(ibv_import_dm)
RETURNS_NULL_POINTER(ibv_import_mr)
RETURNS_NULL_POINTER(ibv_import_pd)
RETURNS_ERRNO(ibv_init_ah_from_wc)
RETURNS_ERRNO(ibv_query_ece)
RETURNS_ZERO(ibv_query_qp_data_in_order)
RETURNS_ERRNO(ibv_read_ibdev_sysfs_file)
RETURNS_NULL_POINTER(ibv_reg_dmabuf_mr)
RETURNS_ERRNO(ibv_rereg_mr)
RETURNS_ERRNO(ibv_resolve_eth_l2_from_gid)
RETURNS_ERRNO(ibv_set_ece)
RETURNS_NOTHING(ibv_unimport_dm)
RETURNS_NOTHING(ibv_unimport_mr)
RETURNS_NOTHING(ibv_unimport_pd)
RETURNS_ZERO(__ioctl_final_num_attrs)
RETURNS_NO_SOCKET(raccept)
RETURNS_NO_SOCKET(rbind)
RETURNS_NO_SOCKET(rclose)
RETURNS_NO_SOCKET(rconnect)
RETURNS_MINUS_ONE(rdma_join_multicast)
RETURNS_MINUS_ONE(rdma_join_multicast_ex)
RETURNS_MINUS_ONE(rdma_leave_multicast)
RETURNS_NO_SOCKET(rfcntl)
RETURNS_NO_SOCKET(rgetpeername)
RETURNS_NO_SOCKET(rgetsockname)
RETURNS_NO_SOCKET(rgetsockopt)
RETURNS_NO_SOCKET(riomap)
RETURNS_NO_SOCKET(riounmap)
RETURNS_NO_SOCKET(riowrite)
RETURNS_NO_SOCKET(rlisten)
RETURNS_NO_SOCKET(rpoll)
RETURNS_NO_SOCKET(rread)
RETURNS_NO_SOCKET(rreadv)
RETURNS_NO_SOCKET(rrecv)
RETURNS_NO_SOCKET(rrecvfrom)
RETURNS_NO_SOCKET(rrecvmsg)
RETURNS_NO_SOCKET(rselect)
RETURNS_NO_SOCKET(rsend)
RETURNS_NO_SOCKET(rsendmsg)
RETURNS_NO_SOCKET(rsendto)
RETURNS_NO_SOCKET(rsetsockopt)
RETURNS_NO_SOCKET(rshutdown)
RETURNS_NO_SOCKET(rsocket)
RETURNS_NO_SOCKET(rwrite)
RETURNS_NO_SOCKET(rwritev)
RETURNS_NULL_POINTER(_verbs_init_and_alloc_context)
RETURNS_NOTHING(verbs_init_cq)
RETURNS_NOTHING(__verbs_log)
RETURNS_NULL_POINTER(verbs_open_device)
RETURNS_NOTHING(verbs_register_driver_34)
RETURNS_NOTHING(verbs_set_ops)
RETURNS_NOTHING(verbs_uninit_context)

bool verbs_allow_disassociate_destroy = false;

extern const char* const __start_unmodelled_rows[];
extern const char* const __stop_unmodelled_rows[];

const char* fakenic_unmodelled(size_t index) {
  const auto rows = static_cast<size_t>(__stop_unmodelled_rows - __start_unmodelled_rows);
  return index < rows ? __start_unmodelled_rows[index] : nullptr;
}

}  // extern "C"
