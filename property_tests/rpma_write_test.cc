// The checks of rpma_write(3), beside spec/rpma_write.h.
#include "spec/rpma_write.h"

#include "property_tests/argument_classes.h"
#include "property_tests/page_checks.h"

namespace conformance {

namespace {

constexpr std::uint64_t k2GiB = std::uint64_t{1} << 31;
constexpr std::uint64_t k4GiB = std::uint64_t{1} << 32;

std::vector<Product> Products(std::uint64_t seed) {
  constexpr StepKind kKind = StepKind::kWrite;
  const std::vector<Target> d_or_null{Target::kGood, Target::kNull};
  const std::vector<Source> s_or_null{Source::kGood, Source::kNull};
  return {
      // every combination of the classes that ERRORS and DESCRIPTION tell apart
      {kKind,
       kConnOrNull,
       d_or_null,
       {0, 1, 7, 8, kSize - 8, kSize - 1, kSize, kMax},
       s_or_null,
       {0, 1, 7, 8, kSize - 8, kSize - 1, kSize, kMax},
       {8, 0, 1, kSize - 1, kSize, kSize + 1, k2GiB, k2GiB + 1, k4GiB, k4GiB + 5, kMax},
       kFlagClasses,
       {0x7}},
      // every flag bit
      {kKind, kConnOrNull, d_or_null, {0}, s_or_null, {0}, {0, 8}, EveryFlagBit(), kContexts},
      // every kind of context
      {kKind, {true}, d_or_null, {0, 8}, s_or_null, {0, 8}, {0, 8}, kBothFlags, kManyContexts},
      // every kind of region
      {kKind,
       {true},
       {Target::kStale, Target::kForeign, Target::kNoWrite, Target::kOdd, Target::kGood},
       {0, 8, kSize},
       {Source::kGood, Source::kForeign},
       {0, 8},
       {8, 0, kSize},
       kBothFlags,
       {0x9}},
      // values between the classes, inside the regions and around their ends
      {kKind,
       {true},
       {Target::kGood},
       Between(kSize, 8, seed),
       {Source::kGood},
       Between(kSize, 8, seed + 1),
       Between(kSize, 8, seed + 2),
       kBothFlags,
       Between(kMax, 2, seed + 3)},
      {kKind,
       {true},
       {Target::kGood},
       Between(kMax, 3, seed + 4),
       {Source::kGood},
       Between(kMax, 3, seed + 5),
       Between(kMax, 3, seed + 6),
       kBothFlags,
       {0x7}},
  };
}

constexpr const char* kSequences[] = {
    "fault ENOMEM; write ctx=0x7",
    "fault EINVAL; write flags=ON_ERROR ctx=0x7",
    "fault EIO; write ctx=0x7; write dst=D+8 ctx=0x8",
    "write dst=D+0 src=S+0 len=64 flags=ALWAYS ctx=0x1; poll; poll",
    "write flags=ON_ERROR ctx=0x1; write dst=D+8 flags=ALWAYS ctx=0x2; poll 4; write dst=D+16 "
    "flags=ON_ERROR ctx=0x3",
    "server.write dst=D+8 src=S+8 len=16 ctx=0x5; write dst=D+8 src=S+8 len=16 ctx=0x6; "
    "server.poll; poll",
    "sq=2; write ctx=0x1; write ctx=0x2; write ctx=0x3; write ctx=0x4; write ctx=0x5; poll 8; "
    "write ctx=0x6",
    "sq=4 schedule=manual; write ctx=0x1; write ctx=0x2; write ctx=0x3; write ctx=0x4; write "
    "ctx=0x5; run; poll 8",
    "schedule=manual; write dst=D+0 len=64 ctx=0x1; step; step; step; write dst=NULL src=NULL "
    "len=0 ctx=0x2; run; poll 2",
    "schedule=manual; write dst=D+60 len=8 flags=ON_ERROR ctx=0x1; write ctx=0x2; write "
    "flags=ON_ERROR ctx=0x3; run",
    "write dst=D+60 len=8 flags=ON_ERROR ctx=0x1; write ctx=0x2; write flags=ON_ERROR ctx=0x3; "
    "poll 4",
    "write dst=D+64 src=S+0 len=1 flags=ALWAYS ctx=0x1; poll; write ctx=0x2",
    "write src=S+60 len=8 flags=ALWAYS ctx=0x1; poll; write ctx=0x2",
    "write dst=D+0 ctx=0x1; server.dereg D; write dst=D+0 ctx=0x2; poll 2",
    "write dst=NULL src=NULL len=0 flags=ALWAYS ctx=0x1; poll; write dst=NULL src=NULL len=0 "
    "flags=ON_ERROR ctx=0x2",
    "write ctx=0x1; wait; poll; write ctx=0x2; wait; poll",
    "region=10000 cq=16; write dst=D+1 src=S+3 len=9000 ctx=0x1; poll; write dst=D+0 src=S+0 "
    "len=10000 flags=ON_ERROR ctx=0x2",
    "region=10000 schedule=manual; write len=10000 ctx=0x1; write dst=D+5000 len=5000 "
    "flags=ON_ERROR ctx=0x2; step; step 1; step; run; poll",
    // slow operations, so that a real NIC has not made room before the next is posted
    "sq=1 region=10000; write len=10000 ctx=0x1; write len=10000 ctx=0x2; write len=10000 ctx=0x3; "
    "write len=10000 ctx=0x4; "
    "write len=10000 ctx=0x5; write len=10000 ctx=0x6; write len=10000 ctx=0x7; write len=10000 "
    "ctx=0x8; write len=10000 ctx=0x9; write len=10000 ctx=0xa; write len=10000 ctx=0xb; write "
    "len=10000 ctx=0xc; poll 16",
};

}  // namespace

const PageChecks kRpmaWriteChecks{&spec::rpma_write::kPage, kSize, Products, kSequences,
                                  StepKind::kWrite};

}  // namespace conformance
