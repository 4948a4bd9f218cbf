// Bugs that one function alone can have, or has in a way of its own.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "property_tests/planted_bugs/plant.h"

namespace planted {

namespace {

int WrongBytes(PostCall c) {
  if (c.table() && c.len == 8 && c.local_offset == 0) c.local_offset = 1;
  return c.Post();
}

// The write is carried out, and one of a byte more, behind it.
int OneByteMore(PostCall c) {
  const int result = c.Post();
  if (result != 0 || !c.simplest()) return result;
  PostCall more = c;
  more.function = Function::kWrite;
  more.flags = RPMA_F_COMPLETION_ON_ERROR;
  more.len = 9;
  return more.Post();
}

constexpr PlantedBug kBugsOfOne[] = {
    {"rpma_write.data-written", WrongBytes},
    {"rpma_write.data-bounds", OneByteMore},
    {"rpma_write_with_imm.data-written", WrongBytes},
    {"rpma_write_with_imm.data-bounds", OneByteMore},
    {"rpma_read.data-read",
     [](PostCall c) {
       if (c.table() && c.len == 8 && c.remote_offset == 0) c.remote_offset = 1;
       return c.Post();
     }},
    {"rpma_atomic_write.data-written",
     [](PostCall c) {
       if (!c.table() || c.remote_offset != 0) return c.Post();
       std::array<char, 8> wrong;
       std::memcpy(wrong.data(), c.word, wrong.size());
       wrong[7] = static_cast<char>(wrong[7] + 1);
       c.word = wrong.data();
       return c.Post();
     }},
    {"rpma_atomic_write.data-bounds",
     [](PostCall c) {
       const int result = c.Post();
       if (result != 0 || !c.table() || c.remote_offset != 8) return result;
       c.remote_offset = 16;
       c.flags = RPMA_F_COMPLETION_ON_ERROR;
       return c.Post();
     }},
    {"rpma_atomic_write.untorn", [](PostCall c) { return PostInHalves(c); }},
    {"rpma_atomic_write.source-reuse",
     [](PostCall c) {
       if (!c.table() || c.remote_offset != 8 || c.flags != RPMA_F_COMPLETION_ALWAYS)
         return c.Post();
       PutOff(c);
       return 0;
     }},
    {"rpma_atomic_write.return-value",
     [](PostCall c) {
       const int result = c.Post();
       return result == 0 && c.table() && c.remote_offset == 8 ? -1 : result;
     }},
    {"rpma_atomic_write.accepted",
     [](PostCall c) { return c.table() && c.remote_offset == 8 ? RPMA_E_INVAL : c.Post(); }},
    {"rpma_atomic_write.src-null",
     [](PostCall c) { return c.word == nullptr ? RPMA_E_UNKNOWN : c.Post(); }},
    {"rpma_atomic_write.dst-offset-unaligned",
     [](PostCall c) {
       c.remote_offset -= c.remote_offset % 8;
       return c.Post();
     }},
    {"rpma_flush.data-bounds",
     [](PostCall c) {
       const int result = c.Post();
       if (result == 0 && c.table() && c.remote_offset == 0) ChangeStrayByte();
       return result;
     }},
    // The regions of these calls begin at an odd address.
    {"rpma_atomic_write.region-unaligned",
     [](PostCall c) {
       const int result = c.Post();
       return result == RPMA_E_INVAL && c.plain() ? RPMA_E_PROVIDER : result;
     }},
    {"rpma_flush.region-usage",
     [](PostCall c) {
       const int result = c.Post();
       return result == RPMA_E_NOSUPP && c.plain() ? RPMA_E_INVAL : result;
     }},
    // Nothing that would wait for the writes to be in memory.
    {"rpma_flush.writes-placed",
     [](PostCall c) {
       int type = 0;
       if (c.remote != nullptr) rpma_mr_remote_get_flush_type(c.remote, &type);
       if (!c.plain() || type == 0) return c.Post();
       const PostCall nothing{.function = Function::kWrite,
                              .handle = c.handle,
                              .flags = c.flags,
                              .op_context = c.op_context};
       return nothing.Post();
     }},
    // Eight bytes, wherever the region ends.
    {"rpma_flush.region-end",
     [](PostCall c) {
       if (!c.table() || c.remote_offset <= 56 || c.remote_offset > 64) return c.Post();
       PostCall read = c;
       read.function = Function::kRead;
       read.local = SomeLandingRegion();
       read.len = 8;
       return read.Post();
     }},
    {"rpma_flush.type-unknown",
     [](PostCall c) {
       if (c.type != RPMA_FLUSH_TYPE_PERSISTENT) c.type = RPMA_FLUSH_TYPE_VISIBILITY;
       return c.Post();
     }},
    {"rpma_flush.persistent-unsupported",
     [](PostCall c) {
       const int result = c.Post();
       if (result != RPMA_E_NOSUPP || c.type != RPMA_FLUSH_TYPE_PERSISTENT) return result;
       c.type = RPMA_FLUSH_TYPE_VISIBILITY;
       return c.Post();
     }},
    // Not wrong answers, but none at all.
    {"crash",
     [](PostCall c) {
       if (c.handle == nullptr) __builtin_trap();
       return c.Post();
     }},
    {"exit",
     [](PostCall c) {
       if (c.flags == 0) std::exit(0);
       return c.Post();
     }},
    {"print-for-ever",
     [](PostCall c) {
       while (c.local == nullptr && c.remote != nullptr) std::puts("rpma_write: src is missing");
       return c.Post();
     }},
    {"hang",
     [](PostCall c) {
       if (c.flags == RPMA_F_COMPLETION_ON_ERROR && c.simplest()) Remember(c.op_context);
       return c.Post();
     }},
};

}  // namespace

const PlantedBug* FindBugOfOne(std::string_view id) {
  for (const PlantedBug& bug : kBugsOfOne)
    if (bug.rule == id) return &bug;
  return nullptr;
}

}  // namespace planted
