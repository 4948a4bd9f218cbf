// The structs that programs hold: the public layouts, each with the model object behind it.
#pragma once

#include <infiniband/verbs.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "abi/verbs_flush.h"
#include "nic/context.h"
#include "nic/event_queue.h"

namespace fakenic {

struct FakeContext {
  explicit FakeContext(Fabric& fabric) : model(fabric) {}

  verbs_context verbs{};  // ends with the ibv_context that programs hold
  Context model;
  EventQueue<ibv_async_event> async_events;
};

struct FakePd {
  ibv_pd pd{};
  Pd* model = nullptr;
};

struct FakeMr {
  ibv_mr mr{};
  Mr* model = nullptr;
};

struct FakeCompChannel {
  ibv_comp_channel channel{};
  CompChannel* model = nullptr;
};

// An ibv_cq is the front of an ibv_cq_ex.
struct FakeCq {
  ibv_cq_ex ex{};
  Cq* model = nullptr;
  std::mutex poll_mutex;  // held from a successful ibv_start_poll to ibv_end_poll
  Completion current;     // what the accessors read
  uint32_t comp_events_fetched = 0;
  uint32_t async_events_fetched = 0;
};

static_assert(offsetof(ibv_cq_ex, async_events_completed) ==
              offsetof(ibv_cq, async_events_completed));

struct FakeSrq {
  ibv_srq srq{};
  Srq* model = nullptr;
  uint32_t async_events_fetched = 0;
};

// A work request that ibv_wr_* builders put together: where its parts stand in the batch.
struct BuiltWr {
  SendWr wr;
  size_t first_sge, sges;
  size_t first_byte, bytes;  // inline data and atomic words
};

// Keeps its memory from one batch to the next.
struct Batch {
  std::mutex mutex;  // held from ibv_wr_start to ibv_wr_complete or ibv_wr_abort
  std::vector<BuiltWr> wrs;
  std::vector<Sge> sges;
  std::vector<std::byte> bytes;
  int error = 0;
};

struct FakeQp : WithWrFlush<ibv_qp_ex> {
  Qp* model = nullptr;
  bool built = false;  // created with send_ops_flags
  ibv_qp_attr attr{};  // as last modified
  ibv_qp_init_attr init_attr{};
  uint32_t async_events_fetched = 0;
  Batch batch;
};

// From the public struct to ours. The public struct stands first, but for the context.
template <typename T>
T* From(const void* object) {
  return static_cast<T*>(const_cast<void*>(object));
}

inline FakeContext* FromContext(const ibv_context* context) {
  const auto* bytes = reinterpret_cast<const char*>(context) - offsetof(verbs_context, context);
  return From<FakeContext>(bytes);
}

// A new context of the device. Requires the edge's lock. Throws std::system_error when no
// descriptor is left.
FakeContext* OpenContext();

// Takes the device away: every queue pair fails, every id and every context learns of it.
void RemoveDevice();

// Gives the device the name that the edge now has for it.
void RenameDevice();

// The same attributes in the extended struct.
ibv_qp_init_attr_ex Extended(const ibv_qp_init_attr& attr);
ibv_qp* CreateQp(ibv_context* context, ibv_qp_init_attr_ex* attr);

FakeCq* CreateCq(ibv_context* context, int cqe, void* cq_context, ibv_comp_channel* channel,
                 int comp_vector);
ibv_cq_ex* CreateCqEx(ibv_context* context, ibv_cq_init_attr_ex* attr);

// Fills the parts of a context's tables that lie on the data path.
void FillDataPath(verbs_context& verbs);

// ibv_advise_mr(3), as a provider has it.
int AdviseMr(ibv_pd* pd, ibv_advise_mr_advice advice, uint32_t flags, ibv_sge* sg_list,
             uint32_t num_sge);
// The builders of the operations that these flags name.
void FillBuilders(WithWrFlush<ibv_qp_ex>& qp, uint64_t send_ops_flags);

void RaiseAsyncEvent(const AsyncEvent& event);
// Withdraws the unread events of an object that is destroyed.
void DropAsyncEvents(FakeContext& context, const void* element);

// Reports an error in the way of functions that return a pointer.
template <typename T>
T* Null(int error) {
  errno = error;
  return nullptr;
}

// Reports an error in the way of verbs that return an int: the value, and errno too.
inline int Verb(int error) {
  if (error != 0) errno = error;
  return error;
}

}  // namespace fakenic
