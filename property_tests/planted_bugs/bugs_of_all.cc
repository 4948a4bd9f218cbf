// Bugs that are alike for all functions that post, by what stands in the rule's id behind the
// function.
#include "property_tests/planted_bugs/plant.h"

namespace planted {

namespace {

bool RefusedWithHandle(const PostCall& c, int result) {
  return result == RPMA_E_INVAL && c.handle != nullptr;
}

// A request of no bytes, without a completion where there is a choice.
int PostNothing(const PostCall& c) {
  PostCall nothing{.function = c.receives() ? c.function : Function::kWrite, .handle = c.handle};
  nothing.flags = RPMA_F_COMPLETION_ON_ERROR;
  nothing.op_context = c.op_context;
  return nothing.Post();
}

int Missing(const PostCall& c, bool missing) { return missing && !c.zero_byte() ? 0 : c.Post(); }

int WithoutHandle(PostCall c) { return c.handle == nullptr ? 0 : c.Post(); }

int RememberIf(const PostCall& c, int flags) {
  if (c.flags == flags) Remember(c.op_context);
  return c.Post();
}

constexpr PlantedBug kBugsOfAll[] = {
    {"length-whole",
     [](PostCall c) {
       if (c.plain()) c.len = static_cast<std::uint32_t>(c.len);
       return c.Post();
     }},
    {"zero-byte", [](PostCall c) { return c.zero_byte() ? RPMA_E_INVAL : c.Post(); }},
    {"data-bounds",
     [](PostCall c) {
       const int result = c.Post();
       if (result == 0 && c.simplest()) ChangeStrayByte();
       return result;
     }},
    {"data-sent",
     [](PostCall c) {
       if (c.table() && c.len == 8 && c.local_offset == 0) c.local_offset = 1;
       return c.Post();
     }},
    {"data-placed",
     [](PostCall c) {
       if (c.simplest()) c.local_offset = 8;
       return c.Post();
     }},
    {"receive-completed",
     [](PostCall c) {
       if (c.simplest()) c.len = 7;
       return c.Post();
     }},
    {"imm-delivered",
     [](PostCall c) {
       if (c.table()) c.imm = __builtin_bswap32(c.imm);
       return c.Post();
     }},
    {"completed",
     [](PostCall c) {
       if (c.simplest()) Remember(c.op_context);
       return c.Post();
     }},
    {"message-order",
     [](PostCall c) {
       Remember(c.op_context);
       return c.Post();
     }},
    {"completion-order",
     [](PostCall c) {
       Remember(c.op_context);
       return c.Post();
     }},
    {"failure-reports",
     [](PostCall c) {
       Remember(c.op_context);
       return c.Post();
     }},
    {"on-error-silent",
     [](PostCall c) {
       if (c.flags == RPMA_F_COMPLETION_ON_ERROR) c.flags = RPMA_F_COMPLETION_ALWAYS;
       return c.Post();
     }},
    {"on-error-reports", [](PostCall c) { return RememberIf(c, RPMA_F_COMPLETION_ON_ERROR); }},
    {"always-success",
     [](PostCall c) {
       if (c.table() && c.flags == RPMA_F_COMPLETION_ALWAYS) c.flags = RPMA_F_COMPLETION_ON_ERROR;
       return c.Post();
     }},
    {"always-failure", [](PostCall c) { return RememberIf(c, RPMA_F_COMPLETION_ALWAYS); }},
    {"op-context",
     [](PostCall c) {
       c.op_context = Cut(c.op_context);
       return c.Post();
     }},
    {"return-value",
     [](PostCall c) {
       const int result = c.Post();
       const size_t offset = c.has_local() ? c.local_offset : c.remote_offset;
       return result == 0 && c.table() && offset == 1 ? 1 : result;
     }},
    {"accepted",
     [](PostCall c) {
       const size_t offset = c.has_local() ? c.local_offset : c.remote_offset;
       return c.table() && offset == 8 && c.len == 8 ? RPMA_E_INVAL : c.Post();
     }},
    {"refused-no-effect",
     [](PostCall c) {
       const int result = c.Post();
       if (RefusedWithHandle(c, result)) PostNothing(c);
       return result;
     }},
    {"usable-after-refusal",
     [](PostCall c) {
       const int result = c.Post();
       if (!RefusedWithHandle(c, result)) return result;
       if (c.function == Function::kSrqRecv)
         BreakNextReceive();
       else if (c.function == Function::kReqRecv)
         BreakNextConnection();
       else
         rpma_conn_disconnect(c.conn());
       return result;
     }},
    {"queue-depth",
     [](PostCall c) {
       if (c.plain() && TooManyOutstanding(c.handle)) return RPMA_E_PROVIDER;
       return CountPosted(c.handle, c.Post());
     }},
    {"conn-null", WithoutHandle},
    {"srq-null", WithoutHandle},
    {"req-null", WithoutHandle},
    {"flags-zero",
     [](PostCall c) {
       if (c.flags == 0) c.flags = RPMA_F_COMPLETION_ON_ERROR;
       return c.Post();
     }},
    {"dst-null",
     [](PostCall c) {
       const bool local = c.receives() || c.function == Function::kRead;
       return Missing(c, local ? c.local == nullptr : c.remote == nullptr);
     }},
    {"src-null",
     [](PostCall c) {
       const bool remote = c.function == Function::kRead;
       return Missing(c, remote ? c.remote == nullptr : c.local == nullptr);
     }},
    {"post-failed",
     [](PostCall c) {
       const int result = c.Post();
       return result == RPMA_E_PROVIDER ? RPMA_E_INVAL : result;
     }},
};

}  // namespace

const PlantedBug* FindBugOfAll(std::string_view words) {
  for (const PlantedBug& bug : kBugsOfAll)
    if (bug.rule == words) return &bug;
  return nullptr;
}

}  // namespace planted
