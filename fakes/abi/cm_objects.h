// The RDMA CM structs that programs hold, each with the model object behind it.
#pragma once

#include <infiniband/sa.h>
#include <rdma/rdma_cma.h>

#include <cerrno>
#include <cstdint>
#include <optional>
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
  ibv_sa_path_rec path{};                        // what id.route.path_rec points to
  std::optional<ibv_qp_init_attr> qp_init_attr;  // of the queue pairs of its requests
  std::vector<uint8_t> connect_data;  // goes in front of the private data of the connection
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

// These require the edge's lock.
// Copies what the model knows of addresses, device and route into the public struct.
void Refresh(FakeCmId& fake);
// The path to the peer, for a queue pair.
void FillPath(const FakeCmId& fake, ibv_ah_attr& path);
// The model has moved the id's queue pair: its public struct says so too.
void NoteQpState(FakeCmId& fake, ibv_qp_state state);

// For a synchronous id: waits for the result of the call just made. Returns 0, or -1 and errno.
int AwaitResult(FakeCmId& fake);
// Acknowledges the event that the last synchronous call left in the id.
void DropResult(FakeCmId& fake);

// Waits until every event reported for the id is acknowledged.
void AwaitAcks(const char* call, Locked& locked, FakeCmId& fake);

// As rdma_create_id, with a type of queue pair that need not be that of the port space.
int CreateId(rdma_event_channel* channel, rdma_cm_id** id, void* context, rdma_port_space ps,
             ibv_qp_type qp_type);

}  // namespace fakenic
