// The checks of rpma_write(3), beside spec/rpma_write.h.
#include "spec/rpma_write.h"

#include "property_tests/argument_classes.h"
#include "property_tests/page_checks.h"

namespace conformance::rpma_write {

std::vector<Product> Products(std::uint64_t seed) {
  return RdmaProducts(
      StepKind::kWrite,
      {Remote::kStale, Remote::kForeign, Remote::kNoWrite, Remote::kOdd, Remote::kGood},
      {Local::kGood, Local::kForeign}, seed);
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

const PageChecks kChecks{&spec::rpma_write::kPage, Config(), Products, kSequences,
                         StepKind::kWrite};

}  // namespace conformance::rpma_write
