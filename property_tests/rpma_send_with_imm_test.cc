// The checks of rpma_send_with_imm(3), beside spec/rpma_send_with_imm.h.
#include "spec/rpma_send_with_imm.h"

#include "property_tests/argument_classes.h"
#include "property_tests/page_checks.h"

namespace conformance::rpma_send_with_imm {

std::vector<Product> Products(std::uint64_t seed) {
  std::vector<Product> products = MessageProducts(StepKind::kSendImm, seed);
  products.push_back(
      {.kind = StepKind::kSendImm, .len = {0, 8}, .flags = kBothFlags, .imm = kImms});
  return products;
}

constexpr const char* kSequences[] = {
    "fault ENOMEM; send_imm imm=0x1020304 ctx=0x7",
    "fault EINVAL; send_imm imm=0x1020304 flags=ON_ERROR ctx=0x7",
    "server.recv len=64 ctx=0x11; fault EIO; send_imm imm=0x1020304 ctx=0x7; send_imm "
    "imm=0x1020304 ctx=0x8; poll; server.poll",
    "server.recv len=64 ctx=0x11; send_imm src=S+0 len=64 imm=0x1020304 flags=ALWAYS ctx=0x1; "
    "poll; poll; server.poll; server.poll",
    "server.recv dst=R+8 len=16 ctx=0x11; server.recv dst=R+32 len=16 ctx=0x12; send_imm src=S+8 "
    "len=16 imm=0x1020304 flags=ON_ERROR ctx=0x1; send_imm src=S+3 len=5 imm=0x1020304 ctx=0x2; "
    "poll; server.poll 2",
    "recv len=64 ctx=0x11; server.recv len=64 ctx=0x12; server.send_imm len=16 imm=0x1020304 "
    "ctx=0x5; send_imm len=16 imm=0x1020304 ctx=0x6; server.poll 2; poll 2",
    "send_imm imm=0x1020304 ctx=0x1; poll; server.recv len=64 ctx=0x11; poll; server.poll",
    "schedule=manual; send_imm imm=0x1020304 ctx=0x1; write dst=D+8 ctx=0x2; step; step; step; "
    "step; server.recv len=64 ctx=0x11; step; step; step; run; poll 2; server.poll",
    "server.recv len=64 ctx=0x11; send_imm imm=0x1020304 flags=ON_ERROR ctx=0x1; send_imm "
    "imm=0x1020304 ctx=0x2; poll; server.poll",
    "sq=2; server.recv len=64 ctx=0x11; server.recv len=64 ctx=0x12; server.recv len=64 ctx=0x13; "
    "send_imm imm=0x1020304 ctx=0x1; send_imm imm=0x1020304 ctx=0x2; send_imm imm=0x1020304 "
    "ctx=0x3; poll 4; send_imm imm=0x1020304 ctx=0x4; server.poll 4; poll 4",
    "sq=4 schedule=manual; server.recv len=64 ctx=0x11; server.recv len=64 ctx=0x12; server.recv "
    "len=64 ctx=0x13; server.recv len=64 ctx=0x14; send_imm imm=0x1020304 ctx=0x1; send_imm "
    "imm=0x1020304 ctx=0x2; send_imm imm=0x1020304 ctx=0x3; send_imm imm=0x1020304 ctx=0x4; "
    "send_imm imm=0x1020304 ctx=0x5; run; poll 8; server.poll 8",
    "rcq=8; server.recv len=64 ctx=0x11; send_imm imm=0x1020304 ctx=0x1; poll; server.rpoll; "
    "server.poll",
    "rcq=8 channel=shared; server.recv len=64 ctx=0x11; send_imm imm=0x1020304 ctx=0x1; poll; "
    "server.rpoll",
    "server.recv len=64 ctx=0x11; send_imm src=S+60 len=8 imm=0x1020304 flags=ON_ERROR ctx=0x1; "
    "send_imm imm=0x1020304 ctx=0x2; send_imm imm=0x1020304 flags=ON_ERROR ctx=0x3; poll 4; "
    "server.poll",
    "server.recv len=64 ctx=0x11; send_imm src=S+60 len=8 imm=0x1020304 ctx=0x1; poll; send_imm "
    "imm=0x1020304 ctx=0x2",
    "server.recv len=64 ctx=0x11; send_imm imm=0x1020304 ctx=0x1; wait; poll; server.wait; "
    "server.poll",
    "region=10000; server.recv len=10000 ctx=0x11; send_imm src=S+1 len=9000 imm=0x1020304 "
    "ctx=0x1; poll; server.poll; send_imm len=10000 imm=0x1020304 flags=ON_ERROR ctx=0x2",
    "region=10000 schedule=manual; server.recv dst=R+0 len=10000 ctx=0x11; send_imm len=10000 "
    "imm=0x1020304 ctx=0x1; step; step 1; step; run; poll; server.poll",
    "server.recv dst=NULL len=0 ctx=0x11; send_imm src=NULL len=0 imm=0x1020304 ctx=0x1; poll; "
    "server.poll; send_imm src=NULL len=0 imm=0x1020304 flags=ON_ERROR ctx=0x2",
    "server.recv len=4 ctx=0x11; send_imm len=8 imm=0x1020304 ctx=0x1; poll; server.poll",
    "server.recv len=64 ctx=0x11; server.recv len=4 ctx=0x12; send_imm imm=0x1020304 ctx=0x1; "
    "send_imm imm=0x1020304 ctx=0x2; poll 2; server.poll 2",
    // slow operations, so that a real NIC has not made room before the next is posted
    "sq=1 rq=16 region=10000; server.recv len=10000 ctx=0x21; server.recv len=10000 ctx=0x22; "
    "server.recv len=10000 ctx=0x23; server.recv len=10000 ctx=0x24; server.recv len=10000 "
    "ctx=0x25; server.recv len=10000 ctx=0x26; server.recv len=10000 ctx=0x27; server.recv "
    "len=10000 ctx=0x28; server.recv len=10000 ctx=0x29; server.recv len=10000 ctx=0x2a; "
    "server.recv len=10000 ctx=0x2b; server.recv len=10000 ctx=0x2c; send_imm len=10000 "
    "imm=0x1020304 ctx=0x1; send_imm len=10000 imm=0x1020304 ctx=0x2; send_imm len=10000 "
    "imm=0x1020304 ctx=0x3; send_imm len=10000 imm=0x1020304 ctx=0x4; send_imm len=10000 "
    "imm=0x1020304 ctx=0x5; send_imm len=10000 imm=0x1020304 ctx=0x6; send_imm len=10000 "
    "imm=0x1020304 ctx=0x7; send_imm len=10000 imm=0x1020304 ctx=0x8; send_imm len=10000 "
    "imm=0x1020304 ctx=0x9; send_imm len=10000 imm=0x1020304 ctx=0xa; send_imm len=10000 "
    "imm=0x1020304 ctx=0xb; send_imm len=10000 imm=0x1020304 ctx=0xc; poll 16; server.poll 16",
};

const PageChecks kChecks{&spec::rpma_send_with_imm::kPage, Config(), Products, kSequences,
                         StepKind::kSendImm};

}  // namespace conformance::rpma_send_with_imm
