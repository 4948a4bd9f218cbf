#include "property_tests/runner/rapidcheck_engine.h"

#include <rapidcheck/detail/TestListenerAdapter.h>

#include <iostream>
#include <streambuf>

#include "property_tests/script/life_programs.h"

namespace conformance {

namespace {

// RapidCheck announces a configuration of its own on standard error when it is first used; ours is
// in the report.
class SilentErrors {
 public:
  SilentErrors() : old_(std::cerr.rdbuf(nullptr)) {}
  ~SilentErrors() {
    std::cerr.rdbuf(old_);
    std::cerr.clear();
  }

 private:
  std::streambuf* old_;
};

// The one place that needs more of RapidCheck than its public face: a seed of its own for each
// check, and silence.
EngineResult Check(std::uint64_t seed, int cases, const std::function<void()>& property) {
  const SilentErrors silent;
  rc::detail::TestParams parameters;
  parameters.seed = seed;
  parameters.maxSuccess = cases;
  rc::detail::TestListenerAdapter listener;
  const rc::detail::TestResult result =
      rc::detail::checkTestable(property, rc::detail::TestMetadata{}, parameters, listener);
  EngineResult engine;
  rc::detail::FailureResult failure;
  if (result.match(failure)) {
    engine.falsified = true;
    engine.passed = failure.numSuccess;
  } else {
    engine.passed = cases;
  }
  return engine;
}

}  // namespace

EngineResult CheckPrograms(const ProgramShape& shape, std::uint64_t seed, int cases,
                           const std::function<bool(const Program&)>& holds) {
  return Check(seed, cases, [&] {
    const Program program = *ArbitraryProgram(shape);
    RC_ASSERT(holds(program));
  });
}

EngineResult CheckLives(std::uint64_t seed, int cases,
                        const std::function<bool(const Script&)>& holds) {
  return Check(seed, cases, [&] {
    const Script script = *ArbitraryLife();
    RC_ASSERT(holds(script));
  });
}

}  // namespace conformance
