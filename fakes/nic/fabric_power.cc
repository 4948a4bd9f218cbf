// Persistence: what the NIC's host keeps when its power fails.
#include <cstdio>

#include "nic/fabric.h"
#include "nic/transfer.h"

namespace fakenic {

void Fabric::set_platform(std::optional<Platform> platform) {
  persistence_.reset();
  if (platform) persistence_ = std::make_unique<Persistence>(*platform);
  ChooseWay();
}

void Fabric::KeepBefore(uint32_t flow, std::span<const Sge> targets, uint64_t offset,
                        uint64_t length) {
  std::vector<Sge> ranges;
  Gather(targets, offset, length, ranges);
  for (const Sge& range : ranges) persistence_->BeforePlacing(flow, range.addr, range.length);
}

void Fabric::Flushed(uint32_t flow, uint64_t addr, uint32_t rkey, const Flush& flush) {
  if (persistence_ == nullptr) return;
  const Mr* mr = device_.FindMr(rkey);
  if (flush.level == flush_level::kMr) {
    persistence_->AfterFlush(flow, mr->addr, mr->length, flush.types);
  } else {
    persistence_->AfterFlush(flow, addr, flush.length, flush.types);
  }
}

// Its memory may be another's soon, unless it is registered once more.
void Fabric::ForgetUnpersisted(const Mr& mr) {
  if (persistence_ == nullptr) return;
  uint64_t begin = mr.addr;
  const uint64_t end = mr.addr + mr.length;
  while (begin < end) {
    uint64_t kept_until = begin, next = end;  // of the regions that begin before, of one behind
    device_.ForEachMr([&](const Mr& other) {
      if (&other == &mr || other.length == 0) return;
      if (other.Covers(begin, 1)) kept_until = std::max(kept_until, other.addr + other.length);
      if (other.addr > begin) next = std::min(next, other.addr);
    });
    if (kept_until > begin) {
      begin = kept_until;
    } else {
      persistence_->WriteBack(begin, next - begin);
      begin = next;
    }
  }
}

// What has arrived and is not placed is lost as well.
void Fabric::FailPower() {
  device_.ForEachQp([this](Qp& qp) {
    if (qp.state() == QpState::kErr || qp.state() == QpState::kReset) return;
    char text[64];
    std::snprintf(text, sizeof text, "qp 0x%x: the power has failed", qp.num);
    if (qp.first_cause.empty()) qp.first_cause = text;
    QpAttr attr;
    attr.state = QpState::kErr;
    ModifyQp(qp, attr, qp_mask::kState);
  });
  ForEachMessage([](Message& message) { message.pieces.clear(); });
  atomic_ = nullptr;
  for (Qp* qp : std::vector(busy_)) DropDone(*qp);
  DropDoneOrphans();
  if (persistence_ != nullptr) persistence_->FailPower();
}

}  // namespace fakenic
