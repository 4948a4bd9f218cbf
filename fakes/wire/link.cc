#include "wire/link.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace fakenic {

Link::Link(SharedRings rings, File socket, int writes)
    : rings_(std::move(rings)),
      writer_(rings_.control(writes), rings_.bytes(writes)),
      reader_(rings_.control(1 - writes), rings_.bytes(1 - writes)),
      socket_(std::move(socket)) {}

std::unique_ptr<Link> Link::Make(SharedRings rings, File socket) {
  return std::unique_ptr<Link>(new Link(std::move(rings), std::move(socket), 0));
}

std::unique_ptr<Link> Link::Adopt(SharedRings rings, File socket, File doorbell) {
  std::unique_ptr<Link> link(new Link(std::move(rings), std::move(socket), 1));
  link->SetDoorbell(std::move(doorbell));
  return link;
}

void Link::SetDoorbell(File doorbell) {
  doorbell_ = std::move(doorbell);
  if (std::exchange(owes_ring_, false)) Ring();
}

// A doorbell whose count is full rings already.
void Link::Ring() {
  if (!doorbell_.open()) {
    owes_ring_ = true;
    return;
  }
  const uint64_t one = 1;
  while (write(doorbell_.get(), &one, sizeof one) < 0 && errno == EINTR) {
  }
}

bool Link::Send(const PacketHeader& header, std::span<const Sge> payload) {
  const size_t size = RecordSize(header.payload);
  std::byte* record = writer_.Reserve(size);
  if (record == nullptr && writer_.AwaitRoom(size)) record = writer_.Reserve(size);
  if (record == nullptr) return false;
  writer_.Commit(size, WriteRecord(record, header, payload));
  if (writer_.MustWakeReader()) Ring();
  return true;
}

bool Link::Drain(const std::function<Flaw(const Packet&)>& take) {
  while (reason_.empty() && !reader_.empty()) {
    Packet packet;
    Flaw flaw = Decode(reader_.Peek(), packet);
    if (flaw == Flaw::kNone) flaw = take(packet);
    if (flaw != Flaw::kNone) {
      reason_ = Describe(flaw);
      break;
    }
    reader_.Take(RecordSize(packet.header.payload));
    if (reader_.owes_release() && reader_.Release()) Ring();
  }
  if (reader_.Release()) Ring();
  return reason_.empty();
}

}  // namespace fakenic
