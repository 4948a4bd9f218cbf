// The RDMA CM structs that programs hold, each with the model object behind it.
#pragma once

#include <rdma/rdma_cma.h>

#include <cerrno>
#include <cstdint>
#include <vector>

#include "abi/edge.h"
#include "abi/objects.h"
#include "cm/connection_manager.h"

namespace fakenic {

struct FakeEventChannel {
  FakeEventChannel();
  ~FakeEventChannel();

  rdma_event_channel channel{};
  EventChannel model;
};

struct FakeCmId {
  rdma_cm_id id{};
  CmId* model = nullptr;
  bool sync = false;  // owns its channel; calls wait for their result, which stays in id.event
  uint32_t events_reported = 0;
  uint32_t events_acked = 0;
  bool own_send_cq = false;
  bool own_recv_cq = false;
};

struct FakeCmEvent {
  rdma_cm_event event{};
  std::vector<uint8_t> private_data;
  FakeCmId* owner = nullptr;  // has to wait for the acknowledgement
};

inline FakeCmId& FromId(rdma_cm_id* id) { return *From<FakeCmId>(id); }
inline EventChannel& FromChannel(rdma_event_channel* channel) {
  return From<FakeEventChannel>(channel)->model;
}

// Reports an error in the way of RDMA CM functions: -1 and errno.
inline int Cm(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

// Copies what the model knows of addresses and device into the public struct. Requires the edge's
// lock.
void Refresh(FakeCmId& fake);

// For a synchronous id: waits for the result of the call just made. Returns 0, or -1 and errno.
int AwaitResult(FakeCmId& fake);
// Acknowledges the event that the last synchronous call left in the id.
void DropResult(FakeCmId& fake);

// Waits until every event reported for the id is acknowledged.
void AwaitAcks(Locked& locked, FakeCmId& fake);

}  // namespace fakenic
