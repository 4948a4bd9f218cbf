// What an id tells of its addresses and its path, and the attributes for a queue pair of the
// program's own: rdma_init_qp_attr(3).
#include <rdma/rdma_cma.h>

#include <cstring>

#include "abi/cm_device.h"
#include "abi/cm_objects.h"
#include "abi/edge.h"
#include "abi/gid.h"

namespace fakenic {
namespace {

constexpr uint8_t kHopLimit = 64;
constexpr uint8_t kPacketLifeTime = 16;  // 268 ms
constexpr uint8_t kExactly = 2;

void FillRoute(FakeCmId& fake) {
  rdma_route& route = fake.id.route;
  fake.path.sgid = route.addr.addr.ibaddr.sgid;
  fake.path.dgid = route.addr.addr.ibaddr.dgid;
  fake.path.hop_limit = kHopLimit;
  fake.path.traffic_class = fake.model->type_of_service;
  fake.path.reversible = 1;
  fake.path.numb_path = 1;
  fake.path.pkey = htobe16(0xffff);
  fake.path.mtu_selector = fake.path.rate_selector = fake.path.packet_life_time_selector = kExactly;
  fake.path.mtu = IBV_MTU_4096;
  fake.path.rate = IBV_RATE_2_5_GBPS;
  fake.path.packet_life_time = kPacketLifeTime;
  route.path_rec = &fake.path;
  route.num_paths = 1;
}

void ToProgram(const QpAttr& from, ibv_qp_attr& to) {
  to.pkey_index = from.pkey_index;
  to.port_num = from.port_num;
  to.qp_access_flags = from.access_flags;
  to.path_mtu = static_cast<ibv_mtu>(from.path_mtu);
  to.dest_qp_num = from.dest_qp_num;
  to.rq_psn = from.rq_psn;
  to.max_dest_rd_atomic = from.max_dest_rd_atomic;
  to.min_rnr_timer = from.min_rnr_timer;
  to.timeout = from.timeout;
  to.retry_cnt = from.retry_cnt;
  to.rnr_retry = from.rnr_retry;
  to.sq_psn = from.sq_psn;
  to.max_rd_atomic = from.max_rd_atomic;
}

}  // namespace

void Refresh(FakeCmId& fake) {
  const CmId& model = *fake.model;
  rdma_addr& addr = fake.id.route.addr;
  std::memcpy(&addr.src_storage, model.src.get(), model.src.size());
  std::memcpy(&addr.dst_storage, model.dst.get(), model.dst.size());
  if (!model.has_device) return;
  addr.addr.ibaddr.sgid = GidOf(model.src);
  addr.addr.ibaddr.dgid = GidOf(model.dst);
  addr.addr.ibaddr.pkey = htobe16(0xffff);
  if (model.state > CmState::kAddrResolved) FillRoute(fake);
  if (fake.id.verbs != nullptr) return;
  fake.id.verbs = CmContext();
  fake.id.pd = AcquireCmPd();
  fake.id.port_num = 1;
}

void FillPath(const FakeCmId& fake, ibv_ah_attr& path) {
  path = {};
  path.is_global = 1;
  path.port_num = 1;
  path.grh.dgid = GidOf(fake.model->dst);
  path.grh.sgid_index = 1;
  path.grh.hop_limit = kHopLimit;
  path.grh.traffic_class = fake.model->type_of_service;
}

void NoteQpState(FakeCmId& fake, ibv_qp_state state) {
  ibv_qp* qp = fake.id.qp;
  if (qp == nullptr) return;
  qp->state = state;
  if (state == IBV_QPS_RTS) FillPath(fake, From<FakeQp>(qp)->attr.ah_attr);
}

}  // namespace fakenic

extern "C" int rdma_init_qp_attr(rdma_cm_id* id, ibv_qp_attr* qp_attr, int* qp_attr_mask) {
  const fakenic::Locked locked;
  const fakenic::FakeCmId& fake = fakenic::FromId(id);
  fakenic::QpAttr attr;
  uint32_t mask = 0;
  const auto to = static_cast<fakenic::QpState>(qp_attr->qp_state);
  if (const int error = fakenic::edge().cm.InitQpAttr(*fake.model, to, attr, mask)) {
    return fakenic::Cm(error);
  }
  fakenic::ToProgram(attr, *qp_attr);
  if (mask & IBV_QP_AV) fakenic::FillPath(fake, qp_attr->ah_attr);
  *qp_attr_mask = static_cast<int>(mask);
  return 0;
}
