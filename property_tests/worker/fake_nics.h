// The fake NICs under the two ends: one, or one in each of two processes.
#pragma once

#include <cstdint>
#include <string>

#include "property_tests/program/program.h"
#include "property_tests/worker/fake_control.h"
#include "property_tests/worker/far_end.h"

namespace conformance {

class FakeNics {
 public:
  // `far`: nullptr if both ends are here. Then the server's end is the far one.
  FakeNics(const FakeControl* here, FarEnd* far, Board* board)
      : here_(here), far_(far), board_(board) {}

  // Work requests posted on the NIC of this end.
  std::uint64_t Posted(Side side) const;
  void SetManual(bool manual) const;
  void SetSeeded(std::uint64_t seed) const;
  // The steps that can be taken now, when nothing is on its way between the two.
  std::size_t EnabledSteps() const;
  void TakeStep(std::size_t index) const;
  std::string DescribeStep(std::size_t index) const;
  // Until nothing is on its way between the two. Under the eager schedule all that was posted has
  // then run, as if there were one.
  void AwaitArrivals() const;
  void FailNextPost(Side side, int error) const;
  bool PostFailureFired(Side side) const;
  void ClearFaults(Side side) const;

 private:
  bool IsFar(Side side) const { return far_ != nullptr && side == Side::kServer; }

  const FakeControl* here_;
  FarEnd* far_;
  Board* board_;
};

}  // namespace conformance
