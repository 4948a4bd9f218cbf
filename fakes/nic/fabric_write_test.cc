// A write from one range that nothing stops is made at once; every other, or one with an empty
// range behind the first, goes the long way. Both ways end the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "nic/test_pair.h"

namespace fakenic {
namespace {

struct Case {
  const char* name;
  std::function<void(TestPair&, SendWr&)> change;
};

const Case kCases[] = {
    {"nothing is the matter", [](TestPair&, SendWr&) {}},
    {"not signaled", [](TestPair&, SendWr& wr) { wr.flags = 0; }},
    {"one byte", [](TestPair& pair, SendWr&) { pair.sge.length = 1; }},
    {"empty", [](TestPair& pair, SendWr&) { pair.sge.length = 0; }},
    {"the whole region", [](TestPair& pair, SendWr&) { pair.sge.length = 256; }},
    {"a byte too much", [](TestPair& pair, SendWr&) { pair.sge.length = 257; }},
    {"not aligned", [](TestPair&, SendWr& wr) { wr.remote_addr += 3; }},
    {"begins before the target", [](TestPair&, SendWr& wr) { wr.remote_addr -= 1; }},
    {"ends behind the target", [](TestPair&, SendWr& wr) { wr.remote_addr += 249; }},
    {"begins before the source", [](TestPair& pair, SendWr&) { pair.sge.addr -= 1; }},
    {"ends behind the source", [](TestPair& pair, SendWr&) { pair.sge.addr += 249; }},
    {"no such lkey", [](TestPair& pair, SendWr&) { pair.sge.lkey += 1; }},
    {"no such rkey", [](TestPair&, SendWr& wr) { wr.rkey += 1; }},
    {"the lkey of another domain",
     [](TestPair& pair, SendWr&) {
       pair.sge.addr = pair.remote.addr(0);
       pair.sge.lkey = pair.remote.mr->key;
     }},
    {"the rkey of another domain",
     [](TestPair& pair, SendWr& wr) {
       wr.remote_addr = pair.local.addr(0);
       wr.rkey = pair.local.mr->key;
     }},
    {"the region may not be written",
     [](TestPair& pair, SendWr&) { pair.remote.mr->access = access_flag::kLocalWrite; }},
    {"the queue pair may not be written",
     [](TestPair& pair, SendWr&) { pair.remote.qp->attr().access_flags = 0; }},
    {"inline", [](TestPair&, SendWr& wr) { wr.flags |= send_flag::kInline; }},
    {"inline, no such lkey",
     [](TestPair& pair, SendWr& wr) {
       wr.flags |= send_flag::kInline;
       pair.sge.lkey += 1;
     }},
    {"inline, longer than inline data can be",
     [](TestPair& pair, SendWr& wr) {
       wr.flags |= send_flag::kInline;
       pair.sge.length = 17;
     }},
    {"the send queue is full",
     [](TestPair& pair, SendWr&) {
       for (int i = 0; i < 4; ++i) pair.local.qp->ClaimSendSlot();
     }},
    {"the responder answers somebody else",
     [](TestPair& pair, SendWr&) { pair.remote.qp->attr().dest_qp_num += 1; }},
    {"the responder has no message yet",
     [](TestPair& pair, SendWr&) { pair.remote.qp->set_state(QpState::kRtr); }},
    {"the responder is in error",
     [](TestPair& pair, SendWr&) { pair.remote.qp->set_state(QpState::kErr); }},
    {"the requester is in error",
     [](TestPair& pair, SendWr&) { pair.local.qp->set_state(QpState::kErr); }},
    {"the requester cannot send yet",
     [](TestPair& pair, SendWr&) { pair.local.qp->set_state(QpState::kRtr); }},
    {"the requester is suspended",
     [](TestPair& pair, SendWr&) { pair.local.qp->set_state(QpState::kSqd); }},
};

// What a write has left, in words.
std::string After(const Case& one, WrOpcode opcode, bool long_way) {
  TestPair pair({4, 4, 2, 2, 16}, /*cqe=*/4);
  pair.local.Fill("abcdefghij");
  std::string left;
  pair.fabric.on_error = [&left](const std::string&) { left += "error "; };
  pair.fabric.on_async_event = [&left](const AsyncEvent& event) {
    left += "event " + std::to_string(static_cast<int>(event.type)) + " ";
  };
  SendWr wr = pair.Write(7, 8);
  wr.opcode = opcode;
  one.change(pair, wr);
  const std::array<Sge, 2> sges{pair.sge, Sge{}};
  if (long_way) wr.sges = sges;
  left += "returned " + std::to_string(pair.Post(wr));
  for (const auto& [wr_id, status] : pair.Poll(pair.local))
    left += " wr " + std::to_string(wr_id) + " status " + std::to_string(static_cast<int>(status));
  left += " free " + std::to_string(pair.local.qp->free_send_slots());
  left += " state " + std::to_string(static_cast<int>(pair.local.qp->state()));
  left += " posted " + std::to_string(pair.fabric.counts().sends_posted);
  left += " completed " + std::to_string(pair.fabric.counts().completions);
  return left + " memory " + pair.remote.text(0, 256);
}

class WriteAtOnce : public testing::TestWithParam<WrOpcode> {};

TEST_P(WriteAtOnce, EndsAsOneThatGoesTheLongWay) {
  for (const Case& one : kCases) {
    EXPECT_EQ(After(one, GetParam(), /*long_way=*/false), After(one, GetParam(), /*long_way=*/true))
        << one.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Opcodes, WriteAtOnce,
                         testing::Values(WrOpcode::kRdmaWrite, WrOpcode::kAtomicWrite),
                         [](const auto& info) {
                           return info.param == WrOpcode::kRdmaWrite ? "Write" : "AtomicWrite";
                         });

TEST(EagerWrite, OverrunsACqThatIsFull) {
  TestPair pair({4, 4, 2, 2, 16}, /*cqe=*/1);
  std::vector<AsyncEventType> events;
  pair.fabric.on_async_event = [&](const AsyncEvent& event) { events.push_back(event.type); };
  pair.Post(pair.Write(1, 8));

  pair.Post(pair.Write(2, 8));

  EXPECT_THAT(events, testing::ElementsAre(AsyncEventType::kCqErr, AsyncEventType::kQpFatal));
}

}  // namespace
}  // namespace fakenic
