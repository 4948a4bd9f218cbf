#include "property_tests/worker/fake_nics.h"

#include <array>
#include <chrono>
#include <thread>

#include "property_tests/worker/far_library.h"

namespace conformance {

namespace {

template <class Job>
auto Ask(FarEnd* far, Job) {
  struct Asked {
    decltype(Job()(*AtFarEnd().fake)) answer{};
    void operator()() { answer = Job()(*AtFarEnd().fake); }
  };
  return far->Do(Asked()).answer;
}

}  // namespace

std::uint64_t FakeNics::Posted(Side side) const {
  if (!IsFar(side)) return here_->Posted();
  return Ask(far_, [](const FakeControl& fake) { return fake.Posted(); });
}

void FakeNics::SetManual(bool manual) const {
  here_->SetManual(manual);
  if (far_ != nullptr) far_->Do([manual] { AtFarEnd().fake->SetManual(manual); });
}

void FakeNics::SetSeeded(std::uint64_t seed) const {
  here_->SetSeeded(seed);
  if (far_ != nullptr) far_->Do([seed] { AtFarEnd().fake->SetSeeded(seed + 1); });
}

std::size_t FakeNics::EnabledSteps() const {
  if (far_ == nullptr) return here_->EnabledSteps();
  AwaitArrivals();
  return here_->EnabledSteps() +
         Ask(far_, [](const FakeControl& fake) { return fake.EnabledSteps(); });
}

// Those here come first.
void FakeNics::TakeStep(std::size_t index) const {
  const std::size_t own = here_->EnabledSteps();
  if (index < own || far_ == nullptr) return here_->TakeStep(index);
  far_->Do([index = index - own] { AtFarEnd().fake->TakeStep(index); });
}

std::string FakeNics::DescribeStep(std::size_t index) const {
  const std::size_t own = here_->EnabledSteps();
  if (index < own || far_ == nullptr) return here_->DescribeStep(index);
  struct Describe {
    std::size_t index;
    std::array<char, 200> text{};
    void operator()() { AtFarEnd().fake->DescribeStep(index).copy(text.data(), text.size() - 1); }
  };
  return far_->Do(Describe{index - own}).text.data();
}

// What has been taken is counted before what was sent: equal sums then say that at one moment
// between the two nothing was under way.
void FakeNics::AwaitArrivals() const {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kPatience(5);
  if (far_ == nullptr) return;
  const auto traffic = [](const FakeControl& fake) { return fake.Traffic(); };
  const auto deadline = Clock::now() + kPatience;
  while (true) {
    const fakenic_traffic own = here_->Traffic();
    const fakenic_traffic its = Ask(far_, traffic);
    const fakenic_traffic own_after = here_->Traffic();
    // The far end's own counts are of one moment, between the two looks here.
    const bool quiet = own.taken == own_after.taken && own.sent == own_after.sent &&
                       own.sent == its.taken && its.sent == own.taken && own.waiting == 0 &&
                       its.waiting == 0 && own_after.waiting == 0;
    if (quiet || Clock::now() > deadline) return;
    Count(board_->beat);
    std::this_thread::yield();
  }
}

void FakeNics::FailNextPost(Side side, int error) const {
  if (!IsFar(side)) return here_->FailNextPost(error);
  far_->Do([error] { AtFarEnd().fake->FailNextPost(error); });
}

bool FakeNics::PostFailureFired(Side side) const {
  if (!IsFar(side)) return here_->PostFailureFired();
  return Ask(far_, [](const FakeControl& fake) { return fake.PostFailureFired(); });
}

void FakeNics::ClearFaults(Side side) const {
  if (!IsFar(side)) return here_->ClearFaults();
  far_->Do([] { AtFarEnd().fake->ClearFaults(); });
}

}  // namespace conformance
