// The two ways of an atomic write. A QP has one of them from its creation on.
#pragma once

#include <librpma.h>

namespace rpma {

// Posts the write of arguments that rpma_atomic_write() has found right; its result.
using AtomicWrite = int(const rpma_conn* conn, const rpma_mr_remote* dst, size_t dst_offset,
                        const char* src, int flags, const void* op_context) noexcept;

// As an inline write: the device fetches nothing, and places an aligned 8 bytes in one piece.
AtomicWrite WriteInline;

// By the QP itself, which is an ibv_qp_ex that can.
AtomicWrite WriteNatively;

}  // namespace rpma
