// The part of the network that is in other processes, as the connection manager needs it.
#pragma once

#include <cstdint>

#include "cm/address.h"
#include "cm/cm_id.h"
#include "cm/cm_message.h"

namespace fakenic {

class CmNetwork {
 public:
  virtual ~CmNetwork() = default;

  // The process that listens at this address; 0 if none does. *elsewhere then says whether the port
  // has a listener on another address of that host.
  virtual uint64_t FindListener(int port_space, const Address& address, bool* elsewhere) = 0;
  // Sends to the process message.to.process. What cannot be sent is lost.
  virtual void Send(const CmMessage& message) = 0;

  // Takes the port of the id's address for this process. 0, or the errno of a bind that other
  // processes of this host stand in the way of: see PortTable.
  virtual int ClaimPort(const CmId& id) = 0;
  // The id, whose port is claimed, is about to listen. 0 or an errno.
  virtual int Listen(const CmId& id) = 0;
  virtual void ReleasePort(const CmId& id) = 0;
};

}  // namespace fakenic
