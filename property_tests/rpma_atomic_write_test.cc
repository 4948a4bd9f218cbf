// The checks of rpma_atomic_write(3), beside spec/rpma_atomic_write.h.
#include "spec/rpma_atomic_write.h"

#include "property_tests/argument_classes.h"
#include "property_tests/page_checks.h"

namespace conformance::rpma_atomic_write {

std::vector<Product> Products(std::uint64_t seed) {
  constexpr StepKind kKind = StepKind::kAtomicWrite;
  std::vector<std::uint64_t> inside;
  for (std::uint64_t offset = 0; offset + 8 <= kSize; offset += 8) inside.push_back(offset);
  return {
      // every combination of the classes that ERRORS tells apart, with every flag bit
      {.kind = kKind,
       .handle = kConnOrNull,
       .remote = kRemoteOrNull,
       .remote_offset = {0, 1, 2, 3, 4, 5, 6, 7, 8, kSize - 9, kSize - 8, kSize - 1, kSize,
                         kSize + 1, kSize + 8, kMax - 7, kMax},
       .local = kLocalOrNull,
       .flags = EveryFlagBit(),
       .ctx = kContexts},
      // every word of the region, with every kind of context
      {.kind = kKind, .remote_offset = inside, .flags = kBothFlags, .ctx = kManyContexts},
      // every kind of region
      {.kind = kKind,
       .remote = {Remote::kStale, Remote::kForeign, Remote::kNoWrite, Remote::kOdd},
       .remote_offset = {0, 8, kSize},
       .flags = kBothFlags,
       .ctx = {0x9}},
      // values between the classes
      {.kind = kKind,
       .remote_offset = Between(kMax, 32, seed),
       .local = kLocalOrNull,
       .flags = kFlagClasses,
       .ctx = Between(kMax, 2, seed + 1)},
  };
}

constexpr const char* kSequences[] = {
    "fault ENOMEM; atomic_write ctx=0x7",
    "fault EINVAL; atomic_write flags=ON_ERROR ctx=0x7",
    "fault EIO; atomic_write ctx=0x7; atomic_write dst=D+8 ctx=0x8",
    "atomic_write dst=D+8 src=0x1122334455667788 ctx=0x1; poll; poll",
    "atomic_write flags=ON_ERROR ctx=0x1; atomic_write dst=D+8 flags=ALWAYS ctx=0x2; poll 4; "
    "atomic_write dst=D+16 "
    "flags=ON_ERROR ctx=0x3",
    "server.atomic_write dst=D+8 ctx=0x5; atomic_write dst=D+8 ctx=0x6; server.poll; poll",
    "sq=2; atomic_write ctx=0x1; atomic_write ctx=0x2; atomic_write ctx=0x3; atomic_write ctx=0x4; "
    "atomic_write "
    "ctx=0x5; poll 8; atomic_write ctx=0x6",
    "sq=4 schedule=manual; atomic_write ctx=0x1; atomic_write ctx=0x2; atomic_write ctx=0x3; "
    "atomic_write ctx=0x4; "
    "atomic_write ctx=0x5; run; poll 8",
    "schedule=manual; atomic_write src=0x1111111111111111 ctx=0x1; step; step; step; step; run; "
    "poll",
    "schedule=manual; atomic_write src=0x1111111111111111 ctx=0x1; atomic_write "
    "src=0x2222222222222222 ctx=0x2; step; "
    "step 1; step; step 1; run; poll 2",
    "schedule=manual; write dst=D+8 src=S+0 len=8 ctx=0x1; atomic_write dst=D+16 "
    "src=0x1122334455667788 "
    "flags=ON_ERROR ctx=0x2; step; step; step; run",
    "schedule=manual; atomic_write dst=D+64 flags=ON_ERROR ctx=0x11; atomic_write ctx=0x12; run",
    "atomic_write dst=D+64 flags=ON_ERROR ctx=0x11; atomic_write ctx=0x12; atomic_write "
    "flags=ON_ERROR ctx=0x3; poll 4",
    "atomic_write dst=D+64 flags=ALWAYS ctx=0x11; poll; atomic_write ctx=0x12",
    "atomic_write dst=D+0 ctx=0x11; server.dereg D; atomic_write dst=D+0 ctx=0x12; poll 2",
    "atomic_write ctx=0x1; wait; poll; atomic_write ctx=0x2; wait; poll",
    "alternate 64 dst=D+16",
    // slow operations first, so that a real NIC has not made room before the next is posted
    "sq=1 region=10000; write len=10000 ctx=0x1; write len=10000 ctx=0x2; write len=10000 ctx=0x3; "
    "write len=10000 ctx=0x4; "
    "atomic_write ctx=0x5; atomic_write ctx=0x6; atomic_write ctx=0x7; atomic_write ctx=0x8; "
    "atomic_write ctx=0x9; atomic_write ctx=0xa; atomic_write ctx=0xb; atomic_write ctx=0xc; poll "
    "16",
};

const PageChecks kChecks{&spec::rpma_atomic_write::kPage, Config(), Products, kSequences,
                         StepKind::kAtomicWrite};

}  // namespace conformance::rpma_atomic_write
