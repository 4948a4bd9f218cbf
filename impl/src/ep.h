#pragma once

#include "cm_objects.h"
#include "peer.h"

struct rpma_ep {
  // Starts to listen. Throws RPMA_E_PROVIDER.
  rpma_ep(const rpma_peer& peer, const char* addr, const char* port);

  // A copy, so that the protection domain for new requests is there as long as the endpoint.
  rpma_peer peer;
  rpma::EventChannel event_channel;
  rpma::CmId id;
};
