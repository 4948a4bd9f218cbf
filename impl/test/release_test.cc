// Makes every provider call, and every allocation, of a whole program fail in turn. Whichever it
// is: the API function returns its code and leaves its out-parameter alone, and after the program's
// usual clean-up nothing is left.
#include <pthread.h>

#include <functional>

#include "connection.h"

namespace rpma::test {
namespace {

// A program that goes on until something fails.
class Program {
 public:
  explicit Program(Provider& provider) : provider_(provider) {
    rpma_conn_cfg_new(&cfg_);
    if (cfg_ != nullptr) {
      rpma_conn_cfg_set_rcq_size(cfg_, 5);
      rpma_conn_cfg_set_compl_channel(cfg_, true);
    }
  }

  int Client() {
    int code = rpma_peer_new(&provider_.context.context, &peer_);
    if (code == 0) code = rpma_mr_reg(peer_, memory_, sizeof(memory_), 0xff, &mr_);
    if (code == 0) code = rpma_conn_req_new(peer_, "192.0.2.1", "7204", cfg_, &req_);
    if (code == 0) code = rpma_conn_req_connect(&req_, nullptr, &conn_);
    if (code == 0) code = Establish();
    if (code == 0) code = rpma_conn_disconnect(conn_);
    if (code == 0) code = CleanUp();
    return code;
  }

  int ClientWithSrq() {
    int code = rpma_peer_new(&provider_.context.context, &peer_);
    if (code == 0) code = rpma_srq_new(peer_, nullptr, &srq_);
    if (code == 0 && cfg_ != nullptr) {
      rpma_conn_cfg_set_compl_channel(cfg_, false);
      rpma_conn_cfg_set_srq(cfg_, srq_);
    }
    if (code == 0) code = rpma_conn_req_new(peer_, "192.0.2.1", "7204", cfg_, &req_);
    if (code == 0) code = rpma_conn_req_connect(&req_, nullptr, &conn_);
    if (code == 0) code = CleanUp();
    return code;
  }

  int Server(bool accept) {
    int code = rpma_peer_new(&provider_.context.context, &peer_);
    if (code == 0) code = rpma_ep_listen(peer_, "192.0.2.1", "7204", &ep_);
    if (code == 0) {
      provider_.PushRequest("data");
      code = rpma_ep_next_conn_req(ep_, cfg_, &req_);
    }
    if (code == 0 && accept) code = rpma_conn_req_connect(&req_, nullptr, &conn_);
    if (code == 0 && accept) code = Establish();
    if (code == 0 && !accept) code = rpma_conn_req_delete(&req_);
    if (code == 0) code = CleanUp();
    return code;
  }

  // What a program does at its end, and again for what said that it can be repeated.
  int CleanUp() {
    int first = 0;
    for (int round = 0; round < 2; ++round) {
      for (const int code : {rpma_conn_delete(&conn_), rpma_conn_req_delete(&req_),
                             rpma_ep_shutdown(&ep_), rpma_mr_dereg(&mr_), rpma_srq_delete(&srq_),
                             rpma_peer_delete(&peer_), rpma_conn_cfg_delete(&cfg_)}) {
        if (first == 0) first = code;
      }
    }
    return first;
  }

 private:
  int Establish() {
    provider_.Push(provider_.last_id->channel, RDMA_CM_EVENT_ESTABLISHED, provider_.last_id, "x");
    rpma_conn_event event;
    return rpma_conn_next_event(conn_, &event);
  }

  Provider& provider_;
  rpma_conn_cfg* cfg_ = nullptr;
  rpma_peer* peer_ = nullptr;
  rpma_mr_local* mr_ = nullptr;
  rpma_srq* srq_ = nullptr;
  rpma_ep* ep_ = nullptr;
  rpma_conn_req* req_ = nullptr;
  rpma_conn* conn_ = nullptr;
  char memory_[64];
};

using Scenario = int (*)(Program&);

class EveryFailure : public testing::TestWithParam<Scenario> {};

TEST_P(EveryFailure, OfAProviderCallLeavesNothing) {
  int nth = 1;
  for (bool fired = true; fired; ++nth) {
    Provider provider;
    Program program(provider);
    provider.FailNthCall(nth, EIO);

    const int code = GetParam()(program);
    program.CleanUp();

    fired = provider.fault_fired();
    EXPECT_EQ(code, fired ? RPMA_E_PROVIDER : 0) << provider.calls()[nth - 1];
    EXPECT_EQ(provider.Leftovers(), "") << provider.calls()[nth - 1] << ", call " << nth;
  }
  EXPECT_GT(nth, 10) << "the scenario was too short to mean anything";
}

TEST_P(EveryFailure, OfAnAllocationLeavesNothing) {
  int nth = 1;
  for (bool failed = true; failed; ++nth) {
    Provider provider;
    Program program(provider);
    FailNthAllocation(nth);

    const int code = GetParam()(program);
    failed = AllocationFailed();
    FailNthAllocation(0);
    program.CleanUp();

    EXPECT_EQ(code, failed ? RPMA_E_NOMEM : 0) << "allocation " << nth;
    EXPECT_EQ(provider.Leftovers(), "") << "allocation " << nth;
  }
  EXPECT_GT(nth, 3) << "the scenario was too short to mean anything";
}

INSTANTIATE_TEST_SUITE_P(Client, EveryFailure,
                         testing::Values([](Program& p) { return p.Client(); }));
INSTANTIATE_TEST_SUITE_P(ClientWithSrq, EveryFailure,
                         testing::Values([](Program& p) { return p.ClientWithSrq(); }));
INSTANTIATE_TEST_SUITE_P(AcceptingServer, EveryFailure,
                         testing::Values([](Program& p) { return p.Server(/*accept=*/true); }));
INSTANTIATE_TEST_SUITE_P(RejectingServer, EveryFailure,
                         testing::Values([](Program& p) { return p.Server(/*accept=*/false); }));

#ifdef __has_feature
#define SANITIZES_ADDRESSES __has_feature(address_sanitizer)
#else
#define SANITIZES_ADDRESSES 0
#endif

// What a cancelled thread has begun to make goes with it.
TEST(Release, AThreadThatIsCancelledInTheProviderLeavesNothing) {
  if (SANITIZES_ADDRESSES) {
    GTEST_SKIP() << "the address sanitizer takes the frames that a cancellation has left for alive";
  }
  for (int nth = 1;; ++nth) {
    Provider provider;
    rpma_peer* peer = nullptr;
    rpma_conn_req* req = nullptr;
    ASSERT_EQ(rpma_peer_new(&provider.context.context, &peer), 0);
    provider.CancelInNthCall(nth);
    std::function<void()> make = [&] {
      pthread_cancel(pthread_self());
      rpma_conn_req_new(peer, "192.0.2.1", "7204", nullptr, &req);
      pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
    };
    pthread_t thread;
    ASSERT_EQ(pthread_create(
                  &thread, nullptr,
                  [](void* body) -> void* {
                    (*static_cast<std::function<void()>*>(body))();
                    return nullptr;
                  },
                  &make),
              0);
    void* result = nullptr;
    ASSERT_EQ(pthread_join(thread, &result), 0);
    const bool cancelled = result == PTHREAD_CANCELED;
    provider.CancelInNthCall(0);
    if (!cancelled) {
      EXPECT_EQ(rpma_conn_req_delete(&req), 0);
    }
    EXPECT_EQ(rpma_peer_delete(&peer), 0);
    EXPECT_EQ(provider.Leftovers(), "") << "cancelled in call " << nth;
    if (!cancelled) {
      EXPECT_GT(nth, 10);
      break;
    }
  }
}

}  // namespace
}  // namespace rpma::test
