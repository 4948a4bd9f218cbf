// The checks of rpma_flush(3), beside spec/rpma_flush.h.
#include "spec/rpma_flush.h"

#include "property_tests/argument_classes.h"
#include "property_tests/page_checks.h"

namespace conformance::rpma_flush {

std::vector<Product> Products(std::uint64_t seed) {
  constexpr StepKind kKind = StepKind::kFlush;
  return {
      // every combination of the classes that ERRORS and DESCRIPTION tell apart
      {.kind = kKind,
       .handle = kConnOrNull,
       .remote = kRemoteOrNull,
       .remote_offset = {0, 1, 8, kSize - 8, kSize - 7, kSize - 1, kSize, kSize + 1, kMax},
       .len = {8, 0, 1, kSize - 1, kSize, kSize + 1, k4GiB, k4GiB + 1, kMax},
       .flags = kFlagClasses,
       .type = {1, 0, 2, -1, INT_MAX, INT_MIN},
       .direct_write = {false, true}},
      // every flag bit
      {.kind = kKind,
       .handle = kConnOrNull,
       .flags = EveryFlagBit(),
       .ctx = kContexts,
       .type = {1, 0}},
      // every kind of context
      {.kind = kKind,
       .remote_offset = {0, 8},
       .flags = kBothFlags,
       .ctx = kManyContexts,
       .type = {1, 0},
       .direct_write = {true}},
      // every kind of region
      {.kind = kKind,
       .remote = {Remote::kStale, Remote::kForeign, Remote::kNoWrite, Remote::kNoRead,
                  Remote::kOdd},
       .remote_offset = {0, 8, kSize - 4, kSize},
       .len = {8, 4, 0, kSize},
       .flags = kBothFlags,
       .ctx = {0x9},
       .type = {1, 0},
       .direct_write = {true}},
      // values between the classes
      {.kind = kKind,
       .remote_offset = Between(kSize, 8, seed),
       .len = Between(kSize, 8, seed + 1),
       .flags = kBothFlags,
       .ctx = Between(kMax, 2, seed + 2)},
      {.kind = kKind,
       .remote_offset = Between(kMax, 4, seed + 3),
       .len = Between(kMax, 4, seed + 4),
       .flags = kBothFlags},
  };
}

constexpr const char* kSequences[] = {
    "fault ENOMEM; flush ctx=0x7",
    "fault EINVAL; flush flags=ON_ERROR ctx=0x7",
    "fault EIO; flush ctx=0x7; flush dst=D+8 ctx=0x8",
    "write flags=ON_ERROR ctx=0x1; flush ctx=0x2; poll",
    "write flags=ON_ERROR ctx=0x1; flush type=PERSISTENT peer=direct ctx=0x2; poll; write ctx=0x3; "
    "flush type=PERSISTENT ctx=0x4; poll 2",
    "write len=64 ctx=0x1; flush dst=D+0 len=64 flags=ON_ERROR ctx=0x2; atomic_write dst=D+8 "
    "src=0x1122334455667788 flags=ON_ERROR ctx=0x3; flush dst=D+8 len=8 ctx=0x4; poll 4",
    "server.write dst=D+8 ctx=0x5; server.flush dst=D+8 ctx=0x6; flush ctx=0x7; server.poll 2; "
    "poll",
    "sq=2; flush ctx=0x1; flush ctx=0x2; flush ctx=0x3; flush ctx=0x4; flush ctx=0x5; poll 8; "
    "flush ctx=0x6",
    "sq=4 schedule=manual; flush ctx=0x1; flush ctx=0x2; flush ctx=0x3; flush ctx=0x4; flush "
    "ctx=0x5; run; poll 8",
    // the write is acknowledged long before it is in memory
    "schedule=manual; write len=64 flags=ON_ERROR ctx=0x1; flush ctx=0x2; step 1; step 1; step 1; "
    "step 1; step 1; step 1; step 1; step 1; poll; step 1; step 1; step 1; poll; run; poll",
    "schedule=manual; write len=64 flags=ON_ERROR ctx=0x1; flush ctx=0x2; step; step; step 8; step "
    "8; step 8; step 8; step 8; step 8; poll; run; poll",
    "schedule=manual; write len=64 flags=ON_ERROR ctx=0x1; flush ctx=0x2; step; step; step 1; step "
    "1; step 1; step 1; step 1; step 1; poll; run; poll",
    "schedule=manual; write dst=D+8 flags=ON_ERROR ctx=0x1; write dst=D+16 flags=ON_ERROR ctx=0x2; "
    "flush len=64 ctx=0x3; step 2; step 2; step 2; step 2; step 1; step 2; step 1; step 2; poll; "
    "run; poll",
    // close to the end of a region, and regions below 8 bytes
    "flush dst=D+63 len=1 ctx=0x1; poll; flush dst=D+57 len=7 type=PERSISTENT peer=direct ctx=0x2; "
    "poll",
    "region=1; flush len=1 ctx=0x1; poll; write dst=D+0 len=1 flags=ON_ERROR ctx=0x2; flush len=1 "
    "ctx=0x3; poll",
    "region=7; write dst=D+6 len=1 flags=ON_ERROR ctx=0x1; flush dst=D+6 len=1 flags=ON_ERROR "
    "ctx=0x2",
    "write dst=D+60 len=8 flags=ON_ERROR ctx=0x11; flush ctx=0x12; flush flags=ON_ERROR ctx=0x3; "
    "poll 4",
    "flush ctx=0x1; server.dereg D; flush ctx=0x2; poll 2",
    "flush ctx=0x1; wait; poll; flush ctx=0x2; wait; poll",
    "region=10000; write len=10000 flags=ON_ERROR ctx=0x1; flush len=10000 ctx=0x2; poll",
    // slow operations first, so that a real NIC has not made room before the next is posted
    "sq=1 region=10000; write len=10000 ctx=0x1; write len=10000 ctx=0x2; write len=10000 ctx=0x3; "
    "write len=10000 ctx=0x4; flush ctx=0x5; flush ctx=0x6; flush ctx=0x7; flush ctx=0x8; flush "
    "ctx=0x9; poll 16",
};

const PageChecks kChecks{&spec::rpma_flush::kPage, Config(), Products, kSequences,
                         StepKind::kFlush};

}  // namespace conformance::rpma_flush
