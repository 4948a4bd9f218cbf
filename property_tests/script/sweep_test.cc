// The fault sweep on the reference: every call that a scenario makes was made to fail.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>

#include "property_tests/testing/program_run.h"

namespace conformance {

namespace {

// How often each call was made to fail, by "scenario/call".
std::map<std::string, int> Fired(const ProgramRun& run) {
  constexpr std::size_t kScenario = 20;
  constexpr std::size_t kCall = 40;
  std::map<std::string, int> fired;
  for (const std::string& line : run.lines()) {
    if (line.size() <= kScenario + kCall) continue;
    const std::string scenario = line.substr(0, line.find_last_not_of(' ', kScenario - 1) + 1);
    const std::string call = line.substr(kScenario, line.find(' ', kScenario) - kScenario);
    fired[scenario + "/" + call] += std::stoi(line.substr(kScenario + kCall));
  }
  return fired;
}

struct Expected {
  const char* scenario;
  std::set<std::string> calls;
};

// What the reference makes in each scenario and the fake can make fail.
const Expected kExpected[] = {
    {"client and server",
     {"malloc",
      "mmap",
      "munmap",
      "rdma_getaddrinfo",
      "rdma_create_event_channel",
      "rdma_create_id",
      "rdma_migrate_id",
      "rdma_resolve_addr",
      "rdma_resolve_route",
      "rdma_create_qp",
      "rdma_connect",
      "rdma_accept",
      "rdma_get_cm_event",
      "rdma_ack_cm_event",
      "rdma_disconnect",
      "rdma_destroy_id",
      "ibv_dealloc_pd",
      "ibv_reg_mr",
      "ibv_dereg_mr",
      "ibv_create_comp_channel",
      "ibv_destroy_comp_channel",
      "ibv_create_cq",
      "ibv_destroy_cq",
      "ibv_req_notify_cq"}},
    {"own channels",
     {"ibv_create_comp_channel", "ibv_destroy_comp_channel", "ibv_create_cq", "ibv_destroy_cq"}},
    {"client's request", {"rdma_destroy_id", "ibv_destroy_cq", "ibv_destroy_comp_channel"}},
    {"server's rejection", {"rdma_reject", "ibv_destroy_cq", "ibv_destroy_comp_channel"}},
    {"srq",
     {"malloc", "ibv_create_srq", "ibv_destroy_srq", "ibv_create_comp_channel",
      "ibv_destroy_comp_channel", "ibv_create_cq", "ibv_destroy_cq", "ibv_req_notify_cq"}},
    {"ep",
     {"malloc", "rdma_create_event_channel", "rdma_create_id", "rdma_getaddrinfo", "rdma_bind_addr",
      "rdma_listen", "rdma_destroy_id"}},
    {"peer", {"malloc", "ibv_query_device", "ibv_alloc_pd", "ibv_dealloc_pd"}},
    {"mr", {"malloc", "ibv_reg_mr", "ibv_dereg_mr"}},
    {"post", {"ibv_post_send", "ibv_post_recv"}},
    {"cq", {"ibv_get_cq_event", "ibv_req_notify_cq", "ibv_poll_cq"}},
    {"shared cq", {"ibv_get_cq_event", "ibv_req_notify_cq", "ibv_poll_cq"}},
};

TEST(Sweep, EveryCallThatTheReferenceMakesFailsAndBreaksNoRule) {
  const ProgramRun run = Conformance({"sweep", "--sut", ReferenceLibrary()});

  EXPECT_EQ(run.status, 0) << run.out << run.err;
  std::cout << run.out;
  std::map<std::string, int> fired = Fired(run);
  for (const Expected& expected : kExpected)
    for (const std::string& call : expected.calls)
      EXPECT_GT(fired[std::string(expected.scenario) + "/" + call], 0)
          << expected.scenario << ": " << call << " never failed";
}

}  // namespace

}  // namespace conformance
