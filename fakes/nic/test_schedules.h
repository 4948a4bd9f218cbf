// For tests: a pair whose messages move as a test says.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "nic/test_pair.h"

namespace fakenic {

// Every test runs under both schedules; the stepped one takes the steps in order.
class BothSchedules : public testing::TestWithParam<bool> {
 protected:
  BothSchedules() { pair_.fabric.set_eager(GetParam()); }

  void PostAndRun(const SendWr& wr) {
    EXPECT_EQ(pair_.Post(wr), 0);
    pair_.fabric.RunInOrder();
  }

  TestPair pair_;
};

inline std::string ScheduleOf(const testing::TestParamInfo<bool>& info) {
  return info.param ? "Eager" : "Stepped";
}

// The test takes the steps.
class StepByStep : public testing::Test {
 protected:
  StepByStep() { pair_.fabric.set_eager(false); }

  std::optional<Step> Find(StepKind kind, uint64_t wr_id, size_t piece = 0) {
    for (const Step& step : pair_.fabric.EnabledSteps()) {
      if (step.kind == kind && step.message->wr_id == wr_id && step.piece == piece) return step;
    }
    return std::nullopt;
  }

  // A step that must be enabled.
  void Take(StepKind kind, uint64_t wr_id, size_t piece = 0) {
    const auto step = Find(kind, wr_id, piece);
    ASSERT_TRUE(step.has_value());
    pair_.fabric.Take(*step);
  }

  TestPair pair_;
};

}  // namespace fakenic
