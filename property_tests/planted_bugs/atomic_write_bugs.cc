// The bugs of rpma_atomic_write, one per rule that must hold.
#include <array>
#include <cstring>

#include "property_tests/planted_bugs/plant.h"

namespace planted {

namespace {

struct AtomicWriteBug {
  std::string_view rule;
  int (*call)(AtomicWriteCall c);
};

int Refusing(const AtomicWriteCall& c, int result, void (*then)(const AtomicWriteCall&)) {
  if (result == RPMA_E_INVAL && c.conn != nullptr) then(c);
  return result;
}

constexpr AtomicWriteBug kBugs[] = {
    {"rpma_atomic_write.data-written",
     [](AtomicWriteCall c) {
       if (!c.table() || c.dst_offset != 0) return c.Post();
       std::array<char, 8> wrong;
       std::memcpy(wrong.data(), c.src, wrong.size());
       wrong[7] = static_cast<char>(wrong[7] + 1);
       c.src = wrong.data();
       return c.Post();
     }},
    {"rpma_atomic_write.data-bounds",
     [](AtomicWriteCall c) {
       const int result = c.Post();
       if (result != 0 || !c.table() || c.dst_offset != 8) return result;
       c.dst_offset = 16;
       c.flags = RPMA_F_COMPLETION_ON_ERROR;
       return c.Post();
     }},
    {"rpma_atomic_write.untorn", [](AtomicWriteCall c) { return PostInHalves(c); }},
    {"rpma_atomic_write.source-reuse",
     [](AtomicWriteCall c) {
       if (!c.table() || c.dst_offset != 8 || c.flags != RPMA_F_COMPLETION_ALWAYS) return c.Post();
       PutOff(c);
       return 0;
     }},
    {"rpma_atomic_write.on-error-silent",
     [](AtomicWriteCall c) {
       if (c.flags == RPMA_F_COMPLETION_ON_ERROR) c.flags = RPMA_F_COMPLETION_ALWAYS;
       return c.Post();
     }},
    {"rpma_atomic_write.on-error-reports",
     [](AtomicWriteCall c) {
       if (c.flags == RPMA_F_COMPLETION_ON_ERROR) Remember(c.op_context);
       return c.Post();
     }},
    {"rpma_atomic_write.always-success",
     [](AtomicWriteCall c) {
       if (c.flags == RPMA_F_COMPLETION_ALWAYS) c.flags = RPMA_F_COMPLETION_ON_ERROR;
       return c.Post();
     }},
    {"rpma_atomic_write.always-failure",
     [](AtomicWriteCall c) {
       if (c.flags == RPMA_F_COMPLETION_ALWAYS) Remember(c.op_context);
       return c.Post();
     }},
    {"rpma_atomic_write.op-context",
     [](AtomicWriteCall c) {
       c.op_context = Cut(c.op_context);
       return c.Post();
     }},
    {"rpma_atomic_write.return-value",
     [](AtomicWriteCall c) {
       const int result = c.Post();
       return result == 0 && c.table() && c.dst_offset == 8 ? -1 : result;
     }},
    {"rpma_atomic_write.accepted",
     [](AtomicWriteCall c) { return c.plain() && c.dst_offset == 8 ? RPMA_E_INVAL : c.Post(); }},
    {"rpma_atomic_write.refused-no-effect",
     [](AtomicWriteCall c) {
       return Refusing(c, c.Post(), [](const AtomicWriteCall& refused) {
         WriteCall{refused.conn,      nullptr, 0, nullptr, 0, 0, RPMA_F_COMPLETION_ON_ERROR,
                   refused.op_context}
             .Post();
       });
     }},
    {"rpma_atomic_write.usable-after-refusal",
     [](AtomicWriteCall c) {
       return Refusing(c, c.Post(),
                       [](const AtomicWriteCall& refused) { rpma_conn_disconnect(refused.conn); });
     }},
    {"rpma_atomic_write.queue-depth",
     [](AtomicWriteCall c) {
       if (c.plain() && TooManyOutstanding(c.conn)) return RPMA_E_PROVIDER;
       return CountPosted(c.conn, c.Post());
     }},
    {"rpma_atomic_write.conn-null",
     [](AtomicWriteCall c) { return c.conn == nullptr ? 0 : c.Post(); }},
    {"rpma_atomic_write.dst-null",
     [](AtomicWriteCall c) { return c.dst == nullptr ? 0 : c.Post(); }},
    {"rpma_atomic_write.src-null",
     [](AtomicWriteCall c) { return c.src == nullptr ? RPMA_E_UNKNOWN : c.Post(); }},
    {"rpma_atomic_write.dst-offset-unaligned",
     [](AtomicWriteCall c) {
       c.dst_offset -= c.dst_offset % 8;
       return c.Post();
     }},
    {"rpma_atomic_write.flags-zero",
     [](AtomicWriteCall c) {
       if (c.flags == 0) c.flags = RPMA_F_COMPLETION_ALWAYS;
       return c.Post();
     }},
    {"rpma_atomic_write.post-failed",
     [](AtomicWriteCall c) {
       const int result = c.Post();
       return result == RPMA_E_PROVIDER ? RPMA_E_NOMEM : result;
     }},
};

}  // namespace

}  // namespace planted

extern "C" __attribute__((visibility("default"))) int rpma_atomic_write(
    rpma_conn* conn, rpma_mr_remote* dst, size_t dst_offset, const char src[8], int flags,
    const void* op_context) {
  using namespace planted;
  CatchUp();
  Forget(op_context);
  const AtomicWriteCall call{conn, dst, dst_offset, src, flags, op_context};
  for (const AtomicWriteBug& bug : kBugs)
    if (bug.rule == Bug()) return bug.call(call);
  return call.Post();
}
