// The ibv_wr_*(3) builders of an ibv_qp_ex. A batch is collected and posted as a whole; its first
// error drops all of it.
#include <infiniband/verbs.h>

#include "abi/edge.h"
#include "abi/objects.h"

namespace fakenic {
namespace {

Batch& BatchOf(ibv_qp_ex* ex) { return From<FakeQp>(ex)->batch; }

void Clear(Batch& batch) {
  batch.wrs.clear();
  batch.sges.clear();
  batch.bytes.clear();
  batch.error = 0;
}

void Start(ibv_qp_ex* ex) {
  Batch& batch = BatchOf(ex);
  batch.mutex.lock();
  Clear(batch);
}

void Add(ibv_qp_ex* ex, WrOpcode opcode, uint32_t rkey, uint64_t remote_addr) {
  Batch& batch = BatchOf(ex);
  const SendWr wr{ex->wr_id, opcode, ex->wr_flags, {}, remote_addr, rkey};
  batch.wrs.push_back({wr, batch.sges.size(), 0, batch.bytes.size(), 0});
}

void AddWithImm(ibv_qp_ex* ex, WrOpcode opcode, uint32_t rkey, uint64_t remote_addr, uint32_t imm) {
  Add(ex, opcode, rkey, remote_addr);
  BatchOf(ex).wrs.back().wr.imm_data = imm;
}

// The work request that a setter belongs to; none is an error of the batch.
BuiltWr* Last(Batch& batch) {
  if (batch.wrs.empty()) batch.error = EINVAL;
  return batch.wrs.empty() ? nullptr : &batch.wrs.back();
}

void AddSge(ibv_qp_ex* ex, const Sge& sge) {
  Batch& batch = BatchOf(ex);
  BuiltWr* built = Last(batch);
  if (built == nullptr) return;
  batch.sges.push_back(sge);
  ++built->sges;
}

void AddBytes(ibv_qp_ex* ex, const void* from, size_t length) {
  Batch& batch = BatchOf(ex);
  BuiltWr* built = Last(batch);
  if (built == nullptr) return;
  const auto* bytes = static_cast<const std::byte*>(from);
  batch.bytes.insert(batch.bytes.end(), bytes, bytes + length);
  built->bytes += length;
  built->wr.flags |= send_flag::kInline;
}

void RdmaWrite(ibv_qp_ex* ex, uint32_t rkey, uint64_t remote_addr) {
  Add(ex, WrOpcode::kRdmaWrite, rkey, remote_addr);
}

void RdmaRead(ibv_qp_ex* ex, uint32_t rkey, uint64_t remote_addr) {
  Add(ex, WrOpcode::kRdmaRead, rkey, remote_addr);
}

void RdmaWriteImm(ibv_qp_ex* ex, uint32_t rkey, uint64_t remote_addr, __be32 imm_data) {
  AddWithImm(ex, WrOpcode::kRdmaWriteWithImm, rkey, remote_addr, imm_data);
}

void Send(ibv_qp_ex* ex) { Add(ex, WrOpcode::kSend, 0, 0); }

void SendImm(ibv_qp_ex* ex, __be32 imm_data) {
  AddWithImm(ex, WrOpcode::kSendWithImm, 0, 0, imm_data);
}

void SendInv(ibv_qp_ex* ex, uint32_t invalidate_rkey) {
  AddWithImm(ex, WrOpcode::kSendWithInv, 0, 0, invalidate_rkey);
}

void CmpSwp(ibv_qp_ex* ex, uint32_t rkey, uint64_t remote_addr, uint64_t compare, uint64_t swap) {
  Add(ex, WrOpcode::kAtomicCmpAndSwp, rkey, remote_addr);
  SendWr& wr = BatchOf(ex).wrs.back().wr;
  wr.compare_add = compare;
  wr.swap = swap;
}

void FetchAdd(ibv_qp_ex* ex, uint32_t rkey, uint64_t remote_addr, uint64_t add) {
  Add(ex, WrOpcode::kAtomicFetchAndAdd, rkey, remote_addr);
  BatchOf(ex).wrs.back().wr.compare_add = add;
}

void AtomicWrite(ibv_qp_ex* ex, uint32_t rkey, uint64_t remote_addr, const void* atomic_wr) {
  Add(ex, WrOpcode::kAtomicWrite, rkey, remote_addr);
  AddBytes(ex, atomic_wr, 8);
}

void FlushRange(ibv_qp_ex* ex, uint32_t rkey, uint64_t remote_addr, size_t len, uint8_t type,
                uint8_t level) {
  Add(ex, WrOpcode::kFlush, rkey, remote_addr);
  BatchOf(ex).wrs.back().wr.flush = {len, type, level};
}

void SetSge(ibv_qp_ex* ex, uint32_t lkey, uint64_t addr, uint32_t length) {
  AddSge(ex, {addr, length, lkey});
}

void SetSgeList(ibv_qp_ex* ex, size_t num_sge, const ibv_sge* list) {
  for (size_t i = 0; i < num_sge; ++i) AddSge(ex, {list[i].addr, list[i].length, list[i].lkey});
}

void SetInlineData(ibv_qp_ex* ex, void* addr, size_t length) { AddBytes(ex, addr, length); }

void SetInlineDataList(ibv_qp_ex* ex, size_t num_buf, const ibv_data_buf* list) {
  for (size_t i = 0; i < num_buf; ++i) AddBytes(ex, list[i].addr, list[i].length);
}

// Fits the batch together now that its parts no longer move.
void Link(Batch& batch) {
  for (BuiltWr& built : batch.wrs) {
    if (built.wr.has(send_flag::kInline)) {
      const auto addr = reinterpret_cast<uintptr_t>(batch.bytes.data() + built.first_byte);
      built.first_sge = batch.sges.size();
      built.sges = 1;
      batch.sges.push_back({addr, static_cast<uint32_t>(built.bytes), 0});
    }
  }
  for (BuiltWr& built : batch.wrs) {
    built.wr.sges = std::span<const Sge>(batch.sges).subspan(built.first_sge, built.sges);
  }
}

int Post(Qp& qp, Batch& batch) {
  Edge& nic = edge();
  const Locked locked;
  if (const int error = nic.faults.FireHeld("ibv_wr_complete")) return error;
  Link(batch);
  const bool early = qp.too_early_to_send();
  const int too_early = nic.fabric.device().profile().early_sends_vanish() ? 0 : EINVAL;
  if (early && !nic.fabric.KeepsEarly(qp)) return too_early;
  if (batch.wrs.size() > qp.free_send_slots()) return ENOMEM;
  for (const BuiltWr& built : batch.wrs) {
    if (const int error = qp.CheckPostSend(built.wr)) return error;
  }
  for (const BuiltWr& built : batch.wrs) nic.fabric.PostSend(qp, built.wr);
  return early ? too_early : 0;
}

int Complete(ibv_qp_ex* ex) {
  Batch& batch = BatchOf(ex);
  const int error = batch.error != 0 ? batch.error : Post(*From<FakeQp>(ex)->model, batch);
  batch.mutex.unlock();
  return error;
}

void Abort(ibv_qp_ex* ex) { BatchOf(ex).mutex.unlock(); }

}  // namespace

void FillBuilders(WithWrFlush<ibv_qp_ex>& qp, uint64_t send_ops_flags) {
  ibv_qp_ex& ex = qp.ex;
  ex.wr_start = Start;
  ex.wr_complete = Complete;
  ex.wr_abort = Abort;
  ex.wr_set_sge = SetSge;
  ex.wr_set_sge_list = SetSgeList;
  ex.wr_set_inline_data = SetInlineData;
  ex.wr_set_inline_data_list = SetInlineDataList;
  const auto offer = [&](uint64_t flag, auto& slot, auto* builder) {
    if ((send_ops_flags & flag) != 0) slot = builder;
  };
  offer(IBV_QP_EX_WITH_RDMA_WRITE, ex.wr_rdma_write, RdmaWrite);
  offer(IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM, ex.wr_rdma_write_imm, RdmaWriteImm);
  offer(IBV_QP_EX_WITH_SEND, ex.wr_send, Send);
  offer(IBV_QP_EX_WITH_SEND_WITH_IMM, ex.wr_send_imm, SendImm);
  offer(IBV_QP_EX_WITH_SEND_WITH_INV, ex.wr_send_inv, SendInv);
  offer(IBV_QP_EX_WITH_RDMA_READ, ex.wr_rdma_read, RdmaRead);
  offer(IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP, ex.wr_atomic_cmp_swp, CmpSwp);
  offer(IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD, ex.wr_atomic_fetch_add, FetchAdd);
  offer(IBV_QP_EX_WITH_ATOMIC_WRITE, ex.wr_atomic_write, AtomicWrite);
  offer(kFlushSendOp, qp.wr_flush(), FlushRange);
}

}  // namespace fakenic
