// Bugs in descriptors and texts.
#include <librpma.h>

#include <cerrno>
#include <cstring>

#include "property_tests/planted_bugs/call_bugs.h"

namespace planted {

namespace {

unsigned char* Bytes(const PassingCall& call, std::size_t argument) {
  return reinterpret_cast<unsigned char*>(call.arguments[argument]);
}

// Writes one byte more than the descriptor has.
template <std::size_t kSize>
std::int64_t WriteBeyond(const PassingCall& call) {
  const std::int64_t code = call.Real();
  if (code == 0 && ItsTurn()) Bytes(call, 1)[kSize] = 0;
  return code;
}

template <std::size_t kPlace>
std::int64_t WriteAnother(const PassingCall& call) {
  const std::int64_t code = call.Real();
  if (code == 0 && ItsTurn()) Bytes(call, 1)[kPlace] ^= 0x10;
  return code;
}

// Makes the object of a descriptor that differs in one byte.
std::int64_t Decode(PassingCall call, const unsigned char* bytes, std::size_t size) {
  call.arguments[0] = reinterpret_cast<std::uint64_t>(bytes);
  call.arguments[1] = size;
  return call.Real();
}

// Half of the size is lost.
std::int64_t CutSize(const PassingCall& call) {
  constexpr std::size_t kDescriptor = 21;
  if (call.arguments[0] == 0 || call.arguments[1] < kDescriptor) return call.Real();
  unsigned char bytes[kDescriptor];
  std::memcpy(bytes, Bytes(call, 0), sizeof bytes);
  std::memset(bytes + 12, 0, 4);
  return Decode(call, bytes, sizeof bytes);
}

std::int64_t ForgetDirectWrite(const PassingCall& call) {
  if (call.arguments[0] == 0 || call.arguments[1] == 0) return call.Real();
  const unsigned char none = 0;
  return Decode(call, &none, 1);
}

std::int64_t AcceptNoUsage(const PassingCall& call) {
  constexpr std::size_t kUsage = 20;
  const bool reads = call.arguments[0] != 0 && call.arguments[1] > kUsage;
  return reads && Bytes(call, 0)[kUsage] == 0 ? 0 : call.Real();
}

// Regions of the suite are smaller than this.
bool Outside(const PassingCall& call) {
  constexpr std::uint64_t kMuch = 1 << 16;
  return call.arguments[1] >= kMuch || call.arguments[2] >= kMuch;
}

// One errno of ibv_advise_mr is taken for another.
template <int kError>
std::int64_t MistakeErrno(const PassingCall& call) {
  errno = 0;
  const std::int64_t code = call.Real();
  return code == RPMA_E_INVAL && errno == kError ? RPMA_E_PROVIDER : code;
}

std::int64_t NoText(const PassingCall& call) { return ItsTurn() ? 0 : call.Real(); }

// The text of the value before this one.
std::int64_t TextOfAnother(PassingCall call) {
  if (static_cast<int>(call.arguments[0]) == RPMA_E_INVAL ||
      static_cast<int>(call.arguments[0]) == RPMA_CONN_LOST)
    --call.arguments[0];
  return call.Real();
}

std::int64_t ChangingText(const PassingCall& call) {
  return ItsTurn() ? reinterpret_cast<std::int64_t>("what it was") : call.Real();
}

constexpr SpecialBug kObjectBugs[] = {
    {"rpma_err_2str.text", NoText},
    {"rpma_err_2str.distinct", [](const PassingCall& call) { return TextOfAnother(call); }},
    {"rpma_err_2str.constant", ChangingText},
    {"rpma_utils_conn_event_2str.text", NoText},
    {"rpma_utils_conn_event_2str.distinct",
     [](const PassingCall& call) { return TextOfAnother(call); }},
    {"rpma_utils_conn_event_2str.constant", ChangingText},
    {"rpma_peer_cfg_get_descriptor.bounded", WriteBeyond<1>},
    {"rpma_peer_cfg_get_descriptor.layout", WriteAnother<0>},
    {"rpma_peer_cfg_from_descriptor.decoded", ForgetDirectWrite},
    {"rpma_mr_get_descriptor.bounded", WriteBeyond<21>},
    {"rpma_mr_get_descriptor.layout", WriteAnother<3>},
    {"rpma_mr_remote_from_descriptor.decoded", CutSize},
    {"rpma_mr_remote_from_descriptor.usage-zero", AcceptNoUsage},
    {"rpma_srq_new.provider",
     [](const PassingCall& call) -> std::int64_t {
       const std::int64_t code = call.Real();
       return code == RPMA_E_PROVIDER ? RPMA_E_NOMEM : code;
     }},
    {"rpma_mr_advise.return-value",
     [](const PassingCall& call) -> std::int64_t {
       const std::int64_t code = call.Real();
       return code == RPMA_E_NOSUPP && ItsTurn() ? 1 : code;
     }},
    {"rpma_mr_advise.range",
     [](const PassingCall& call) -> std::int64_t {
       return Outside(call) ? RPMA_E_NOSUPP : call.Real();
     }},
    {"rpma_mr_advise.outside", MistakeErrno<EFAULT>},
    {"rpma_mr_advise.usage", MistakeErrno<EPERM>},
    {"rpma_mr_advise.flags", MistakeErrno<EINVAL>},
};

}  // namespace

std::span<const SpecialBug> ObjectBugs() { return kObjectBugs; }

}  // namespace planted
