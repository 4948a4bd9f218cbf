// Extended completion queues: ibv_create_cq_ex(3), ibv_start_poll and the ibv_wc_read_* accessors.
#include <infiniband/verbs.h>

#include "abi/edge.h"
#include "abi/objects.h"

namespace fakenic {
namespace {

FakeCq& Of(ibv_cq_ex* ex) { return *From<FakeCq>(ex); }

// Takes the oldest completion, which the accessors then read. Requires poll_mutex.
int Advance(FakeCq& fake) {
  Edge& nic = edge();
  const std::lock_guard lock(nic.mutex);
  if (nic.faults.FireHeld("ibv_poll_cq") != 0) return EIO;
  nic.BeforePoll();
  if (fake.model->size() == 0) return ENOENT;
  fake.current = nic.fabric.Poll(*fake.model);
  fake.ex.wr_id = fake.current.wr_id;
  fake.ex.status = static_cast<ibv_wc_status>(fake.current.status);
  return 0;
}

int StartPoll(ibv_cq_ex* ex, ibv_poll_cq_attr* attr) {
  if (attr->comp_mask != 0) return EINVAL;
  FakeCq& fake = Of(ex);
  fake.poll_mutex.lock();
  const int error = Advance(fake);
  if (error != 0) fake.poll_mutex.unlock();
  return error;
}

int NextPoll(ibv_cq_ex* ex) { return Advance(Of(ex)); }

void EndPoll(ibv_cq_ex* ex) { Of(ex).poll_mutex.unlock(); }

ibv_wc_opcode ReadOpcode(ibv_cq_ex* ex) {
  return static_cast<ibv_wc_opcode>(Of(ex).current.opcode);
}

uint32_t ReadVendorErr(ibv_cq_ex* ex) { return Of(ex).current.vendor_err; }
uint32_t ReadByteLen(ibv_cq_ex* ex) { return Of(ex).current.byte_len; }
__be32 ReadImmData(ibv_cq_ex* ex) { return Of(ex).current.imm_data; }
uint32_t ReadQpNum(ibv_cq_ex* ex) { return Of(ex).current.qp_num; }
unsigned ReadWcFlags(ibv_cq_ex* ex) { return Of(ex).current.wc_flags; }

// These say nothing about a reliable connection.
uint32_t ReadNothing(ibv_cq_ex*) { return 0; }
uint8_t ReadNoByte(ibv_cq_ex*) { return 0; }

int Check(const ibv_cq_init_attr_ex& attr) {
  if ((attr.comp_mask & ~uint32_t{IBV_CQ_INIT_ATTR_MASK_FLAGS}) != 0) return EOPNOTSUPP;
  if ((attr.wc_flags & ~uint64_t{IBV_WC_STANDARD_FLAGS}) != 0) return EOPNOTSUPP;
  const bool flags = (attr.comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS) != 0;
  const bool known = (attr.flags & ~uint32_t{IBV_CREATE_CQ_ATTR_SINGLE_THREADED}) == 0;
  return flags && !known ? EOPNOTSUPP : 0;
}

// The accessors of what was asked for; the others stay null, as on any device.
void FillAccessors(ibv_cq_ex& ex, uint64_t wc_flags) {
  ex.start_poll = StartPoll;
  ex.next_poll = NextPoll;
  ex.end_poll = EndPoll;
  ex.read_opcode = ReadOpcode;
  ex.read_vendor_err = ReadVendorErr;
  ex.read_wc_flags = ReadWcFlags;
  const auto offer = [&](uint64_t flag, auto& slot, auto* accessor) {
    if ((wc_flags & flag) != 0) slot = accessor;
  };
  offer(IBV_WC_EX_WITH_BYTE_LEN, ex.read_byte_len, ReadByteLen);
  offer(IBV_WC_EX_WITH_IMM, ex.read_imm_data, ReadImmData);
  offer(IBV_WC_EX_WITH_QP_NUM, ex.read_qp_num, ReadQpNum);
  offer(IBV_WC_EX_WITH_SRC_QP, ex.read_src_qp, ReadNothing);
  offer(IBV_WC_EX_WITH_SLID, ex.read_slid, ReadNothing);
  offer(IBV_WC_EX_WITH_SL, ex.read_sl, ReadNoByte);
  offer(IBV_WC_EX_WITH_DLID_PATH_BITS, ex.read_dlid_path_bits, ReadNoByte);
}

}  // namespace

ibv_cq_ex* CreateCqEx(ibv_context* context, ibv_cq_init_attr_ex* attr) {
  if (const int error = Check(*attr)) return Null<ibv_cq_ex>(error);
  if (attr->cqe > INT32_MAX || attr->comp_vector > INT32_MAX) return Null<ibv_cq_ex>(EINVAL);
  FakeCq* fake = CreateCq(context, static_cast<int>(attr->cqe), attr->cq_context, attr->channel,
                          static_cast<int>(attr->comp_vector));
  if (fake == nullptr) return nullptr;
  FillAccessors(fake->ex, attr->wc_flags);
  return &fake->ex;
}

}  // namespace fakenic
