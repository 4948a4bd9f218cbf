// The bugs of rpma_write, one per rule that must hold.
#include <cstdio>
#include <cstdlib>

#include "property_tests/planted_bugs/plant.h"

namespace planted {

namespace {

struct WriteBug {
  std::string_view rule;
  int (*call)(WriteCall c);
};

int Refusing(const WriteCall& c, int result, void (*then)(const WriteCall&)) {
  if (result == RPMA_E_INVAL && c.conn != nullptr) then(c);
  return result;
}

constexpr WriteBug kBugs[] = {
    {"rpma_write.data-written",
     [](WriteCall c) {
       if (c.table() && c.len == 8 && c.src_offset == 0) c.src_offset = 1;
       return c.Post();
     }},
    {"rpma_write.data-bounds",
     [](WriteCall c) {
       if (c.table() && c.len == 8 && c.dst_offset == 0 && c.src_offset == 0) c.len = 9;
       return c.Post();
     }},
    {"rpma_write.length-whole",
     [](WriteCall c) {
       if (c.plain()) c.len = static_cast<std::uint32_t>(c.len);
       return c.Post();
     }},
    {"rpma_write.zero-byte",
     [](WriteCall c) {
       const bool zero_byte =
           c.dst == nullptr && c.src == nullptr && c.dst_offset + c.src_offset + c.len == 0;
       return zero_byte ? RPMA_E_INVAL : c.Post();
     }},
    {"rpma_write.on-error-silent",
     [](WriteCall c) {
       if (c.flags == RPMA_F_COMPLETION_ON_ERROR) c.flags = RPMA_F_COMPLETION_ALWAYS;
       return c.Post();
     }},
    {"rpma_write.on-error-reports",
     [](WriteCall c) {
       if (c.flags == RPMA_F_COMPLETION_ON_ERROR) Remember(c.op_context);
       return c.Post();
     }},
    {"rpma_write.always-success",
     [](WriteCall c) {
       if (c.flags == RPMA_F_COMPLETION_ALWAYS) c.flags = RPMA_F_COMPLETION_ON_ERROR;
       return c.Post();
     }},
    {"rpma_write.always-failure",
     [](WriteCall c) {
       if (c.flags == RPMA_F_COMPLETION_ALWAYS) Remember(c.op_context);
       return c.Post();
     }},
    {"rpma_write.op-context",
     [](WriteCall c) {
       c.op_context = Cut(c.op_context);
       return c.Post();
     }},
    {"rpma_write.return-value",
     [](WriteCall c) {
       const int result = c.Post();
       return result == 0 && c.table() && c.src_offset == 1 ? 1 : result;
     }},
    {"rpma_write.accepted",
     [](WriteCall c) {
       return c.plain() && c.src_offset == 8 && c.len == 8 ? RPMA_E_INVAL : c.Post();
     }},
    {"rpma_write.refused-no-effect",
     [](WriteCall c) {
       return Refusing(c, c.Post(), [](const WriteCall& refused) {
         WriteCall{refused.conn,      nullptr, 0, nullptr, 0, 0, RPMA_F_COMPLETION_ON_ERROR,
                   refused.op_context}
             .Post();
       });
     }},
    {"rpma_write.usable-after-refusal",
     [](WriteCall c) {
       return Refusing(c, c.Post(),
                       [](const WriteCall& refused) { rpma_conn_disconnect(refused.conn); });
     }},
    {"rpma_write.queue-depth",
     [](WriteCall c) {
       if (c.plain() && TooManyOutstanding(c.conn)) return RPMA_E_PROVIDER;
       return CountPosted(c.conn, c.Post());
     }},
    {"rpma_write.conn-null", [](WriteCall c) { return c.conn == nullptr ? 0 : c.Post(); }},
    {"rpma_write.flags-zero",
     [](WriteCall c) {
       if (c.flags == 0) c.flags = RPMA_F_COMPLETION_ON_ERROR;
       return c.Post();
     }},
    {"rpma_write.dst-null",
     [](WriteCall c) { return c.dst == nullptr && c.src != nullptr ? 0 : c.Post(); }},
    {"rpma_write.src-null",
     [](WriteCall c) { return c.src == nullptr && c.dst != nullptr ? RPMA_E_NOMEM : c.Post(); }},
    {"rpma_write.post-failed",
     [](WriteCall c) {
       const int result = c.Post();
       return result == RPMA_E_PROVIDER ? RPMA_E_INVAL : result;
     }},
    // Not wrong answers, but none at all.
    {"crash",
     [](WriteCall c) {
       if (c.conn == nullptr) std::abort();
       return c.Post();
     }},
    {"exit",
     [](WriteCall c) {
       if (c.flags == 0) std::exit(0);
       return c.Post();
     }},
    {"print-for-ever",
     [](WriteCall c) {
       while (c.src == nullptr && c.dst != nullptr) std::puts("rpma_write: src is missing");
       return c.Post();
     }},
    {"hang",
     [](WriteCall c) {
       const bool simplest = c.dst_offset == 0 && c.src_offset == 0 && c.len == 8;
       if (c.flags == RPMA_F_COMPLETION_ON_ERROR && c.table() && simplest) Remember(c.op_context);
       return c.Post();
     }},
};

}  // namespace

}  // namespace planted

extern "C" __attribute__((visibility("default"))) int rpma_write(
    rpma_conn* conn, rpma_mr_remote* dst, size_t dst_offset, const rpma_mr_local* src,
    size_t src_offset, size_t len, int flags, const void* op_context) {
  using namespace planted;
  CatchUp();
  Forget(op_context);
  const WriteCall call{conn, dst, dst_offset, src, src_offset, len, flags, op_context};
  if (op_context == reinterpret_cast<const void*>(kMarkerContext)) return call.Post();
  for (const WriteBug& bug : kBugs)
    if (bug.rule == Bug()) return bug.call(call);
  return call.Post();
}
