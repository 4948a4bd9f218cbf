// The checks of rpma_srq_recv(3), beside spec/rpma_srq_recv.h.
#include "spec/rpma_srq_recv.h"

#include "property_tests/argument_classes.h"
#include "property_tests/page_checks.h"

namespace conformance::rpma_srq_recv {

std::vector<Product> Products(std::uint64_t seed) {
  return ReceiveProducts(StepKind::kSrqRecv, seed);
}

constexpr const char* kSequences[] = {
    "srq=8; fault ENOMEM; srq_recv ctx=0x7",
    "srq=8; fault EIO; srq_recv len=64 ctx=0x7; srq_recv len=64 ctx=0x8; server.send ctx=0x1; poll "
    "2; rpoll",
    "srq=8; srq_recv dst=R+0 len=64 ctx=0x1; server.send src=S+0 len=64 ctx=0x2; poll; poll; "
    "rpoll; server.poll",
    "srq=8; srq_recv dst=R+8 len=16 ctx=0x1; srq_recv dst=R+32 len=16 ctx=0x2; server.send len=16 "
    "ctx=0x11; server.send src=S+3 len=5 ctx=0x12; poll 2; rpoll 2; server.poll 2",
    "srq=8; srq_recv dst=R+8 len=16 ctx=0x1; srq_recv dst=R+24 len=16 ctx=0x2; srq_recv dst=R+40 "
    "len=16 ctx=0x3; server.send_imm len=16 imm=0x1 ctx=0x11; server.send_imm len=15 imm=0x2 "
    "ctx=0x12; server.send len=14 ctx=0x13; poll 4; rpoll 4",
    "srq=8; srq_recv dst=R+8 len=16 ctx=0x1; srq_recv dst=NULL len=0 ctx=0x2; server.write_imm "
    "dst=D+8 len=16 imm=0xffffffff ctx=0x11; server.write_imm dst=NULL src=NULL len=0 imm=0x0 "
    "ctx=0x12; poll 2; rpoll 2",
    "srq=8; srq_recv dst=NULL len=0 ctx=0x1; server.send src=NULL len=0 ctx=0x11; poll; rpoll",
    "srq=8; server.send ctx=0x11; server.poll; srq_recv len=64 ctx=0x1; server.poll; poll; rpoll",
    "srq=8 schedule=manual; server.send ctx=0x11; step; step; srq_recv len=64 ctx=0x1; step; step; "
    "step; poll; rpoll; run; poll; rpoll",
    "srq=8 schedule=manual; srq_recv dst=R+0 len=8 ctx=0x1; srq_recv dst=R+8 len=8 ctx=0x2; "
    "server.send src=S+0 ctx=0x11; server.send src=S+8 ctx=0x12; step 1; step; step 1; step 2; "
    "step; step 1; poll 2; rpoll 2; run; poll 2; rpoll 2",
    "srq=4; srq_recv dst=R+0 len=8 ctx=0x1; srq_recv dst=R+8 len=8 ctx=0x2; srq_recv dst=R+16 "
    "len=8 ctx=0x3; srq_recv dst=R+24 len=8 ctx=0x4; server.send src=S+0 len=8 ctx=0x11; "
    "server.send src=S+1 len=8 ctx=0x12; server.send src=S+2 len=8 ctx=0x13; server.send src=S+3 "
    "len=8 ctx=0x14; poll 4; rpoll 4; server.poll 4",
    "srq=2; srq_recv dst=R+0 len=8 ctx=0x1; srq_recv dst=R+8 len=8 ctx=0x2; srq_recv dst=R+16 "
    "len=8 ctx=0x3; srq_recv dst=R+24 len=8 ctx=0x4",
    "srq=8 srcq=8; srq_recv len=64 ctx=0x1; server.send ctx=0x11; poll; rpoll; server.poll",
    "srq=8 rcq=8; srq_recv len=64 ctx=0x1; server.send ctx=0x11; wait; poll; rpoll; server.poll",
    "srq=8; srq_recv dst=R+0 len=4 ctx=0x1; server.send len=8 ctx=0x11; poll; rpoll; server.poll",
    "srq=8; srq_recv len=64 ctx=0x1; wait; server.send ctx=0x11; wait; poll; rpoll",
    "srq=8 region=10000; srq_recv dst=R+0 len=10000 ctx=0x1; server.send len=9999 ctx=0x11; poll; "
    "rpoll",
    // one shared receive queue serves both directions
    "srq=8; srq_recv dst=R+0 len=32 ctx=0x1; server.srq_recv dst=R+0 len=32 ctx=0x2; send len=16 "
    "ctx=0x11; server.send src=S+1 len=17 ctx=0x12; poll 4; server.poll 4",
    "srq=8 srcq=16; srq_recv dst=R+0 len=32 ctx=0x1; srq_recv dst=R+32 len=32 ctx=0x2; server.send "
    "len=8 ctx=0x11; send len=9 ctx=0x12; rpoll 4; server.rpoll 4",
    "srq=8 schedule=manual; srq_recv dst=R+0 len=32 ctx=0x1; srq_recv dst=R+32 len=32 ctx=0x2; "
    "send len=16 ctx=0x11; server.send len=17 ctx=0x12; step 1; step; step 1; run; poll 4; "
    "server.poll 4",
    "srq=8; srq_recv len=64 ctx=0x1; write dst=D+60 len=8 ctx=0x11; poll 4",
};

Config SharedQueue() {
  Config config;
  config.srq = 8;
  return config;
}

const PageChecks kChecks{&spec::rpma_srq_recv::kPage, SharedQueue(), Products, kSequences,
                         StepKind::kSrqRecv};

}  // namespace conformance::rpma_srq_recv
