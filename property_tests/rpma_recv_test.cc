// The checks of rpma_recv(3), beside spec/rpma_recv.h.
#include "spec/rpma_recv.h"

#include "property_tests/argument_classes.h"
#include "property_tests/page_checks.h"

namespace conformance::rpma_recv {

std::vector<Product> Products(std::uint64_t seed) { return ReceiveProducts(StepKind::kRecv, seed); }

constexpr const char* kSequences[] = {
    "fault ENOMEM; recv ctx=0x7",
    "fault EIO; recv len=64 ctx=0x7; recv len=64 ctx=0x8; server.send ctx=0x1; poll 2; rpoll",
    "recv dst=R+0 len=64 ctx=0x1; server.send src=S+0 len=64 ctx=0x2; poll; poll; rpoll; "
    "server.poll",
    "recv dst=R+8 len=16 ctx=0x1; recv dst=R+32 len=16 ctx=0x2; server.send len=16 ctx=0x11; "
    "server.send src=S+3 len=5 ctx=0x12; poll 2; rpoll 2; server.poll 2",
    "recv dst=R+8 len=16 ctx=0x1; recv dst=R+24 len=16 ctx=0x2; recv dst=R+40 len=16 ctx=0x3; "
    "server.send_imm len=16 imm=0x1 ctx=0x11; server.send_imm len=15 imm=0x2 ctx=0x12; server.send "
    "len=14 ctx=0x13; poll 4; rpoll 4",
    "recv dst=R+8 len=16 ctx=0x1; recv dst=NULL len=0 ctx=0x2; server.write_imm dst=D+8 len=16 "
    "imm=0xffffffff ctx=0x11; server.write_imm dst=NULL src=NULL len=0 imm=0x0 ctx=0x12; poll 2; "
    "rpoll 2",
    "recv dst=NULL len=0 ctx=0x1; server.send src=NULL len=0 ctx=0x11; poll; rpoll",
    "server.send ctx=0x11; server.poll; recv len=64 ctx=0x1; server.poll; poll; rpoll",
    "schedule=manual; server.send ctx=0x11; step; step; recv len=64 ctx=0x1; step; step; step; "
    "poll; rpoll; run; poll; rpoll",
    "schedule=manual; recv dst=R+0 len=8 ctx=0x1; recv dst=R+8 len=8 ctx=0x2; server.send src=S+0 "
    "ctx=0x11; server.send src=S+8 ctx=0x12; step 1; step; step 1; step 2; step; step 1; poll 2; "
    "rpoll 2; run; poll 2; rpoll 2",
    "rq=4; recv dst=R+0 len=8 ctx=0x1; recv dst=R+8 len=8 ctx=0x2; recv dst=R+16 len=8 ctx=0x3; "
    "recv dst=R+24 len=8 ctx=0x4; server.send src=S+0 len=8 ctx=0x11; server.send src=S+1 len=8 "
    "ctx=0x12; server.send src=S+2 len=8 ctx=0x13; server.send src=S+3 len=8 ctx=0x14; poll 4; "
    "rpoll 4; server.poll 4",
    "rq=2; recv dst=R+0 len=8 ctx=0x1; recv dst=R+8 len=8 ctx=0x2; recv dst=R+16 len=8 ctx=0x3; "
    "recv dst=R+24 len=8 ctx=0x4",
    "rcq=8; recv len=64 ctx=0x1; server.send ctx=0x11; poll; rpoll; server.poll",
    "rcq=8 channel=shared; recv len=64 ctx=0x1; server.send ctx=0x11; wait; poll; rpoll; "
    "server.poll",
    "recv dst=R+0 len=4 ctx=0x1; server.send len=8 ctx=0x11; poll; rpoll; server.poll",
    "recv len=64 ctx=0x1; wait; server.send ctx=0x11; wait; poll; rpoll",
    "region=10000; recv dst=R+0 len=10000 ctx=0x1; server.send len=9999 ctx=0x11; poll; rpoll",
    "recv len=64 ctx=0x1; recv len=64 ctx=0x2; write dst=D+60 len=8 ctx=0x11; poll 4",
    "schedule=manual; recv len=64 ctx=0x1; read dst=L+60 len=8 ctx=0x11; run; poll 4; recv len=64 "
    "ctx=0x2",
    "rcq=8; recv len=64 ctx=0x1; write src=S+60 len=8 flags=ON_ERROR ctx=0x11; poll; rpoll; recv "
    "ctx=0x2",
    "srq=4; recv len=64 ctx=0x1",
};

const PageChecks kChecks{&spec::rpma_recv::kPage, Config(), Products, kSequences, StepKind::kRecv};

}  // namespace conformance::rpma_recv
