// The memory of both ends, and what of it is registered.
#include "property_tests/worker/rig.h"

namespace conformance {

namespace {

constexpr int kSource = RPMA_MR_USAGE_WRITE_SRC | RPMA_MR_USAGE_SEND;
constexpr int kTarget = RPMA_MR_USAGE_WRITE_DST | RPMA_MR_USAGE_READ_SRC |
                        RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY | RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT;
constexpr int kLanding = RPMA_MR_USAGE_READ_DST | RPMA_MR_USAGE_RECV;

}  // namespace

rpma_mr_local* Rig::Reg(Side side, rpma_peer* peer, void* memory, std::size_t size,
                        int usage) const {
  rpma_mr_local* mr = nullptr;
  Check(library(side).rpma_mr_reg(peer, memory, size, usage, &mr), "rpma_mr_reg");
  return mr;
}

// What the far end has, this one looks at.
std::unique_ptr<MemoryBlock> Rig::MakeBlock(Side side, std::size_t bytes, std::uint64_t seed) {
  if (!IsFar(side)) return std::make_unique<MemoryBlock>(bytes, seed);
  void* shared = far_->Allocate(bytes);
  if (shared == nullptr) throw SetUpError("regions of " + std::to_string(bytes) + " bytes in all");
  return std::make_unique<MemoryBlock>(bytes, seed, shared);
}

void Rig::Register(Side side, std::uint64_t seed) {
  End& e = end(side);
  e.memory = MakeBlock(side, layout_.total, seed);
  const std::size_t marker_bytes = kOwnReceiveAt + layout_.region;
  e.marker_memory = MakeBlock(side, marker_bytes, seed);
  std::uint8_t* base = e.memory->data();
  const auto reg = [&](rpma_peer* peer, std::size_t at, int usage) {
    return Reg(side, peer, base + at, layout_.region, usage);
  };
  e.d = reg(e.peer, layout_.d, kTarget);
  e.d_registered = true;
  e.odd = reg(e.peer, layout_.odd, kTarget);
  e.nowrite = reg(e.peer, layout_.nowrite, RPMA_MR_USAGE_READ_SRC);
  e.noread = reg(e.peer, layout_.noread, RPMA_MR_USAGE_WRITE_DST);
  e.foreign = reg(e.foreign_peer, layout_.foreign, kTarget);
  e.s = reg(e.peer, layout_.s, kSource);
  e.l = reg(e.peer, layout_.l, kLanding);
  e.r = reg(e.peer, layout_.r, kLanding);
  e.nousage = reg(e.peer, layout_.nousage, RPMA_MR_USAGE_READ_SRC);
  e.foreign_s = reg(e.foreign_peer, layout_.foreign_s, kSource);
  e.foreign_l = reg(e.foreign_peer, layout_.foreign_l, kLanding);
  e.marker = Reg(side, e.peer, e.marker_memory->data(), marker_bytes, kSource | kTarget | kLanding);
}

void Rig::Unregister(Side side) {
  End& e = end(side);
  for (rpma_mr_local** mr : {&e.d, &e.odd, &e.nowrite, &e.noread, &e.foreign, &e.s, &e.l, &e.r,
                             &e.nousage, &e.foreign_s, &e.foreign_l, &e.marker})
    library(side).rpma_mr_dereg(mr);
  for (rpma_mr_remote** mr :
       {&e.to_d, &e.to_odd, &e.to_nowrite, &e.to_noread, &e.to_foreign, &e.to_stale, &e.to_marker})
    library(side).rpma_mr_remote_delete(mr);
}

void Rig::UnregisterAll() {
  Unregister(Side::kClient);
  Unregister(Side::kServer);
  if (far_ == nullptr) return;
  far_->FreeAll();
  far_->Allocate(sizeof(Buffers));  // they stay where they are
}

rpma_mr_remote* Rig::RemoteOf(Side side, const rpma_mr_local* mr) {
  const Library& owner = library(OtherThan(side));
  char* descriptor = buffers_->descriptor.data();
  std::size_t size = 0;
  Check(owner.rpma_mr_get_descriptor_size(mr, &size), "rpma_mr_get_descriptor_size");
  if (size > buffers_->descriptor.size())
    throw SetUpError("rpma_mr_get_descriptor_size gave " + std::to_string(size) +
                     ", the suite has room for " + std::to_string(buffers_->descriptor.size()));
  Check(owner.rpma_mr_get_descriptor(mr, descriptor), "rpma_mr_get_descriptor");
  rpma_mr_remote* remote = nullptr;
  Check(library(side).rpma_mr_remote_from_descriptor(descriptor, size, &remote),
        "rpma_mr_remote_from_descriptor");
  return remote;
}

void Rig::PointAt(Side side) {
  End& e = end(side);
  End& owner = other(side);
  e.to_d = RemoteOf(side, owner.d);
  e.to_odd = RemoteOf(side, owner.odd);
  e.to_nowrite = RemoteOf(side, owner.nowrite);
  e.to_noread = RemoteOf(side, owner.noread);
  e.to_foreign = RemoteOf(side, owner.foreign);
  e.to_marker = RemoteOf(side, owner.marker);
  const Side there = OtherThan(side);
  rpma_mr_local* stale =
      Reg(there, owner.peer, owner.memory->data() + layout_.stale, layout_.region, kTarget);
  e.to_stale = RemoteOf(side, stale);
  Check(library(there).rpma_mr_dereg(&stale), "rpma_mr_dereg");
}

void Rig::Resize(std::size_t region) {
  if (region == layout_.region) return;
  Disconnect();
  if (layout_.region != 0) UnregisterAll();
  layout_ = Layout(region);
  Register(Side::kClient, /*seed=*/1);
  Register(Side::kServer, /*seed=*/2);
  PointAt(Side::kClient);
  PointAt(Side::kServer);
}

void Rig::Dereg(Side side) {
  End& owner = end(side);
  library(side).rpma_mr_dereg(&owner.d);
  owner.d = nullptr;
  owner.d_registered = false;
}

void Rig::RestoreD() {
  for (const Side side : {Side::kClient, Side::kServer}) {
    End& owner = end(side);
    if (owner.d_registered) continue;
    owner.d = Reg(side, owner.peer, owner.memory->data() + layout_.d, layout_.region, kTarget);
    owner.d_registered = true;
    const Side there = OtherThan(side);
    library(there).rpma_mr_remote_delete(&other(side).to_d);
    other(side).to_d = RemoteOf(there, owner.d);
  }
}

}  // namespace conformance
