// The checks of rpma_read(3), beside spec/rpma_read.h.
#include "spec/rpma_read.h"

#include "property_tests/argument_classes.h"
#include "property_tests/page_checks.h"

namespace conformance::rpma_read {

std::vector<Product> Products(std::uint64_t seed) {
  return RdmaProducts(StepKind::kRead,
                      {Remote::kStale, Remote::kForeign, Remote::kNoRead, Remote::kNoWrite,
                       Remote::kOdd, Remote::kGood},
                      {Local::kGood, Local::kForeign, Local::kNoUsage}, seed);
}

constexpr const char* kSequences[] = {
    "fault ENOMEM; read ctx=0x7",
    "fault EINVAL; read flags=ON_ERROR ctx=0x7",
    "fault EIO; read ctx=0x7; read dst=L+8 ctx=0x8",
    "read dst=L+0 src=D+0 len=64 flags=ALWAYS ctx=0x1; poll; poll",
    "read flags=ON_ERROR ctx=0x1; read dst=L+8 src=D+3 flags=ALWAYS ctx=0x2; poll 4; read dst=L+16 "
    "flags=ON_ERROR ctx=0x3",
    "server.read dst=L+8 src=D+8 len=16 ctx=0x5; read dst=L+8 src=D+8 len=16 ctx=0x6; server.poll; "
    "poll",
    "sq=2; read ctx=0x1; read ctx=0x2; read ctx=0x3; read ctx=0x4; read ctx=0x5; poll 8; read "
    "ctx=0x6",
    "sq=4 schedule=manual; read ctx=0x1; read ctx=0x2; read ctx=0x3; read ctx=0x4; read ctx=0x5; "
    "run; poll 8",
    "schedule=manual; read dst=L+0 len=64 ctx=0x1; step; step; step; read dst=NULL src=NULL len=0 "
    "ctx=0x2; run; poll 2",
    "schedule=manual; read src=D+60 len=8 flags=ON_ERROR ctx=0x1; read ctx=0x2; read "
    "flags=ON_ERROR ctx=0x3; run",
    "read src=D+60 len=8 flags=ON_ERROR ctx=0x1; read ctx=0x2; read flags=ON_ERROR ctx=0x3; poll 4",
    "read dst=L+60 len=8 flags=ALWAYS ctx=0x1; poll; read ctx=0x2",
    "read src=D+64 len=1 flags=ALWAYS ctx=0x1; poll; read ctx=0x2",
    "read ctx=0x1; server.dereg D; read ctx=0x2; poll 2",
    "read dst=NULL src=NULL len=0 flags=ALWAYS ctx=0x1; poll; read dst=NULL src=NULL len=0 "
    "flags=ON_ERROR ctx=0x2",
    "read ctx=0x1; wait; poll; read ctx=0x2; wait; poll",
    // a read beside writes to what it reads
    "write dst=D+0 src=S+0 len=64 flags=ON_ERROR ctx=0x1; read dst=L+0 src=D+0 len=64 ctx=0x2; "
    "poll; write dst=D+8 len=8 ctx=0x3; read dst=L+8 src=D+8 ctx=0x4; poll 2",
    "schedule=manual; write dst=D+0 len=64 ctx=0x1; read src=D+0 len=64 ctx=0x2; write dst=D+0 "
    "src=S+0 len=32 ctx=0x3; step 1; step 2; step; step 1; run; poll 4",
    "region=10000 cq=16; read dst=L+1 src=D+3 len=9000 ctx=0x1; poll; read len=10000 "
    "flags=ON_ERROR ctx=0x2",
    // slow operations, so that a real NIC has not made room before the next is posted
    "sq=1 region=10000; read len=10000 ctx=0x1; read len=10000 ctx=0x2; read len=10000 ctx=0x3; "
    "read len=10000 ctx=0x4; read len=10000 ctx=0x5; read len=10000 ctx=0x6; read len=10000 "
    "ctx=0x7; read len=10000 ctx=0x8; read len=10000 ctx=0x9; read len=10000 ctx=0xa; poll 16",
};

const PageChecks kChecks{&spec::rpma_read::kPage, Config(), Products, kSequences, StepKind::kRead};

}  // namespace conformance::rpma_read
