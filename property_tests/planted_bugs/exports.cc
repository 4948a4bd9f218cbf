// The functions that post, as the planted library exports them.
#include <cstring>

#include "property_tests/planted_bugs/plant.h"

using planted::Answer;
using planted::Function;

#define EXPORT extern "C" __attribute__((visibility("default"))) int

EXPORT rpma_write(rpma_conn* conn, rpma_mr_remote* dst, size_t dst_offset, const rpma_mr_local* src,
                  size_t src_offset, size_t len, int flags, const void* op_context) {
  return Answer({.function = Function::kWrite,
                 .handle = conn,
                 .remote = dst,
                 .remote_offset = dst_offset,
                 .local = src,
                 .local_offset = src_offset,
                 .len = len,
                 .flags = flags,
                 .op_context = op_context});
}

EXPORT rpma_atomic_write(rpma_conn* conn, rpma_mr_remote* dst, size_t dst_offset, const char src[8],
                         int flags, const void* op_context) {
  return Answer({.function = Function::kAtomicWrite,
                 .handle = conn,
                 .remote = dst,
                 .remote_offset = dst_offset,
                 .word = src,
                 .flags = flags,
                 .op_context = op_context});
}

EXPORT rpma_read(rpma_conn* conn, rpma_mr_local* dst, size_t dst_offset, const rpma_mr_remote* src,
                 size_t src_offset, size_t len, int flags, const void* op_context) {
  return Answer({.function = Function::kRead,
                 .handle = conn,
                 .remote = const_cast<rpma_mr_remote*>(src),
                 .remote_offset = src_offset,
                 .local = dst,
                 .local_offset = dst_offset,
                 .len = len,
                 .flags = flags,
                 .op_context = op_context});
}

EXPORT rpma_write_with_imm(rpma_conn* conn, rpma_mr_remote* dst, size_t dst_offset,
                           const rpma_mr_local* src, size_t src_offset, size_t len, int flags,
                           uint32_t imm, const void* op_context) {
  return Answer({.function = Function::kWriteImm,
                 .handle = conn,
                 .remote = dst,
                 .remote_offset = dst_offset,
                 .local = src,
                 .local_offset = src_offset,
                 .len = len,
                 .flags = flags,
                 .op_context = op_context,
                 .imm = imm});
}

EXPORT rpma_send(rpma_conn* conn, const rpma_mr_local* src, size_t offset, size_t len, int flags,
                 const void* op_context) {
  return Answer({.function = Function::kSend,
                 .handle = conn,
                 .local = src,
                 .local_offset = offset,
                 .len = len,
                 .flags = flags,
                 .op_context = op_context});
}

EXPORT rpma_send_with_imm(rpma_conn* conn, const rpma_mr_local* src, size_t offset, size_t len,
                          int flags, uint32_t imm, const void* op_context) {
  return Answer({.function = Function::kSendImm,
                 .handle = conn,
                 .local = src,
                 .local_offset = offset,
                 .len = len,
                 .flags = flags,
                 .op_context = op_context,
                 .imm = imm});
}

EXPORT rpma_flush(rpma_conn* conn, rpma_mr_remote* dst, size_t dst_offset, size_t len,
                  rpma_flush_type type, int flags, const void* op_context) {
  int value;  // which a C++ program may not read as the type when it is none of its values
  std::memcpy(&value, &type, sizeof value);
  return Answer({.function = Function::kFlush,
                 .handle = conn,
                 .remote = dst,
                 .remote_offset = dst_offset,
                 .len = len,
                 .flags = flags,
                 .op_context = op_context,
                 .type = value});
}

EXPORT rpma_recv(rpma_conn* conn, rpma_mr_local* dst, size_t offset, size_t len,
                 const void* op_context) {
  return Answer({.function = Function::kRecv,
                 .handle = conn,
                 .local = dst,
                 .local_offset = offset,
                 .len = len,
                 .op_context = op_context});
}

EXPORT rpma_srq_recv(rpma_srq* srq, rpma_mr_local* dst, size_t offset, size_t len,
                     const void* op_context) {
  return Answer({.function = Function::kSrqRecv,
                 .handle = srq,
                 .local = dst,
                 .local_offset = offset,
                 .len = len,
                 .op_context = op_context});
}

EXPORT rpma_conn_req_recv(rpma_conn_req* req, rpma_mr_local* dst, size_t offset, size_t len,
                          const void* op_context) {
  return Answer({.function = Function::kReqRecv,
                 .handle = req,
                 .local = dst,
                 .local_offset = offset,
                 .len = len,
                 .op_context = op_context});
}
