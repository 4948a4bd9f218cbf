// Any packets from a peer: none touches memory outside of the registered region, none crashes, and
// what the decoder accepts leaves queues and completions in order.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cm/connection_manager.h"
#include "nic/test_far_pair.h"
#include "wire/encoding.h"

namespace fakenic {
namespace {

#define REQUIRE(condition)                                                 \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                        \
    }                                                                      \
  } while (false)

class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool empty() const { return size_ == 0; }
  template <typename T>
  T Take() {
    T value{};
    const size_t taken = std::min(sizeof value, size_);
    std::memcpy(&value, data_, taken);
    data_ += taken;
    size_ -= taken;
    return value;
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

// The victim is the far side; the bytes before and behind its region must stay.
class Victim {
 public:
  Victim(bool in_steps, bool power_fails) {
    pair_.far.fabric.set_eager(!in_steps);
    if (power_fails) pair_.far.fabric.set_platform(Platform::kAdr);
    std::memset(guarded_, 'g', sizeof guarded_);
    mr_ = pair_.far.context.RegMr(pair_.remote().pd->handle, Region(), kRegion, kEverything).object;
    listener_ = cm_.CreateId(&channel_, 0x106);
    cm_.BindAddr(*listener_, Address::Parse("127.0.0.1"));
    cm_.Listen(*listener_, 4);
  }

  // The fields that make a packet reach the queue pair are mostly right.
  void Take(Input& input) {
    auto header = input.Take<PacketHeader>();
    const auto hint = input.Take<uint8_t>();
    if ((hint & 1) == 0) {
      header.from_qp = pair_.local().qp->num;
      header.to_qp = pair_.remote().qp->num;
      header.kind = static_cast<PacketKind>(1 + header.sequence % 6);
      header.flush_types = header.flush_level = 0;
    }
    if (header.opcode == static_cast<uint8_t>(WrOpcode::kFlush) && (hint & 128) == 0) {
      SetFlush({header.swap % (2 * kRegion), static_cast<uint8_t>(1 + header.status % 3),
                static_cast<uint8_t>(header.cause % 2)},
               header);
      header.length = header.offset = 0;
    }
    if ((hint & 2) == 0) header.key = mr_->key;
    if ((hint & 4) == 0) header.addr = Region() + header.addr % (2 * kRegion);
    if ((hint & 8) == 0) header.length %= 3 * kMaxPayload;
    if ((hint & 16) == 0) header.offset = header.offset % 4 * kMaxPayload;
    if ((hint & 32) == 0) header.status = header.cause = header.access = 0;
    if (header.offset <= header.length && (hint & 64) == 0) {
      header.payload =
          static_cast<uint32_t>(std::min<uint64_t>(kMaxPayload, header.length - header.offset));
    }
    std::vector<std::byte> record(RecordSize(std::min(header.payload, 2 * kMaxPayload)));
    std::memcpy(record.data(), &header, sizeof header);
    if (header.payload > 0) record.back() = std::byte{hint};
    Packet packet;
    if (Decode(record, packet) != Flaw::kNone) return;
    if (packet.header.kind != PacketKind::kConnection) {
      pair_.far.fabric.Arrive(packet.header, packet.payload);
    } else if (auto message = DecodeConnection(packet.payload)) {
      message->from.process = 7;
      cm_.Receive(*message);
    }
  }

  void Act(uint8_t choice) {
    Fabric& fabric = pair_.far.fabric;
    switch (choice % 8) {
      case 0:
        pair_.PostRecv(choice, 0, 64);
        break;
      case 1:
        pair_.recv_sge = {Region(), 256, mr_->key};
        fabric.PostRecv(*pair_.remote().qp, {choice, {&pair_.recv_sge, 1}});
        break;
      case 2:
      case 3: {
        Sge sge{Region(), 512, mr_->key};
        const auto opcode = choice % 8 == 2 ? WrOpcode::kRdmaRead : WrOpcode::kRdmaWrite;
        fabric.PostSend(*pair_.remote().qp,
                        {choice, opcode, send_flag::kSignaled, {&sge, 1}, 0x1000, 7});
        break;
      }
      case 4:
        fabric.RunInOrder();
        break;
      case 5:
        pair_.Advance(uint64_t{choice} << 24);
        break;
      case 6:
        pair_.far.wire.room = choice > 128 ? SIZE_MAX : choice / 8;
        pair_.far.wire.packets.clear();
        fabric.SendAgain();
        break;
      default:
        if (pair_.remote().qp->state() != QpState::kErr) break;
        fabric.ModifyQp(*pair_.remote().qp, {}, qp_mask::kState);
        Connect(fabric, *pair_.remote().qp, pair_.local().qp->num);
    }
    FarPair::Poll(pair_.far);
  }

  void Check() {
    pair_.far.fabric.FailPower();
    const auto intact = [](const char* from, size_t size) {
      return std::all_of(from, from + size, [](char c) { return c == 'g'; });
    };
    REQUIRE(intact(guarded_, kGuard));
    REQUIRE(intact(guarded_ + kGuard + kRegion, kGuard));
  }

 private:
  static constexpr size_t kGuard = 4 * kMaxPayload, kRegion = 1024;
  uint64_t Region() const { return reinterpret_cast<uintptr_t>(guarded_ + kGuard); }

  alignas(64) char guarded_[2 * kGuard + kRegion];
  EventChannel channel_;
  FarPair pair_;
  Mr* mr_ = nullptr;
  ConnectionManager cm_{pair_.far.fabric, pair_.clock};
  CmId* listener_ = nullptr;
};

}  // namespace
}  // namespace fakenic

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fakenic::Input input(data, size);
  const auto kind = input.Take<uint8_t>();
  fakenic::Victim victim(/*in_steps=*/kind % 4 == 0, /*power_fails=*/kind / 4 % 4 == 0);
  while (!input.empty()) {
    victim.Act(input.Take<uint8_t>());
    victim.Take(input);
  }
  victim.Check();
  return 0;
}
