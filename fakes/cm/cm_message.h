// What the connection managers of two ends say to each other.
#pragma once

#include <cstdint>

#include "cm/address.h"
#include "cm/cm_event.h"

namespace fakenic {

// An id, wherever it is.
struct CmPeer {
  uint64_t process = 0;  // 0: this one
  uint64_t serial = 0;   // 0: none

  bool known() const { return serial != 0; }
  friend auto operator<=>(const CmPeer&, const CmPeer&) = default;
};

struct CmMessage {
  enum class Kind : uint8_t {
    kRequest = 1,
    kReply = 2,
    kReadyToUse = 3,
    kReject = 4,
    kDisconnect = 5,
    kDisconnectReply = 6,
  };

  Kind kind = Kind::kRequest;
  CmPeer from = {};
  CmPeer to = {};        // of a request its process; an active end may not know the serial yet
  ConnParam param = {};  // of a request and a reply; the private data of a rejection
  int reason = 0;        // of a rejection
  uint32_t psn = 0;      // these three: of a request and a reply
  Ece ece = {};
  int port_space = 0;  // of a request
  Address src = {};    // of a request: the active end's address, and where it wants to
  Address dst = {};
};

}  // namespace fakenic
