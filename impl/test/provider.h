// A libibverbs and a librdmacm for the tests of the library: it makes objects, keeps account of
// them, and fails on demand. What the data path posts goes to a mock.
#pragma once

#include <gmock/gmock.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "allocations.h"

namespace rpma::test {

class MockDataPath {
 public:
  MOCK_METHOD(int, PostSend, (ibv_qp * qp, ibv_send_wr* wr));
  MOCK_METHOD(int, PostRecv, (ibv_qp * qp, ibv_recv_wr* wr));
  MOCK_METHOD(int, PostSrqRecv, (ibv_srq * srq, ibv_recv_wr* wr));
  MOCK_METHOD(int, PollCq, (ibv_cq * cq, int num_entries, ibv_wc* wc));
  MOCK_METHOD(void, WrStart, (ibv_qp_ex * qp));
  MOCK_METHOD(void, WrAtomicWrite,
              (ibv_qp_ex * qp, uint32_t rkey, uint64_t remote_addr, const void* src));
  MOCK_METHOD(int, WrComplete, (ibv_qp_ex * qp));
  MOCK_METHOD(int, AdviseMr,
              (ibv_pd * pd, ibv_advise_mr_advice advice, uint32_t flags, ibv_sge* sge, uint32_t n));
};

class Provider {
 public:
  Provider();
  ~Provider();
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;

  // The provider of the running test.
  static Provider& Get();

  // Faults. Calls are counted from here on; only those that can fail count.
  void FailNthCall(int nth, int error);
  void FailVerb(std::string_view verb, int error, int times = 1);

  // That call is a place at which a thread that was cancelled ends.
  void CancelInNthCall(int nth);

  // For the verbs: notes the call; true if it has to fail, with errno set.
  bool Fails(const char* verb);
  void Note(const char* verb);

  // For the verbs: objects come to life and go.
  template <typename T>
  T* Make(const char* kind);
  template <typename T>
  void Destroy(T* object);
  bool IsLive(const void* object) const { return live_.count(object) != 0; }
  // Whether a QP uses this CQ or SRQ, which can then not be destroyed.
  bool IsUsedByQp(const void* object) const;
  std::vector<const ibv_qp*> qps;

  // "" if every object is gone, every event acknowledged.
  std::string Leftovers() const;
  const std::vector<std::string>& calls() const { return calls_; }
  int CountCalls(std::string_view verb) const;
  // The number of calls that could have failed since the last fault was set.
  int failable_calls() const { return failable_calls_; }
  bool fault_fired() const { return fault_fired_; }

  // An event that a channel delivers; data is its private data.
  void Push(rdma_event_channel* channel, rdma_cm_event_type type, rdma_cm_id* id,
            std::string_view data = "");
  // A connection request at the only listener.
  void PushRequest(std::string_view data = "");
  struct Pending {
    rdma_cm_event_type type;
    rdma_cm_id* id;
    std::string data;
  };
  std::map<rdma_event_channel*, std::deque<Pending>> events;
  std::deque<ibv_cq*> cq_events;

  // What it is.
  verbs_context context{};
  ibv_device device{};
  uint64_t device_cap_flags_ex = 0;
  bool odp_capable = false;
  bool refuses_send_ops = false;
  bool binds_no_device = false;
  int result_of_plain_poll = 0;

  // What it saw last.
  rdma_cm_id* last_id = nullptr;
  rdma_cm_id* listener = nullptr;
  rdma_conn_param conn_param{};
  std::string sent_private_data;
  ibv_qp_init_attr_ex qp_attr{};
  ibv_mr* last_mr = nullptr;
  ibv_srq* last_srq = nullptr;
  ibv_srq_init_attr srq_attr{};
  std::vector<int> cqe;
  std::vector<int> access;
  std::vector<int> timeouts;

  testing::StrictMock<MockDataPath> data_path;

 private:
  std::map<const void*, std::string> live_;
  std::vector<std::string> calls_;
  std::string failing_verb_;
  int failing_times_ = 0;
  int failing_call_ = 0;
  int cancelling_call_ = 0;
  int error_ = 0;
  int failable_calls_ = 0;
  bool fault_fired_ = false;
};

template <typename T>
T* Provider::Make(const char* kind) {
  const AllocationsSucceed guard;
  T* object = new T{};
  live_.emplace(object, kind);
  return object;
}

template <typename T>
void Provider::Destroy(T* object) {
  ASSERT_TRUE(IsLive(object)) << "destroyed twice";
  live_.erase(object);
  delete object;
}

}  // namespace rpma::test
