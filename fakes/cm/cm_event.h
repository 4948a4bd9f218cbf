// What the connection manager tells a program, and the parameters that travel with a connection.
#pragma once

#include <cstdint>
#include <vector>

#include "nic/event_queue.h"

namespace fakenic {

struct CmId;

enum class CmEventType : uint32_t {
  kAddrResolved = 0,
  kAddrError = 1,
  kRouteResolved = 2,
  kRouteError = 3,
  kConnectRequest = 4,
  kConnectResponse = 5,
  kConnectError = 6,
  kUnreachable = 7,
  kRejected = 8,
  kEstablished = 9,
  kDisconnected = 10,
  kDeviceRemoval = 11,
  kTimewaitExit = 15,
};

// Reasons that a rejection carries as its status.
namespace reject_reason {
inline constexpr int kTimeout = 4;
inline constexpr int kInvalidServiceId = 8;
inline constexpr int kStaleConnection = 10;
inline constexpr int kConsumerDefined = 28;
inline constexpr int kVendorOption = 35;
}  // namespace reject_reason

// What fits into each message, for the IP port spaces; the receiver sees all of it, padded with
// zeros.
namespace private_data_size {
inline constexpr size_t kRequest = 56;
inline constexpr size_t kReply = 196;
inline constexpr size_t kReject = 148;
}  // namespace private_data_size

// Enhanced connection establishment: options of a vendor, carried as they are.
struct Ece {
  uint32_t vendor_id = 0;
  uint32_t options = 0;
};

struct ConnParam {
  std::vector<uint8_t> private_data = {};
  uint8_t responder_resources = 0;
  uint8_t initiator_depth = 0;
  uint8_t flow_control = 0;
  uint8_t retry_count = 0;
  uint8_t rnr_retry_count = 0;
  uint8_t srq = 0;
  uint32_t qp_num = 0;
};

struct CmEvent {
  CmEventType type;
  CmId* id;
  CmId* listen_id = nullptr;  // kConnectRequest
  int status = 0;             // a reject reason, or a negative errno
  ConnParam param = {};

  // The id that has to wait for this event's acknowledgement: a request counts against its
  // listener.
  CmId* owner() const { return listen_id != nullptr ? listen_id : id; }
};

using EventChannel = EventQueue<CmEvent>;

}  // namespace fakenic
