#include "nic/qp_attr.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace fakenic {
namespace {

using namespace qp_mask;

constexpr uint32_t kToInit = kPkeyIndex | kPort | kAccessFlags;
constexpr uint32_t kToRtr = kAv | kPathMtu | kDestQpn | kRqPsn | kMaxDestRdAtomic | kMinRnrTimer;
constexpr uint32_t kToRts = kTimeout | kRetryCnt | kRnrRetry | kSqPsn | kMaxQpRdAtomic;

struct Path {
  QpState from, to;
  uint32_t required;
};

const std::vector<Path> kLegal = {
    {QpState::kReset, QpState::kInit, kToInit}, {QpState::kInit, QpState::kInit, 0},
    {QpState::kInit, QpState::kRtr, kToRtr},    {QpState::kRtr, QpState::kRts, kToRts},
    {QpState::kRts, QpState::kRts, 0},          {QpState::kRts, QpState::kSqd, 0},
    {QpState::kSqd, QpState::kRts, 0},          {QpState::kSqd, QpState::kSqd, 0},
};

TEST(QpTransition, LegalPathsPassWithTheirRequiredAttributes) {
  for (const Path& path : kLegal) {
    EXPECT_EQ(CheckTransition(path.from, path.to, path.required), 0);
  }
}

TEST(QpTransition, EachRequiredAttributeIsRequired) {
  for (const Path& path : kLegal) {
    for (uint32_t bit = 1; bit != 0 && bit <= kDestQpn; bit <<= 1) {
      if ((path.required & bit) == 0) continue;
      EXPECT_EQ(CheckTransition(path.from, path.to, path.required & ~bit), EINVAL) << bit;
    }
  }
}

// Beside each legal path the bits that may be given and need not be.
uint32_t Optional(const Path& path) {
  const uint32_t at_rts = kCurState | kAccessFlags | kAltPath | kMinRnrTimer | kPathMigState;
  switch (path.to) {
    case QpState::kInit:
      return path.from == QpState::kInit ? kToInit : 0;
    case QpState::kRtr:
      return kAltPath | kAccessFlags | kPkeyIndex;
    case QpState::kRts:
      return at_rts;
    default:
      return path.from == QpState::kRts ? kEnSqdAsyncNotify
                                        : at_rts | kPort | kAv | kTimeout | kRetryCnt | kRnrRetry |
                                              kMaxQpRdAtomic | kMaxDestRdAtomic | kPkeyIndex;
  }
}

TEST(QpTransition, BesideTheRequiredAttributesExactlyTheOptionalOnesMayBeGiven) {
  for (const Path& path : kLegal) {
    for (uint32_t bit = 2; bit != 0; bit <<= 1) {
      if ((path.required & bit) != 0) continue;
      const bool optional = (Optional(path) & bit) != 0;
      EXPECT_EQ(CheckTransition(path.from, path.to, path.required | bit), optional ? 0 : EINVAL)
          << static_cast<int>(path.from) << " to " << static_cast<int>(path.to) << " bit " << bit;
    }
  }
}

TEST(QpTransition, AnAttributeOfAnotherTransitionIsRefused) {
  EXPECT_EQ(CheckTransition(QpState::kReset, QpState::kInit, kToInit | kDestQpn), EINVAL);
  EXPECT_EQ(CheckTransition(QpState::kInit, QpState::kRtr, kToRtr | kTimeout), EINVAL);
  EXPECT_EQ(CheckTransition(QpState::kRtr, QpState::kRts, kToRts | kPort), EINVAL);
}

TEST(QpTransition, EveryStateButResetGoesToErrAndEveryStateToReset) {
  for (int state = 0; state <= static_cast<int>(QpState::kErr); ++state) {
    const auto from = static_cast<QpState>(state);
    EXPECT_EQ(CheckTransition(from, QpState::kReset, 0), 0);
    EXPECT_EQ(CheckTransition(from, QpState::kErr, 0), from == QpState::kReset ? EINVAL : 0);
  }
}

TEST(QpTransition, AllOtherPathsAreRefused) {
  for (int from = 0; from <= static_cast<int>(QpState::kErr); ++from) {
    for (int to = static_cast<int>(QpState::kInit); to < static_cast<int>(QpState::kErr); ++to) {
      const bool legal = std::any_of(kLegal.begin(), kLegal.end(), [&](const Path& path) {
        return static_cast<int>(path.from) == from && static_cast<int>(path.to) == to;
      });
      if (legal) continue;
      EXPECT_EQ(CheckTransition(static_cast<QpState>(from), static_cast<QpState>(to), 0), EINVAL)
          << from << " to " << to;
    }
  }
}

TEST(QpAttributes, OnlyThoseThatTheMaskNamesAreCopied) {
  QpAttr from;
  from.dest_qp_num = 5;
  from.timeout = 6;
  QpAttr to;

  ApplyAttributes(from, kDestQpn, to);

  EXPECT_EQ(to.dest_qp_num, 5u);
  EXPECT_EQ(to.timeout, 0);
}

}  // namespace
}  // namespace fakenic
