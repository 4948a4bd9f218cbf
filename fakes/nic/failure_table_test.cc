// Every row of the failure table: under the eager schedule, step by step, and between two fabrics.
#include "nic/failure_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "nic/test_far_pair.h"

namespace fakenic {

void PrintTo(const FailureRow& row, std::ostream* out) { *out << row.name; }

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using Polled = std::vector<std::pair<uint64_t, WcStatus>>;

// Where a row takes place.
class Scene {
 public:
  virtual ~Scene() = default;
  virtual Ends ends() = 0;
  virtual int Post(const SendWr& wr) = 0;
  virtual int PostRecv(uint64_t wr_id, const Sge& sge) = 0;
  virtual Polled PollLocal() = 0;
  virtual Polled PollRemote() = 0;
  // Whether a request is under way before the answer to the one before it.
  virtual bool Pipelines() const = 0;
  // All that happens, and every wait to its end.
  virtual void Run() = 0;
};

class OneFabric : public Scene {
 public:
  explicit OneFabric(bool eager) { pair_.fabric.set_eager(eager); }
  Ends ends() override {
    return {pair_.local,  pair_.remote, pair_.context, pair_.context,
            pair_.fabric, pair_.sge,    pair_.recv_sge};
  }
  int Post(const SendWr& wr) override { return pair_.Post(wr); }
  int PostRecv(uint64_t wr_id, const Sge& sge) override {
    return pair_.fabric.PostRecv(*pair_.remote.qp, {wr_id, {&sge, 1}});
  }
  Polled PollLocal() override { return pair_.Poll(pair_.local); }
  Polled PollRemote() override { return pair_.Poll(pair_.remote); }
  bool Pipelines() const override { return false; }
  void Run() override {
    pair_.fabric.RunInOrder();
    while (const auto deadline = pair_.fabric.NextDeadline()) {
      pair_.clock.now = *deadline;
      pair_.fabric.FireTimers();
      pair_.fabric.RunInOrder();
    }
  }

 private:
  TestPair pair_;
};

class TwoFabrics : public Scene {
 public:
  Ends ends() override {
    return {pair_.local(),    pair_.remote(), pair_.near.context, pair_.far.context,
            pair_.far.fabric, pair_.sge,      pair_.recv_sge};
  }
  int Post(const SendWr& wr) override { return pair_.Post(wr); }
  int PostRecv(uint64_t wr_id, const Sge& sge) override {
    return pair_.far.fabric.PostRecv(*pair_.remote().qp, {wr_id, {&sge, 1}});
  }
  Polled PollLocal() override { return FarPair::Poll(pair_.near); }
  Polled PollRemote() override { return FarPair::Poll(pair_.far); }
  bool Pipelines() const override { return true; }
  void Run() override {
    pair_.Run();
    while (const auto deadline = NextDeadline()) {
      pair_.clock.now = *deadline;
      pair_.Advance(0);
      pair_.Run();
    }
  }

 private:
  std::optional<uint64_t> NextDeadline() {
    const auto near = pair_.near.fabric.NextDeadline(), far = pair_.far.fabric.NextDeadline();
    if (!near || !far) return near ? near : far;
    return std::min(*near, *far);
  }

  FarPair pair_;
};

using MakeScene = std::unique_ptr<Scene> (*)();

class FailureTableTest : public testing::TestWithParam<std::tuple<FailureRow, MakeScene>> {
 protected:
  const FailureRow& row() const { return std::get<0>(GetParam()); }

  SendWr Request() {
    ends_.sge = {ends_.local.addr(0), 8, ends_.local.mr->key};
    const bool flush = row().opcode == WrOpcode::kFlush;
    return {.wr_id = 7,
            .opcode = row().opcode,
            .flags = 0,
            .sges = {&ends_.sge, flush ? 0u : 1u},
            .remote_addr = ends_.remote.addr(0),
            .rkey = ends_.remote.mr->key,
            .compare_add = 1,
            .swap = 2,
            .flush = {8, flush_type::kGlobal | flush_type::kPersistent}};
  }

  std::unique_ptr<Scene> scene_ = std::get<1>(GetParam())();
  Ends ends_ = scene_->ends();
};

TEST_P(FailureTableTest, Row) {
  ends_.local.Fill("abcdefgh");
  const uint64_t word = 1;
  std::memcpy(ends_.remote.memory.data(), &word, sizeof word);
  const std::string before = ends_.remote.text(0, 256);
  const uint32_t good_key = ends_.local.mr->key, good_rkey = ends_.remote.mr->key;
  SendWr wr = Request();
  ends_.recv_sge = {ends_.remote.addr(32), 16, ends_.remote.mr->key};
  row().breaks(ends_, wr);
  if (ConsumesReceive(row().opcode)) scene_->PostRecv(90, ends_.recv_sge);
  scene_->PollRemote();

  EXPECT_EQ(scene_->Post(wr), 0);
  // One that would be refused, if it may not even begin; else one that changes nothing.
  Sge later{ends_.local.addr(0), scene_->Pipelines() ? 0u : 8u, good_key};
  const uint32_t rkey = scene_->Pipelines() ? good_rkey : 3;
  scene_->Post(
      {8, WrOpcode::kRdmaWrite, send_flag::kSignaled, {&later, 1}, ends_.remote.addr(0), rkey});
  scene_->Run();

  EXPECT_THAT(scene_->PollLocal(),
              ElementsAre(Pair(7, row().status), Pair(8, WcStatus::kWrFlushErr)));
  EXPECT_EQ(ends_.local.qp->state(), QpState::kErr);
  EXPECT_EQ(ends_.remote.qp->state(), row().responder);
  if (row().recv_status) {
    EXPECT_THAT(scene_->PollRemote(), ElementsAre(Pair(90, *row().recv_status)));
  } else {
    for (const auto& [wr_id, status] : scene_->PollRemote())
      EXPECT_EQ(status, WcStatus::kWrFlushErr);
  }
  EXPECT_EQ(ends_.remote.text(0, 256) != before, row().remote_changes);
  EXPECT_EQ(ends_.local.text(0, 256), "abcdefgh" + std::string(248, '\0'));
  // Between two, who found it knows the cause.
  EXPECT_THAT(ends_.local.qp->first_cause + " " + ends_.remote.qp->first_cause,
              HasSubstr(row().explanation));
}

std::string NameOfRow(const testing::TestParamInfo<std::tuple<FailureRow, MakeScene>>& info) {
  return std::get<0>(info.param).name;
}

template <typename T, bool... kEager>
std::unique_ptr<Scene> Make() {
  return std::make_unique<T>(kEager...);
}

INSTANTIATE_TEST_SUITE_P(Eager, FailureTableTest,
                         testing::Combine(testing::ValuesIn(FailureTable()),
                                          testing::Values(&Make<OneFabric, true>)),
                         NameOfRow);
INSTANTIATE_TEST_SUITE_P(Stepped, FailureTableTest,
                         testing::Combine(testing::ValuesIn(FailureTable()),
                                          testing::Values(&Make<OneFabric, false>)),
                         NameOfRow);
INSTANTIATE_TEST_SUITE_P(Far, FailureTableTest,
                         testing::Combine(testing::ValuesIn(FailureTable()),
                                          testing::Values(&Make<TwoFabrics>)),
                         NameOfRow);

}  // namespace
}  // namespace fakenic
