#include "nic/failure_table.h"

namespace fakenic {
namespace {

constexpr QpState kRts = QpState::kRts;
constexpr QpState kErr = QpState::kErr;

// Of the same memory.
uint32_t KeyOfAnotherDomain(Context& context, const TestEnd& end) {
  const Pd* pd = context.AllocPd().object;
  return context.RegMr(pd->handle, end.addr(0), end.memory.size(), kEverything).object->key;
}

void BadLocalKey(Ends& p, SendWr&) { p.sge.lkey = 1; }
void LocalKeyOfAnotherDomain(Ends& p, SendWr&) { p.sge.lkey = KeyOfAnotherDomain(p.here, p.local); }
void StaleLocalKey(Ends& p, SendWr&) { p.here.DeregMr(p.local.mr->handle); }
void LocalRangeTooLong(Ends& p, SendWr&) { p.sge.addr = p.local.addr(249); }
void LocalRegionWithoutLocalWrite(Ends& p, SendWr&) {
  p.local.mr->access = access_flag::kRemoteRead;
}
void BadRemoteKey(Ends&, SendWr& wr) { wr.rkey = 2; }
void StaleRemoteKey(Ends& p, SendWr&) { p.there.DeregMr(p.remote.mr->handle); }
void BothKeysBad(Ends& p, SendWr& wr) {
  p.sge.lkey = 1;
  wr.rkey = 2;
}
void RemoteKeyOfAnotherDomain(Ends& p, SendWr& wr) {
  wr.rkey = KeyOfAnotherDomain(p.there, p.remote);
}
void RemoteRangeTooLong(Ends& p, SendWr& wr) { wr.remote_addr = p.remote.addr(249); }
void RemoteRangeBeforeTheRegion(Ends& p, SendWr& wr) { wr.remote_addr = p.remote.addr(0) - 8; }
void RemoteRangeThatWraps(Ends&, SendWr& wr) { wr.remote_addr = UINT64_MAX - 7; }
void RegionGrantsOnlyLocalWrite(Ends& p, SendWr&) {
  p.remote.mr->access = access_flag::kLocalWrite;
}
void QueuePairGrantsNothing(Ends& p, SendWr&) { p.remote.qp->attr().access_flags = 0; }
void ResponderAnswersNoReads(Ends& p, SendWr&) { p.remote.qp->attr().max_dest_rd_atomic = 0; }
void Misaligned(Ends& p, SendWr& wr) { wr.remote_addr = p.remote.addr(4); }
void MisalignedWithBadKeys(Ends& p, SendWr& wr) {
  BothKeysBad(p, wr);
  Misaligned(p, wr);
}
void Short(Ends& p, SendWr&) { p.sge.length = 4; }
void Long(Ends& p, SendWr&) { p.sge.length = 16; }
void Empty(Ends&, SendWr& wr) { wr.sges = {}; }
void LongerThanAnyMessage(Ends& p, SendWr&) { p.sge.length = 0x80000001; }
void LongerThanTheReceive(Ends& p, SendWr&) { p.sge.length = 17; }
void ReceiveWithABadKey(Ends& p, SendWr&) { p.recv_sge.lkey = 1; }
void ReceiveOutOfRange(Ends& p, SendWr&) { p.recv_sge.addr = p.remote.addr(250); }
void ReceiveOfAnotherDomain(Ends& p, SendWr&) {
  p.recv_sge.lkey = KeyOfAnotherDomain(p.there, p.remote);
}
void ReceiveWithoutLocalWrite(Ends& p, SendWr&) { p.remote.mr->access = access_flag::kRemoteRead; }
void RegionLacksOneTypeOfFlush(Ends& p, SendWr&) {
  p.remote.mr->access = kEverything & ~access_flag::kFlushPersistent;
}
void QueuePairLacksOneTypeOfFlush(Ends& p, SendWr&) {
  p.remote.qp->attr().access_flags = kEverything & ~access_flag::kFlushGlobal;
}
void NothingBeyondTheRegion(Ends& p, SendWr& wr) {
  wr.remote_addr = p.remote.addr(0) + 257;
  wr.flush.length = 0;
}
void NothingWithABadKey(Ends& p, SendWr& wr) {
  BadRemoteKey(p, wr);
  wr.flush.length = 0;
}
void WholeRegionWithABadKey(Ends& p, SendWr& wr) {
  BadRemoteKey(p, wr);
  wr.flush.level = flush_level::kMr;
}
void WholeRegionWithoutTheRight(Ends& p, SendWr& wr) {
  RegionLacksOneTypeOfFlush(p, wr);
  wr.flush.level = flush_level::kMr;
}
void MoveRemote(Ends& p, QpState to) {
  QpAttr attr;
  attr.port_num = 1;
  attr.state = QpState::kReset;
  p.remote_fabric.ModifyQp(*p.remote.qp, attr, qp_mask::kState);
  attr.state = QpState::kInit;
  if (to != QpState::kReset) {
    p.remote_fabric.ModifyQp(
        *p.remote.qp, attr,
        qp_mask::kState | qp_mask::kPkeyIndex | qp_mask::kPort | qp_mask::kAccessFlags);
  }
  attr.state = to;
  if (to == kErr) p.remote_fabric.ModifyQp(*p.remote.qp, attr, qp_mask::kState);
}
void PeerInReset(Ends& p, SendWr&) { MoveRemote(p, QpState::kReset); }
void PeerInInit(Ends& p, SendWr&) { MoveRemote(p, QpState::kInit); }
void PeerInErr(Ends& p, SendWr&) { MoveRemote(p, kErr); }
void PeerOfAnother(Ends& p, SendWr&) { p.remote.qp->attr().dest_qp_num = p.remote.qp->num; }
void NumberOfNobody(Ends& p, SendWr&) { p.local.qp->attr().dest_qp_num = 0xffff; }

namespace rows {

using enum WrOpcode;
using enum WcStatus;

// A row a line.
// clang-format off
const FailureRow kTable[] = {
    // The requester's own buffers.
    {"WriteBadLocalKey", kRdmaWrite, BadLocalKey, kLocProtErr, {}, kRts, "lkey 0x1 names no live region"},
    {"WriteStaleLocalKey", kRdmaWrite, StaleLocalKey, kLocProtErr, {}, kRts, "names no live region"},
    {"WriteLocalKeyOfAnotherDomain", kRdmaWrite, LocalKeyOfAnotherDomain, kLocProtErr, {}, kRts, "another protection domain"},
    {"WriteSourceOutOfRange", kRdmaWrite, LocalRangeTooLong, kLocProtErr, {}, kRts, "outside the region"},
    {"WriteBothKeysBad", kRdmaWrite, BothKeysBad, kLocProtErr, {}, kRts, "lkey"},
    {"SendBadLocalKey", kSend, BadLocalKey, kLocProtErr, {}, kRts, "lkey 0x1 names no live region"},
    {"SendLocalKeyOfAnotherDomain", kSend, LocalKeyOfAnotherDomain, kLocProtErr, {}, kRts, "another protection domain"},
    {"ReadBadLocalKey", kRdmaRead, BadLocalKey, kLocProtErr, {}, kRts, "lkey 0x1 names no live region"},
    {"ReadLocalKeyOfAnotherDomain", kRdmaRead, LocalKeyOfAnotherDomain, kLocProtErr, {}, kRts, "another protection domain"},
    {"ReadTargetOutOfRange", kRdmaRead, LocalRangeTooLong, kLocProtErr, {}, kRts, "outside the region"},
    {"ReadLocalRegionWithoutLocalWrite", kRdmaRead, LocalRegionWithoutLocalWrite, kLocProtErr, {}, kRts, "without the access right"},
    {"ReadBothKeysBad", kRdmaRead, BothKeysBad, kRemAccessErr, {}, kErr, "rkey"},
    {"FetchAddBadLocalKey", kAtomicFetchAndAdd, BadLocalKey, kLocProtErr, {}, kRts, "lkey 0x1", true},
    {"CmpSwpBadLocalKey", kAtomicCmpAndSwp, BadLocalKey, kLocProtErr, {}, kRts, "lkey 0x1", true},
    {"FetchAddBothKeysBad", kAtomicFetchAndAdd, BothKeysBad, kRemAccessErr, {}, kErr, "rkey 0x2"},
    {"CmpSwpBothKeysBad", kAtomicCmpAndSwp, BothKeysBad, kRemAccessErr, {}, kErr, "rkey 0x2"},
    {"WriteLongerThanAnyMessage", kRdmaWrite, LongerThanAnyMessage, kLocLenErr, {}, kRts, "the longest has 2^31"},
    {"SendLongerThanAnyMessage", kSend, LongerThanAnyMessage, kLocLenErr, {}, kRts, "the longest has 2^31"},

    // The responder's region.
    {"WriteBadRemoteKey", kRdmaWrite, BadRemoteKey, kRemAccessErr, {}, kErr, "rkey 0x2 names no live region"},
    {"WriteStaleRemoteKey", kRdmaWrite, StaleRemoteKey, kRemAccessErr, {}, kErr, "names no live region"},
    {"WriteRemoteKeyOfAnotherDomain", kRdmaWrite, RemoteKeyOfAnotherDomain, kRemAccessErr, {}, kErr, "another protection domain"},
    {"WriteBeyondTheRegion", kRdmaWrite, RemoteRangeTooLong, kRemAccessErr, {}, kErr, "outside the region"},
    {"WriteBeforeTheRegion", kRdmaWrite, RemoteRangeBeforeTheRegion, kRemAccessErr, {}, kErr, "outside the region"},
    {"WriteRangeThatWraps", kRdmaWrite, RemoteRangeThatWraps, kRemAccessErr, {}, kErr, "outside the region"},
    {"WriteRegionWithoutRemoteWrite", kRdmaWrite, RegionGrantsOnlyLocalWrite, kRemAccessErr, {}, kErr, "without the access right"},
    {"ReadBadRemoteKey", kRdmaRead, BadRemoteKey, kRemAccessErr, {}, kErr, "rkey 0x2 names no live region"},
    {"ReadStaleRemoteKey", kRdmaRead, StaleRemoteKey, kRemAccessErr, {}, kErr, "names no live region"},
    {"ReadRemoteKeyOfAnotherDomain", kRdmaRead, RemoteKeyOfAnotherDomain, kRemAccessErr, {}, kErr, "another protection domain"},
    {"ReadBeyondTheRegion", kRdmaRead, RemoteRangeTooLong, kRemAccessErr, {}, kErr, "outside the region"},
    {"ReadBeforeTheRegion", kRdmaRead, RemoteRangeBeforeTheRegion, kRemAccessErr, {}, kErr, "outside the region"},
    {"ReadRangeThatWraps", kRdmaRead, RemoteRangeThatWraps, kRemAccessErr, {}, kErr, "outside the region"},
    {"ReadRegionWithoutRemoteRead", kRdmaRead, RegionGrantsOnlyLocalWrite, kRemAccessErr, {}, kErr, "without the access right"},
    {"FetchAddBadRemoteKey", kAtomicFetchAndAdd, BadRemoteKey, kRemAccessErr, {}, kErr, "rkey 0x2"},
    {"FetchAddStaleRemoteKey", kAtomicFetchAndAdd, StaleRemoteKey, kRemAccessErr, {}, kErr, "names no live region"},
    {"FetchAddRemoteKeyOfAnotherDomain", kAtomicFetchAndAdd, RemoteKeyOfAnotherDomain, kRemAccessErr, {}, kErr, "another protection domain"},
    {"FetchAddBeforeTheRegion", kAtomicFetchAndAdd, RemoteRangeBeforeTheRegion, kRemAccessErr, {}, kErr, "outside the region"},
    {"FetchAddRegionWithoutRemoteAtomic", kAtomicFetchAndAdd, RegionGrantsOnlyLocalWrite, kRemAccessErr, {}, kErr, "without the access right"},
    {"CmpSwpRegionWithoutRemoteAtomic", kAtomicCmpAndSwp, RegionGrantsOnlyLocalWrite, kRemAccessErr, {}, kErr, "without the access right"},
    {"WriteWithImmBadRemoteKey", kRdmaWriteWithImm, BadRemoteKey, kRemAccessErr, kLocAccessErr, kErr, "rkey 0x2 names no live region"},
    {"WriteWithImmBeyondTheRegion", kRdmaWriteWithImm, RemoteRangeTooLong, kRemAccessErr, kLocAccessErr, kErr, "outside the region"},

    {"FlushBadRemoteKey", kFlush, BadRemoteKey, kRemAccessErr, {}, kErr, "rkey 0x2 names no live region"},
    {"FlushStaleRemoteKey", kFlush, StaleRemoteKey, kRemAccessErr, {}, kErr, "names no live region"},
    {"FlushRemoteKeyOfAnotherDomain", kFlush, RemoteKeyOfAnotherDomain, kRemAccessErr, {}, kErr, "another protection domain"},
    {"FlushBeyondTheRegion", kFlush, RemoteRangeTooLong, kRemAccessErr, {}, kErr, "outside the region"},
    {"FlushRangeThatWraps", kFlush, RemoteRangeThatWraps, kRemAccessErr, {}, kErr, "outside the region"},
    {"FlushOfNothingBeyondTheRegion", kFlush, NothingBeyondTheRegion, kRemAccessErr, {}, kErr, "outside the region"},
    {"FlushOfNothingWithABadKey", kFlush, NothingWithABadKey, kRemAccessErr, {}, kErr, "rkey 0x2 names no live region"},
    {"FlushRegionLacksOneType", kFlush, RegionLacksOneTypeOfFlush, kRemAccessErr, {}, kErr, "without the access right"},
    {"FlushOfARegionWithABadKey", kFlush, WholeRegionWithABadKey, kRemAccessErr, {}, kErr, "rkey 0x2 names no live region"},
    {"FlushOfARegionThatLacksOneType", kFlush, WholeRegionWithoutTheRight, kRemAccessErr, {}, kErr, "without the access right"},

    // What the responder's queue pair allows.
    {"WriteQueuePairWithoutRemoteWrite", kRdmaWrite, QueuePairGrantsNothing, kRemInvReqErr, {}, kErr, "does not allow"},
    {"WriteWithImmQueuePairWithoutRemoteWrite", kRdmaWriteWithImm, QueuePairGrantsNothing, kRemInvReqErr, {}, kErr, "does not allow"},
    {"ReadQueuePairWithoutRemoteRead", kRdmaRead, QueuePairGrantsNothing, kRemInvReqErr, {}, kErr, "does not allow"},
    {"FetchAddQueuePairWithoutRemoteAtomic", kAtomicFetchAndAdd, QueuePairGrantsNothing, kRemInvReqErr, {}, kErr, "does not allow"},
    {"CmpSwpQueuePairWithoutRemoteAtomic", kAtomicCmpAndSwp, QueuePairGrantsNothing, kRemInvReqErr, {}, kErr, "does not allow"},
    {"FlushQueuePairWithoutFlush", kFlush, QueuePairGrantsNothing, kRemInvReqErr, {}, kErr, "does not allow"},
    {"FlushQueuePairLacksOneType", kFlush, QueuePairLacksOneTypeOfFlush, kRemInvReqErr, {}, kErr, "does not allow"},
    {"ReadResponderAnswersNone", kRdmaRead, ResponderAnswersNoReads, kRemInvReqErr, {}, kErr, "max_dest_rd_atomic is 0"},
    {"FetchAddResponderAnswersNone", kAtomicFetchAndAdd, ResponderAnswersNoReads, kRemInvReqErr, {}, kErr, "max_dest_rd_atomic is 0"},

    // The shape of an atomic.
    {"FetchAddMisaligned", kAtomicFetchAndAdd, Misaligned, kRemInvReqErr, {}, kErr, "not a multiple of 8"},
    {"CmpSwpMisaligned", kAtomicCmpAndSwp, Misaligned, kRemInvReqErr, {}, kErr, "not a multiple of 8"},
    {"FetchAddMisalignedWithBadKeys", kAtomicFetchAndAdd, MisalignedWithBadKeys, kRemInvReqErr, {}, kErr, "not a multiple of 8"},
    {"FetchAddOfFourBytes", kAtomicFetchAndAdd, Short, kLocLenErr, {}, kRts, "of 4 bytes, expected 8"},
    {"CmpSwpOfSixteenBytes", kAtomicCmpAndSwp, Long, kLocLenErr, {}, kRts, "of 16 bytes, expected 8"},
    {"FetchAddOfNothing", kAtomicFetchAndAdd, Empty, kLocLenErr, {}, kRts, "of 0 bytes, expected 8"},
    {"AtomicWriteMisaligned", kAtomicWrite, Misaligned, kRemInvReqErr, {}, kErr, "not a multiple of 8"},
    {"AtomicWriteOfFourBytes", kAtomicWrite, Short, kRemInvReqErr, {}, kErr, "of 4 bytes, expected 8"},
    {"AtomicWriteOfNothing", kAtomicWrite, Empty, kRemInvReqErr, {}, kErr, "of 0 bytes, expected 8"},
    {"AtomicWriteBadRemoteKey", kAtomicWrite, BadRemoteKey, kRemAccessErr, {}, kErr, "rkey 0x2"},

    // The receive that a message meets.
    {"SendLongerThanTheReceive", kSend, LongerThanTheReceive, kRemInvReqErr, kLocLenErr, kErr, "17 bytes, the receive holds 16"},
    {"SendReceiveWithABadKey", kSend, ReceiveWithABadKey, kRemOpErr, kLocProtErr, kErr, "the receive's lkey 0x1 names no live region"},
    {"SendWithImmReceiveOutOfRange", kSendWithImm, ReceiveOutOfRange, kRemOpErr, kLocProtErr, kErr, "outside the region"},
    {"SendReceiveWithoutLocalWrite", kSend, ReceiveWithoutLocalWrite, kRemOpErr, kLocProtErr, kErr, "without the access right"},
    {"SendReceiveOfAnotherDomain", kSend, ReceiveOfAnotherDomain, kRemOpErr, kLocProtErr, kErr, "another protection domain"},
    {"SendWithInvBadKey", kSendWithInv, [](Ends&, SendWr& wr) { wr.imm_data = 2; }, kRetryExcErr, kLocAccessErr, kErr, "", true},

    // Nobody there.
    {"WritePeerInReset", kRdmaWrite, PeerInReset, kRetryExcErr, {}, QpState::kReset, "no responder answered"},
    {"WritePeerInInit", kRdmaWrite, PeerInInit, kRetryExcErr, {}, QpState::kInit, "no responder answered"},
    {"WritePeerInErr", kRdmaWrite, PeerInErr, kRetryExcErr, {}, kErr, "no responder answered"},
    {"WritePeerOfAnother", kRdmaWrite, PeerOfAnother, kRetryExcErr, {}, kRts, "no responder answered"},
    {"WriteToANumberOfNobody", kRdmaWrite, NumberOfNobody, kRetryExcErr, {}, kRts, "no responder answered"},
    {"SendPeerInErr", kSend, PeerInErr, kRetryExcErr, {}, kErr, "no responder answered"},
    {"ReadPeerInReset", kRdmaRead, PeerInReset, kRetryExcErr, {}, QpState::kReset, "no responder answered"},
    {"FlushPeerInErr", kFlush, PeerInErr, kRetryExcErr, {}, kErr, "no responder answered"},
    {"FetchAddPeerInErr", kAtomicFetchAndAdd, PeerInErr, kRetryExcErr, {}, kErr, "no responder answered"},
};
// clang-format on

}  // namespace rows

}  // namespace

std::span<const FailureRow> FailureTable() { return rows::kTable; }

}  // namespace fakenic
