// Programs under the seeded schedule: they get their completions, and the same run twice if asked.
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "abi/raw_pair.h"

namespace fakenic {
namespace {

class SeededTest : public testing::Test {
 protected:
  void TearDown() override { fakenic_set_schedule(FAKENIC_EAGER); }

  // What a run showed: the order of completions of both ends, and its trace.
  struct Run {
    std::string order;
    uint64_t trace;
    std::vector<uint32_t> choices;
  };

  // Writes, a send and a read each way, then polls until all is complete.
  Run RunProgram() {
    RawPair pair;
    Run run;
    for (int end : {0, 1}) pair.PostRecv(end, 90);
    for (int end : {0, 1}) {
      pair.Post(end, pair.Wr(1, IBV_WR_RDMA_WRITE));
      pair.Post(end, pair.Wr(2, IBV_WR_SEND));
      pair.Post(end, pair.Wr(3, IBV_WR_RDMA_READ));
    }
    for (int missing = 8; missing > 0;) {
      for (int end : {0, 1}) {
        ibv_wc wc;
        if (ibv_poll_cq(ibv_cq_ex_to_cq(pair.cq[end]), 1, &wc) != 1) continue;
        EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
        run.order += std::to_string(end) + ":" + std::to_string(wc.wr_id) + " ";
        --missing;
      }
    }
    run.trace = fakenic_trace();
    run.choices.resize(fakenic_choices(nullptr, 0));
    fakenic_choices(run.choices.data(), run.choices.size());
    return run;
  }

  Run RunSeed(uint64_t seed) {
    fakenic_set_seed(seed);
    fakenic_set_schedule(FAKENIC_SEEDED);
    Run run = RunProgram();
    fakenic_set_schedule(FAKENIC_EAGER);
    return run;
  }
};

TEST_F(SeededTest, TheSameSeedTwiceGivesTheSameTrace) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Run first = RunSeed(seed), second = RunSeed(seed);
    EXPECT_EQ(first.trace, second.trace);
    EXPECT_EQ(first.choices, second.choices);
    EXPECT_EQ(first.order, second.order);
  }
}

TEST_F(SeededTest, DifferentSeedsGiveDifferentOrders) {
  std::set<std::string> orders;
  std::set<uint64_t> traces;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Run run = RunSeed(seed);
    orders.insert(run.order);
    traces.insert(run.trace);
  }
  EXPECT_GT(orders.size(), 10u);
  EXPECT_EQ(traces.size(), 200u);
}

TEST_F(SeededTest, RecordedChoicesReplayTheRun) {
  const Run run = RunSeed(11);

  ASSERT_EQ(fakenic_replay(run.choices.data(), run.choices.size()), 0);
  const Run again = RunProgram();

  EXPECT_EQ(again.trace, run.trace);
  EXPECT_EQ(again.order, run.order);
  EXPECT_EQ(fakenic_replay(nullptr, 1), EINVAL);
}

TEST_F(SeededTest, WorkIsLeftPendingAcrossCalls) {
  fakenic_set_schedule(FAKENIC_SEEDED);
  int pending = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    fakenic_set_seed(seed);
    RawPair pair;
    pair.Post(0, pair.Wr(1, IBV_WR_RDMA_WRITE));
    pending += fakenic_enabled_steps() > 0;
  }
  EXPECT_GT(pending, 5);
}

TEST_F(SeededTest, WhoeverWaitsForAnEventGetsIt) {
  ProgramPair pair(7301);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    fakenic_set_seed(seed);
    fakenic_set_schedule(FAKENIC_SEEDED);
    ASSERT_EQ(ibv_req_notify_cq(pair.client.cq, 0), 0);
    ASSERT_EQ(pair.client.Write(pair.server, seed, 8), 0);
    ibv_cq* cq = nullptr;
    void* context = nullptr;
    ASSERT_EQ(ibv_get_cq_event(pair.client.channel, &cq, &context), 0);
    ibv_ack_cq_events(cq, 1);
    ibv_wc wc;
    ASSERT_EQ(ibv_poll_cq(cq, 1, &wc), 1);
    EXPECT_EQ(wc.wr_id, seed);
  }
}

TEST_F(SeededTest, WhoeverLooksAtMemoryOnlyIsNotForgotten) {
  RawPair pair;
  fakenic_set_seed(3);
  fakenic_set_schedule(FAKENIC_SEEDED);
  pair.memory[0] = 'x';
  pair.Post(0, pair.Wr(1, IBV_WR_RDMA_WRITE));

  const auto* word = reinterpret_cast<const uint64_t*>(pair.memory + 32);
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();

  EXPECT_EQ(pair.memory[32], 'x');
}

}  // namespace
}  // namespace fakenic
