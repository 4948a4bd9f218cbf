#include "nic/mr.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace fakenic {
namespace {

constexpr uint64_t kBase = 0x1000;

Mr Region(const Pd& pd) {
  return {
      .pd = const_cast<Pd*>(&pd), .addr = kBase, .length = 64, .access = access_flag::kLocalWrite};
}

TEST(Mr, CoversItsOwnBytesOnly) {
  const Pd pd;
  const Mr mr = Region(pd);

  EXPECT_TRUE(mr.Covers(kBase, 64));
  EXPECT_TRUE(mr.Covers(kBase + 63, 1));
  EXPECT_TRUE(mr.Covers(kBase + 64, 0));
  EXPECT_FALSE(mr.Covers(kBase - 1, 1));
  EXPECT_FALSE(mr.Covers(kBase + 63, 2));
  EXPECT_FALSE(mr.Covers(kBase + 65, 0));
}

TEST(Mr, DoesNotCoverARangeThatWraps) {
  const Pd pd;
  const Mr mr = Region(pd);

  EXPECT_FALSE(mr.Covers(kBase, UINT64_MAX));
  EXPECT_FALSE(mr.Covers(UINT64_MAX, 64));
  EXPECT_FALSE(mr.Covers(kBase + 1, UINT64_MAX));
  EXPECT_FALSE(mr.Covers(kBase + 1, UINT64_MAX - kBase));
}

TEST(Mr, ChecksKeyThenDomainThenAccessThenRange) {
  const Pd pd, other;
  const Mr mr = Region(pd);
  const uint32_t missing = access_flag::kRemoteWrite;

  EXPECT_EQ(CheckAccess(nullptr, &other, missing, 0, 1), AccessVerdict::kNoSuchKey);
  EXPECT_EQ(CheckAccess(&mr, &other, missing, 0, 1), AccessVerdict::kOtherPd);
  EXPECT_EQ(CheckAccess(&mr, &pd, missing, 0, 1), AccessVerdict::kMissingAccess);
  EXPECT_EQ(CheckAccess(&mr, &pd, 0, 0, 1), AccessVerdict::kOutOfRange);
  EXPECT_EQ(CheckAccess(&mr, &pd, access_flag::kLocalWrite, kBase, 64), AccessVerdict::kAllowed);
}

int Registering(uint64_t addr, uint64_t length, uint32_t access) {
  return CheckRegistration(addr, length, access, /*extra_rights=*/0);
}

TEST(MrRegistration, RemoteRightsToWriteNeedTheLocalOne) {
  for (uint32_t remote : {access_flag::kRemoteWrite, access_flag::kRemoteAtomic}) {
    EXPECT_EQ(Registering(kBase, 64, remote), EINVAL);
    EXPECT_EQ(Registering(kBase, 64, remote | access_flag::kLocalWrite), 0);
  }
  EXPECT_EQ(Registering(kBase, 64, access_flag::kRemoteRead), 0);
}

TEST(MrRegistration, UnknownRightsAreRefusedAndOptionalOnesDropped) {
  EXPECT_EQ(Registering(kBase, 64, 0x40), EOPNOTSUPP);
  EXPECT_EQ(Registering(kBase, 64, 1u << 20), 0);
  EXPECT_EQ(Registering(kBase, 64, access_flag::kMwBind), 0) << "though no window will come";
}

TEST(MrRegistration, ARangeBeyondTheAddressSpaceIsRefused) {
  EXPECT_EQ(Registering(UINT64_MAX, 2, 0), EINVAL);
  EXPECT_EQ(Registering(kBase, 0, 0), 0);
}

TEST(MrRegistration, ADeviceThatPagesTakesRegionsToBePagedIn) {
  EXPECT_EQ(CheckRegistration(kBase, 64, access_flag::kOnDemand, access_flag::kOnDemand), 0);
  EXPECT_EQ(CheckRegistration(kBase, 64, 0x20, access_flag::kOnDemand), EOPNOTSUPP);
}

TEST(MrAdvice, IsAboutAPartOfARegionThatIsPagedIn) {
  const Pd pd, other;
  const Mr pinned = Region(pd);
  Mr mr = Region(pd);
  mr.access |= access_flag::kOnDemand;
  Mr read_only = mr;
  read_only.access = access_flag::kOnDemand;

  EXPECT_EQ(CheckAdvice(nullptr, &pd, kBase, 64, false), ENOENT);
  EXPECT_EQ(CheckAdvice(&pinned, &pd, kBase, 64, false), ENOENT);
  EXPECT_EQ(CheckAdvice(&mr, &other, kBase, 64, false), EPERM);
  EXPECT_EQ(CheckAdvice(&read_only, &pd, kBase, 64, true), EPERM);
  EXPECT_EQ(CheckAdvice(&read_only, &pd, kBase, 64, false), 0);
  EXPECT_EQ(CheckAdvice(&mr, &pd, kBase + 1, 64, true), EFAULT);
  EXPECT_EQ(CheckAdvice(&mr, &pd, kBase, 64, true), 0);
}

}  // namespace
}  // namespace fakenic
