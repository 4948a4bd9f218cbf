#include <algorithm>

#include "conn.h"
#include "enum_value.h"
#include "mr_remote.h"
#include "post_send.h"

namespace rpma {
namespace {

[[gnu::cold, gnu::noinline]] int NotSupported(const char* why) noexcept {
  Log{RPMA_LOG_LEVEL_ERROR}("%s", why);
  return RPMA_E_NOSUPP;
}

// Whether a flush of this type can be had: 0, RPMA_E_NOSUPP or, for no type, RPMA_E_INVAL.
int CheckType(const rpma_conn& conn, const rpma_mr_remote& dst, int type) noexcept {
  int usage = RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY;
  if (type == RPMA_FLUSH_TYPE_PERSISTENT) {
    if (!conn.remote_has_direct_write_to_pmem.load(std::memory_order_relaxed)) {
      return NotSupported("flush: the other side has no direct write to pmem");
    }
    usage = RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT;
  } else if (type != RPMA_FLUSH_TYPE_VISIBILITY) {
    return RPMA_E_INVAL;
  }
  if ((dst.usage & usage) == 0) return NotSupported("flush: the mr has no usage of this type");
  return 0;
}

}  // namespace
}  // namespace rpma

int rpma_flush(struct rpma_conn* conn, struct rpma_mr_remote* dst, size_t dst_offset,
               size_t /*len*/, enum rpma_flush_type type, int flags, const void* op_context) {
  if (conn == nullptr || dst == nullptr || flags == 0) return RPMA_E_INVAL;
  const int code = rpma::CheckType(*conn, *dst, rpma::EnumValue(type));
  if (code != 0) [[unlikely]] {
    return code;
  }

  // A read pushes the writes before it ahead of itself, whichever bytes of the region it reads:
  // near the region's end those before dst_offset. A flush outside the region reads, and fails,
  // there.
  ibv_sge sge = {.addr = conn->flush_buffer.addr(),
                 .length = rpma::kFlushSize,
                 .lkey = conn->flush_buffer.lkey()};
  uint64_t offset = dst_offset;
  if (offset <= dst->size && dst->size != 0) {
    sge.length = static_cast<uint32_t>(std::min<uint64_t>(dst->size, rpma::kFlushSize));
    offset = std::min<uint64_t>(offset, dst->size - sge.length);
  }
  ibv_send_wr wr;  // only what post_send reads of a read is set
  wr.sg_list = &sge;
  wr.num_sge = 1;
  wr.wr.rdma.remote_addr = dst->addr + offset;
  wr.wr.rdma.rkey = dst->rkey;
  return rpma::PostSend(conn->qp, &wr, IBV_WR_RDMA_READ, rpma::SignaledFlag(flags), op_context);
}
