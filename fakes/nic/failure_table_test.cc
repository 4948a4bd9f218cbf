// The failure table: what is wrong with a work request or with whom it meets, and how both ends
// report it. A row a failure; every row runs under the eager schedule and step by step.
//
// Failures that need more than one request stand beside what they are about: a lost CQ entry in
// fabric_test.cc, an absent receive in fabric_send_test.cc, regions that go under way in
// fabric_steps_test.cc and fabric_read_test.cc, shared receive queues in fabric_srq_test.cc,
// repeated reads and atomics in fabric_read_test.cc and fabric_atomic_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "nic/fabric.h"
#include "nic/test_pair.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using enum WrOpcode;
using enum WcStatus;

using Breaks = void (*)(TestPair&, SendWr&);

struct Row {
  const char* name;
  WrOpcode opcode;
  Breaks breaks;
  WcStatus status;
  // Of the receive that the request meets; none: it is not consumed.
  std::optional<WcStatus> recv_status;
  QpState responder;        // afterwards
  const char* explanation;  // part of the first cause
  bool remote_changes = false;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

constexpr QpState kRts = QpState::kRts;
constexpr QpState kErr = QpState::kErr;

void BadLocalKey(TestPair& p, SendWr&) { p.sge.lkey = 1; }
void LocalKeyOfAnotherDomain(TestPair& p, SendWr&) {
  p.sge = {p.remote.addr(0), 8, p.remote.mr->key};
}
void StaleLocalKey(TestPair& p, SendWr&) { p.context.DeregMr(p.local.mr->handle); }
void LocalRangeTooLong(TestPair& p, SendWr&) { p.sge.addr = p.local.addr(249); }
void LocalRegionWithoutLocalWrite(TestPair& p, SendWr&) {
  p.local.mr->access = access_flag::kRemoteRead;
}
void BadRemoteKey(TestPair&, SendWr& wr) { wr.rkey = 2; }
void StaleRemoteKey(TestPair& p, SendWr&) { p.context.DeregMr(p.remote.mr->handle); }
void BothKeysBad(TestPair& p, SendWr& wr) {
  p.sge.lkey = 1;
  wr.rkey = 2;
}
void RemoteKeyOfAnotherDomain(TestPair& p, SendWr& wr) {
  wr.rkey = p.local.mr->key;
  wr.remote_addr = p.local.addr(0);
}
void RemoteRangeTooLong(TestPair& p, SendWr& wr) { wr.remote_addr = p.remote.addr(249); }
void RemoteRangeBeforeTheRegion(TestPair& p, SendWr& wr) { wr.remote_addr = p.remote.addr(0) - 8; }
void RemoteRangeThatWraps(TestPair&, SendWr& wr) { wr.remote_addr = UINT64_MAX - 7; }
void RegionGrantsOnlyLocalWrite(TestPair& p, SendWr&) {
  p.remote.mr->access = access_flag::kLocalWrite;
}
void QueuePairGrantsNothing(TestPair& p, SendWr&) { p.remote.qp->attr().access_flags = 0; }
void ResponderAnswersNoReads(TestPair& p, SendWr&) { p.remote.qp->attr().max_dest_rd_atomic = 0; }
void Misaligned(TestPair& p, SendWr& wr) { wr.remote_addr = p.remote.addr(4); }
void MisalignedWithBadKeys(TestPair& p, SendWr& wr) {
  BothKeysBad(p, wr);
  Misaligned(p, wr);
}
void Short(TestPair& p, SendWr&) { p.sge.length = 4; }
void Long(TestPair& p, SendWr&) { p.sge.length = 16; }
void Empty(TestPair&, SendWr& wr) { wr.sges = {}; }
void LongerThanAnyMessage(TestPair& p, SendWr&) { p.sge.length = 0x80000001; }
void LongerThanTheReceive(TestPair& p, SendWr&) { p.sge.length = 17; }
void ReceiveWithABadKey(TestPair& p, SendWr&) { p.recv_sge.lkey = 1; }
void ReceiveOutOfRange(TestPair& p, SendWr&) { p.recv_sge.addr = p.remote.addr(250); }
void ReceiveOfAnotherDomain(TestPair& p, SendWr&) {
  p.recv_sge = {p.local.addr(0), 16, p.local.mr->key};
}
void ReceiveWithoutLocalWrite(TestPair& p, SendWr&) {
  p.remote.mr->access = access_flag::kRemoteRead;
}
void MoveRemote(TestPair& p, QpState to) {
  QpAttr attr;
  attr.port_num = 1;
  attr.state = QpState::kReset;
  p.fabric.ModifyQp(*p.remote.qp, attr, qp_mask::kState);
  attr.state = QpState::kInit;
  if (to != QpState::kReset) {
    p.fabric.ModifyQp(
        *p.remote.qp, attr,
        qp_mask::kState | qp_mask::kPkeyIndex | qp_mask::kPort | qp_mask::kAccessFlags);
  }
  attr.state = to;
  if (to == kErr) p.fabric.ModifyQp(*p.remote.qp, attr, qp_mask::kState);
}
void PeerInReset(TestPair& p, SendWr&) { MoveRemote(p, QpState::kReset); }
void PeerInInit(TestPair& p, SendWr&) { MoveRemote(p, QpState::kInit); }
void PeerInErr(TestPair& p, SendWr&) { MoveRemote(p, kErr); }
void PeerOfAnother(TestPair& p, SendWr&) { p.remote.qp->attr().dest_qp_num = p.remote.qp->num; }
void NumberOfNobody(TestPair& p, SendWr&) { p.local.qp->attr().dest_qp_num = 0xffff; }

const Row kTable[] = {
    // The requester's own buffers.
    {"WriteBadLocalKey",
     kRdmaWrite,
     BadLocalKey,
     kLocProtErr,
     {},
     kRts,
     "lkey 0x1 names no live region"},
    {"WriteStaleLocalKey",
     kRdmaWrite,
     StaleLocalKey,
     kLocProtErr,
     {},
     kRts,
     "names no live region"},
    {"WriteLocalKeyOfAnotherDomain",
     kRdmaWrite,
     LocalKeyOfAnotherDomain,
     kLocProtErr,
     {},
     kRts,
     "another protection domain"},
    {"WriteSourceOutOfRange",
     kRdmaWrite,
     LocalRangeTooLong,
     kLocProtErr,
     {},
     kRts,
     "outside the region"},
    {"WriteBothKeysBad", kRdmaWrite, BothKeysBad, kLocProtErr, {}, kRts, "lkey"},
    {"SendBadLocalKey", kSend, BadLocalKey, kLocProtErr, {}, kRts, "lkey 0x1 names no live region"},
    {"SendLocalKeyOfAnotherDomain",
     kSend,
     LocalKeyOfAnotherDomain,
     kLocProtErr,
     {},
     kRts,
     "another protection domain"},
    {"ReadBadLocalKey",
     kRdmaRead,
     BadLocalKey,
     kLocProtErr,
     {},
     kRts,
     "lkey 0x1 names no live region"},
    {"ReadLocalKeyOfAnotherDomain",
     kRdmaRead,
     LocalKeyOfAnotherDomain,
     kLocProtErr,
     {},
     kRts,
     "another protection domain"},
    {"ReadTargetOutOfRange",
     kRdmaRead,
     LocalRangeTooLong,
     kLocProtErr,
     {},
     kRts,
     "outside the region"},
    {"ReadLocalRegionWithoutLocalWrite",
     kRdmaRead,
     LocalRegionWithoutLocalWrite,
     kLocProtErr,
     {},
     kRts,
     "without the access right"},
    {"ReadBothKeysBad", kRdmaRead, BothKeysBad, kRemAccessErr, {}, kErr, "rkey"},
    {"FetchAddBadLocalKey",
     kAtomicFetchAndAdd,
     BadLocalKey,
     kLocProtErr,
     {},
     kRts,
     "lkey 0x1",
     true},
    {"CmpSwpBadLocalKey", kAtomicCmpAndSwp, BadLocalKey, kLocProtErr, {}, kRts, "lkey 0x1", true},
    {"FetchAddBothKeysBad", kAtomicFetchAndAdd, BothKeysBad, kRemAccessErr, {}, kErr, "rkey 0x2"},
    {"CmpSwpBothKeysBad", kAtomicCmpAndSwp, BothKeysBad, kRemAccessErr, {}, kErr, "rkey 0x2"},
    {"WriteLongerThanAnyMessage",
     kRdmaWrite,
     LongerThanAnyMessage,
     kLocLenErr,
     {},
     kRts,
     "the longest has 2^31"},
    {"SendLongerThanAnyMessage",
     kSend,
     LongerThanAnyMessage,
     kLocLenErr,
     {},
     kRts,
     "the longest has 2^31"},

    // The responder's region.
    {"WriteBadRemoteKey",
     kRdmaWrite,
     BadRemoteKey,
     kRemAccessErr,
     {},
     kErr,
     "rkey 0x2 names no live region"},
    {"WriteStaleRemoteKey",
     kRdmaWrite,
     StaleRemoteKey,
     kRemAccessErr,
     {},
     kErr,
     "names no live region"},
    {"WriteRemoteKeyOfAnotherDomain",
     kRdmaWrite,
     RemoteKeyOfAnotherDomain,
     kRemAccessErr,
     {},
     kErr,
     "another protection domain"},
    {"WriteBeyondTheRegion",
     kRdmaWrite,
     RemoteRangeTooLong,
     kRemAccessErr,
     {},
     kErr,
     "outside the region"},
    {"WriteBeforeTheRegion",
     kRdmaWrite,
     RemoteRangeBeforeTheRegion,
     kRemAccessErr,
     {},
     kErr,
     "outside the region"},
    {"WriteRangeThatWraps",
     kRdmaWrite,
     RemoteRangeThatWraps,
     kRemAccessErr,
     {},
     kErr,
     "outside the region"},
    {"WriteRegionWithoutRemoteWrite",
     kRdmaWrite,
     RegionGrantsOnlyLocalWrite,
     kRemAccessErr,
     {},
     kErr,
     "without the access right"},
    {"ReadBadRemoteKey",
     kRdmaRead,
     BadRemoteKey,
     kRemAccessErr,
     {},
     kErr,
     "rkey 0x2 names no live region"},
    {"ReadStaleRemoteKey",
     kRdmaRead,
     StaleRemoteKey,
     kRemAccessErr,
     {},
     kErr,
     "names no live region"},
    {"ReadRemoteKeyOfAnotherDomain",
     kRdmaRead,
     RemoteKeyOfAnotherDomain,
     kRemAccessErr,
     {},
     kErr,
     "another protection domain"},
    {"ReadBeyondTheRegion",
     kRdmaRead,
     RemoteRangeTooLong,
     kRemAccessErr,
     {},
     kErr,
     "outside the region"},
    {"ReadBeforeTheRegion",
     kRdmaRead,
     RemoteRangeBeforeTheRegion,
     kRemAccessErr,
     {},
     kErr,
     "outside the region"},
    {"ReadRangeThatWraps",
     kRdmaRead,
     RemoteRangeThatWraps,
     kRemAccessErr,
     {},
     kErr,
     "outside the region"},
    {"ReadRegionWithoutRemoteRead",
     kRdmaRead,
     RegionGrantsOnlyLocalWrite,
     kRemAccessErr,
     {},
     kErr,
     "without the access right"},
    {"FetchAddBadRemoteKey", kAtomicFetchAndAdd, BadRemoteKey, kRemAccessErr, {}, kErr, "rkey 0x2"},
    {"FetchAddStaleRemoteKey",
     kAtomicFetchAndAdd,
     StaleRemoteKey,
     kRemAccessErr,
     {},
     kErr,
     "names no live region"},
    {"FetchAddRemoteKeyOfAnotherDomain",
     kAtomicFetchAndAdd,
     RemoteKeyOfAnotherDomain,
     kRemAccessErr,
     {},
     kErr,
     "another protection domain"},
    {"FetchAddBeforeTheRegion",
     kAtomicFetchAndAdd,
     RemoteRangeBeforeTheRegion,
     kRemAccessErr,
     {},
     kErr,
     "outside the region"},
    {"FetchAddRegionWithoutRemoteAtomic",
     kAtomicFetchAndAdd,
     RegionGrantsOnlyLocalWrite,
     kRemAccessErr,
     {},
     kErr,
     "without the access right"},
    {"CmpSwpRegionWithoutRemoteAtomic",
     kAtomicCmpAndSwp,
     RegionGrantsOnlyLocalWrite,
     kRemAccessErr,
     {},
     kErr,
     "without the access right"},
    {"WriteWithImmBadRemoteKey", kRdmaWriteWithImm, BadRemoteKey, kRemAccessErr, kLocAccessErr,
     kErr, "rkey 0x2 names no live region"},
    {"WriteWithImmBeyondTheRegion", kRdmaWriteWithImm, RemoteRangeTooLong, kRemAccessErr,
     kLocAccessErr, kErr, "outside the region"},

    // What the responder's queue pair allows.
    {"WriteQueuePairWithoutRemoteWrite",
     kRdmaWrite,
     QueuePairGrantsNothing,
     kRemInvReqErr,
     {},
     kErr,
     "does not allow"},
    {"WriteWithImmQueuePairWithoutRemoteWrite",
     kRdmaWriteWithImm,
     QueuePairGrantsNothing,
     kRemInvReqErr,
     {},
     kErr,
     "does not allow"},
    {"ReadQueuePairWithoutRemoteRead",
     kRdmaRead,
     QueuePairGrantsNothing,
     kRemInvReqErr,
     {},
     kErr,
     "does not allow"},
    {"FetchAddQueuePairWithoutRemoteAtomic",
     kAtomicFetchAndAdd,
     QueuePairGrantsNothing,
     kRemInvReqErr,
     {},
     kErr,
     "does not allow"},
    {"CmpSwpQueuePairWithoutRemoteAtomic",
     kAtomicCmpAndSwp,
     QueuePairGrantsNothing,
     kRemInvReqErr,
     {},
     kErr,
     "does not allow"},
    {"ReadResponderAnswersNone",
     kRdmaRead,
     ResponderAnswersNoReads,
     kRemInvReqErr,
     {},
     kErr,
     "max_dest_rd_atomic is 0"},
    {"FetchAddResponderAnswersNone",
     kAtomicFetchAndAdd,
     ResponderAnswersNoReads,
     kRemInvReqErr,
     {},
     kErr,
     "max_dest_rd_atomic is 0"},

    // The shape of an atomic.
    {"FetchAddMisaligned",
     kAtomicFetchAndAdd,
     Misaligned,
     kRemInvReqErr,
     {},
     kErr,
     "not a multiple of 8"},
    {"CmpSwpMisaligned",
     kAtomicCmpAndSwp,
     Misaligned,
     kRemInvReqErr,
     {},
     kErr,
     "not a multiple of 8"},
    {"FetchAddMisalignedWithBadKeys",
     kAtomicFetchAndAdd,
     MisalignedWithBadKeys,
     kRemInvReqErr,
     {},
     kErr,
     "not a multiple of 8"},
    {"FetchAddOfFourBytes",
     kAtomicFetchAndAdd,
     Short,
     kLocLenErr,
     {},
     kRts,
     "of 4 bytes, expected 8"},
    {"CmpSwpOfSixteenBytes",
     kAtomicCmpAndSwp,
     Long,
     kLocLenErr,
     {},
     kRts,
     "of 16 bytes, expected 8"},
    {"FetchAddOfNothing",
     kAtomicFetchAndAdd,
     Empty,
     kLocLenErr,
     {},
     kRts,
     "of 0 bytes, expected 8"},
    {"AtomicWriteMisaligned",
     kAtomicWrite,
     Misaligned,
     kRemInvReqErr,
     {},
     kErr,
     "not a multiple of 8"},
    {"AtomicWriteOfFourBytes",
     kAtomicWrite,
     Short,
     kRemInvReqErr,
     {},
     kErr,
     "of 4 bytes, expected 8"},
    {"AtomicWriteOfNothing",
     kAtomicWrite,
     Empty,
     kRemInvReqErr,
     {},
     kErr,
     "of 0 bytes, expected 8"},
    {"AtomicWriteBadRemoteKey", kAtomicWrite, BadRemoteKey, kRemAccessErr, {}, kErr, "rkey 0x2"},

    // The receive that a message meets.
    {"SendLongerThanTheReceive", kSend, LongerThanTheReceive, kRemInvReqErr, kLocLenErr, kErr,
     "17 bytes, the receive holds 16"},
    {"SendReceiveWithABadKey", kSend, ReceiveWithABadKey, kRemOpErr, kLocProtErr, kErr,
     "the receive's lkey 0x1 names no live region"},
    {"SendWithImmReceiveOutOfRange", kSendWithImm, ReceiveOutOfRange, kRemOpErr, kLocProtErr, kErr,
     "outside the region"},
    {"SendReceiveWithoutLocalWrite", kSend, ReceiveWithoutLocalWrite, kRemOpErr, kLocProtErr, kErr,
     "without the access right"},
    {"SendReceiveOfAnotherDomain", kSend, ReceiveOfAnotherDomain, kRemOpErr, kLocProtErr, kErr,
     "another protection domain"},
    {"SendWithInvBadKey", kSendWithInv, [](TestPair&, SendWr& wr) { wr.imm_data = 2; },
     kRetryExcErr, kLocAccessErr, kErr, "", true},

    // Nobody there.
    {"WritePeerInReset",
     kRdmaWrite,
     PeerInReset,
     kRetryExcErr,
     {},
     QpState::kReset,
     "no responder answered"},
    {"WritePeerInInit",
     kRdmaWrite,
     PeerInInit,
     kRetryExcErr,
     {},
     QpState::kInit,
     "no responder answered"},
    {"WritePeerInErr", kRdmaWrite, PeerInErr, kRetryExcErr, {}, kErr, "no responder answered"},
    {"WritePeerOfAnother",
     kRdmaWrite,
     PeerOfAnother,
     kRetryExcErr,
     {},
     kRts,
     "no responder answered"},
    {"WriteToANumberOfNobody",
     kRdmaWrite,
     NumberOfNobody,
     kRetryExcErr,
     {},
     kRts,
     "no responder answered"},
    {"SendPeerInErr", kSend, PeerInErr, kRetryExcErr, {}, kErr, "no responder answered"},
    {"ReadPeerInReset",
     kRdmaRead,
     PeerInReset,
     kRetryExcErr,
     {},
     QpState::kReset,
     "no responder answered"},
    {"FetchAddPeerInErr",
     kAtomicFetchAndAdd,
     PeerInErr,
     kRetryExcErr,
     {},
     kErr,
     "no responder answered"},
};

class FailureTable : public testing::TestWithParam<std::tuple<Row, bool>> {
 protected:
  SendWr Request() {
    SendWr wr = pair_.Write(7, 8, /*flags=*/0);
    wr.opcode = row().opcode;
    wr.compare_add = 1;
    wr.swap = 2;
    return wr;
  }

  bool consumes() const { return ConsumesReceive(row().opcode); }
  const Row& row() const { return std::get<0>(GetParam()); }

  // All that happens, and every wait to its end.
  void Run() {
    pair_.fabric.RunInOrder();
    while (const auto deadline = pair_.fabric.NextDeadline()) {
      pair_.clock.now = *deadline;
      pair_.fabric.FireTimers();
      pair_.fabric.RunInOrder();
    }
  }

  TestPair pair_;
};

TEST_P(FailureTable, Row) {
  pair_.fabric.set_eager(std::get<1>(GetParam()));
  pair_.local.Fill("abcdefgh");
  const uint64_t word = 1;
  std::memcpy(pair_.remote.memory.data(), &word, sizeof word);
  const std::string before = pair_.remote.text(0, 256);
  const uint32_t good_key = pair_.local.mr->key;
  SendWr wr = Request();
  pair_.recv_sge = {pair_.remote.addr(32), 16, pair_.remote.mr->key};
  row().breaks(pair_, wr);
  if (consumes()) pair_.fabric.PostRecv(*pair_.remote.qp, {90, {&pair_.recv_sge, 1}});
  pair_.Poll(pair_.remote);

  EXPECT_EQ(pair_.Post(wr), 0);
  Sge later{pair_.local.addr(0), 8, good_key};
  pair_.Post({8, kRdmaWrite, send_flag::kSignaled, {&later, 1}, pair_.remote.addr(0), 3});
  Run();

  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(7, row().status), Pair(8, kWrFlushErr)));
  EXPECT_EQ(pair_.local.qp->state(), kErr);
  EXPECT_EQ(pair_.remote.qp->state(), row().responder);
  if (row().recv_status) {
    EXPECT_THAT(pair_.Poll(pair_.remote), ElementsAre(Pair(90, *row().recv_status)));
  } else {
    for (const auto& [wr_id, status] : pair_.Poll(pair_.remote)) EXPECT_EQ(status, kWrFlushErr);
  }
  EXPECT_EQ(pair_.remote.text(0, 256) != before, row().remote_changes);
  EXPECT_EQ(pair_.local.text(0, 256), "abcdefgh" + std::string(248, '\0'));
  EXPECT_THAT(pair_.local.qp->first_cause, HasSubstr(row().explanation));
}

INSTANTIATE_TEST_SUITE_P(Eager, FailureTable,
                         testing::Combine(testing::ValuesIn(kTable), testing::Values(true)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name);
                         });
INSTANTIATE_TEST_SUITE_P(Stepped, FailureTable,
                         testing::Combine(testing::ValuesIn(kTable), testing::Values(false)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name);
                         });

}  // namespace
}  // namespace fakenic
