// The checks of rpma_conn_req_recv(3), beside spec/rpma_conn_req_recv.h.
#include "spec/rpma_conn_req_recv.h"

#include "property_tests/argument_classes.h"
#include "property_tests/page_checks.h"

namespace conformance::rpma_conn_req_recv {

std::vector<Product> Products(std::uint64_t seed) {
  return ReceiveProducts(StepKind::kReqRecv, seed);
}

constexpr const char* kSequences[] = {
    "fault ENOMEM; req_recv ctx=0x7",
    "fault EIO; req_recv len=64 ctx=0x7; req_recv len=64 ctx=0x8; server.send ctx=0x1; poll 2; "
    "server.poll",
    "req_recv dst=R+0 len=64 ctx=0x1; server.send src=S+0 len=64 ctx=0x2; poll; poll; server.poll",
    "server.req_recv dst=R+0 len=64 ctx=0x1; send src=S+0 len=64 ctx=0x2; poll; server.poll; "
    "server.poll",
    "req_recv dst=R+8 len=16 ctx=0x1; req_recv dst=R+32 len=16 ctx=0x2; recv dst=R+0 len=8 "
    "ctx=0x3; server.send len=8 ctx=0x11; server.send src=S+3 len=5 ctx=0x12; server.send_imm "
    "len=3 imm=0x9 ctx=0x13; poll 4; server.poll 4",
    "server.req_recv dst=R+8 len=16 ctx=0x1; server.req_recv dst=R+24 len=16 ctx=0x2; req_recv "
    "len=64 ctx=0x3; send_imm len=16 imm=0x1 ctx=0x11; send len=15 ctx=0x12; server.write_imm "
    "len=8 imm=0x3 ctx=0x13; poll 4; server.poll 4",
    "schedule=manual; server.req_recv len=64 ctx=0x1; send ctx=0x11; step; step; step; step; "
    "server.poll; run; server.poll; poll",
    "rq=4; req_recv dst=R+0 len=8 ctx=0x1; req_recv dst=R+8 len=8 ctx=0x2; req_recv dst=R+16 len=8 "
    "ctx=0x3; req_recv dst=R+24 len=8 ctx=0x4; server.send src=S+0 len=8 ctx=0x11; server.send "
    "src=S+1 len=8 ctx=0x12; server.send src=S+2 len=8 ctx=0x13; server.send src=S+3 len=8 "
    "ctx=0x14; poll 4; server.poll 4",
    "rq=2; req_recv dst=R+0 len=8 ctx=0x1; req_recv dst=R+8 len=8 ctx=0x2; req_recv dst=R+16 len=8 "
    "ctx=0x3; req_recv dst=R+24 len=8 ctx=0x4",
    "rcq=8; server.req_recv len=64 ctx=0x1; send ctx=0x11; poll; server.rpoll",
    "rcq=8 channel=shared; server.req_recv len=64 ctx=0x1; send ctx=0x11; poll; server.rpoll",
    "server.req_recv dst=R+0 len=4 ctx=0x1; send len=8 ctx=0x11; poll; server.poll",
    "req_recv dst=NULL len=0 ctx=0x1; server.send src=NULL len=0 ctx=0x11; poll; server.poll",
    "req_recv len=64 ctx=0x0; server.send ctx=0x11; poll; server.poll",
    "req_recv len=64 ctx=0x1; req_recv len=64 ctx=0x2; write dst=D+60 len=8 ctx=0x11; poll 4",
    "region=10000; server.req_recv len=10000 ctx=0x1; send len=9999 ctx=0x11; poll; server.poll",
};

const PageChecks kChecks{&spec::rpma_conn_req_recv::kPage, Config(), Products, kSequences,
                         StepKind::kReqRecv};

}  // namespace conformance::rpma_conn_req_recv
