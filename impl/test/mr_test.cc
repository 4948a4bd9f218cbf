#include <array>
#include <cstring>

#include "connection.h"

namespace rpma::test {
namespace {

class RpmaMr : public ProviderTest {
 protected:
  // Registers the memory and returns the access rights that the provider was asked for.
  int AccessOf(int usage) {
    rpma_mr_local* mr = nullptr;
    EXPECT_EQ(rpma_mr_reg(peer, memory, sizeof(memory), usage, &mr), 0);
    EXPECT_EQ(rpma_mr_dereg(&mr), 0);
    return provider.access.back();
  }

  char memory[4096];
};

TEST_F(RpmaMr, EachUsageAsksForTheRightsThatItNeeds) {
  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_READ_SRC), IBV_ACCESS_REMOTE_READ);
  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_READ_DST), IBV_ACCESS_LOCAL_WRITE);
  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_WRITE_SRC), IBV_ACCESS_LOCAL_WRITE);
  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_WRITE_DST), IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY), IBV_ACCESS_REMOTE_READ);
  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT), IBV_ACCESS_REMOTE_READ);
  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_SEND), 0);
  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_RECV), IBV_ACCESS_LOCAL_WRITE);
}

TEST_F(RpmaMr, UsagesAddUp) {
  EXPECT_EQ(AccessOf(0xff),
            IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
}

TEST_F(RpmaMr, AReadDestinationOnIwarpIsWrittenRemotely) {
  provider.device.transport_type = IBV_TRANSPORT_IWARP;

  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_READ_DST), IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
}

TEST_F(RpmaMr, BadArgumentsRegisterNothing) {
  auto* mr = Untouched<rpma_mr_local>();
  EXPECT_EQ(rpma_mr_reg(nullptr, memory, 1, 1, &mr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_reg(peer, nullptr, 1, 1, &mr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_reg(peer, memory, 0, 1, &mr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_reg(peer, memory, 1, /*usage=*/0, &mr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_reg(peer, memory, 1, /*usage=*/0x100, &mr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_reg(peer, memory, 1, /*usage=*/-1, &mr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_reg(peer, memory, 1, 1, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(mr, Untouched<rpma_mr_local>());
  EXPECT_EQ(provider.CountCalls("ibv_reg_mr"), 0);
}

TEST_F(RpmaMr, MemoryThatCannotBePinnedIsRegisteredOnDemandWhereTheDeviceCan) {
  provider.odp_capable = true;
  RenewPeer();
  provider.FailVerb("ibv_reg_mr", EOPNOTSUPP);

  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_READ_SRC), IBV_ACCESS_REMOTE_READ | IBV_ACCESS_ON_DEMAND);
}

TEST_F(RpmaMr, WithoutOnDemandPagingThereIsNoSecondTry) {
  auto* mr = Untouched<rpma_mr_local>();
  provider.FailVerb("ibv_reg_mr", EOPNOTSUPP);

  EXPECT_EQ(rpma_mr_reg(peer, memory, 1, 1, &mr), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, EOPNOTSUPP);
  EXPECT_EQ(mr, Untouched<rpma_mr_local>());
}

TEST_F(RpmaMr, OnlyOneErrnoLeadsToTheOnDemandTry) {
  provider.odp_capable = true;
  RenewPeer();
  auto* mr = Untouched<rpma_mr_local>();
  provider.FailVerb("ibv_reg_mr", ENOMEM);

  EXPECT_EQ(rpma_mr_reg(peer, memory, 1, 1, &mr), RPMA_E_PROVIDER);
  EXPECT_EQ(provider.CountCalls("ibv_reg_mr"), 1);
}

TEST_F(RpmaMr, WhereTheDeviceFlushesByItselfTheOtherSideMayDoSo) {
  constexpr int kFlushGlobal = 1 << 8, kFlushPersistent = 1 << 9;
  provider.device_cap_flags_ex = uint64_t{3} << 38;
  RenewPeer();

  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY), IBV_ACCESS_REMOTE_READ | kFlushGlobal);
  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT),
            IBV_ACCESS_REMOTE_READ | kFlushPersistent);
  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_WRITE_SRC), IBV_ACCESS_LOCAL_WRITE);

  provider.device_cap_flags_ex = uint64_t{1} << 38;
  RenewPeer();
  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT), IBV_ACCESS_REMOTE_READ);
}

TEST_F(RpmaMr, MemoryThatCannotBeFlushedNativelyIsRegisteredForReads) {
  provider.device_cap_flags_ex = uint64_t{3} << 38;
  RenewPeer();
  provider.FailVerb("ibv_reg_mr", EINVAL);

  EXPECT_EQ(AccessOf(RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT), IBV_ACCESS_REMOTE_READ);
}

TEST_F(RpmaMr, AFailedDeregistrationCanBeRepeated) {
  rpma_mr_local* mr = nullptr;
  ASSERT_EQ(rpma_mr_reg(peer, memory, 1, 1, &mr), 0);
  provider.FailVerb("ibv_dereg_mr", EBUSY);
  rpma_mr_local* const before = mr;

  EXPECT_EQ(rpma_mr_dereg(&mr), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, EBUSY);
  EXPECT_EQ(mr, before);

  EXPECT_EQ(rpma_mr_dereg(&mr), 0);
  EXPECT_EQ(mr, nullptr);
  EXPECT_EQ(rpma_mr_dereg(&mr), 0);
  EXPECT_EQ(rpma_mr_dereg(nullptr), RPMA_E_INVAL);
}

TEST_F(RpmaMr, TheDescriptorIsTheRegionInTwentyOneLittleEndianBytes) {
  rpma_mr_local* mr = nullptr;
  ASSERT_EQ(rpma_mr_reg(peer, memory, 0x0102, 0xA5 & 0xff, &mr), 0);
  size_t size = 0;
  ASSERT_EQ(rpma_mr_get_descriptor_size(mr, &size), 0);
  ASSERT_EQ(size, 21u);

  std::array<uint8_t, 24> bytes;
  bytes.fill(0xEE);
  ASSERT_EQ(rpma_mr_get_descriptor(mr, bytes.data() + 1), 0);

  std::array<uint8_t, 24> expected{0xEE};
  const auto addr = reinterpret_cast<uintptr_t>(memory);
  for (int i = 0; i < 8; ++i) expected[1 + i] = static_cast<uint8_t>(addr >> (8 * i));
  const uint8_t rest[] = {0x02, 0x01, 0, 0, 0, 0, 0, 0, 0x55, 0x44, 0x33, 0x22, 0xA5, 0xEE, 0xEE};
  std::memcpy(expected.data() + 9, rest, sizeof(rest));
  EXPECT_EQ(bytes, expected);
  EXPECT_EQ(rpma_mr_dereg(&mr), 0);
}

TEST_F(RpmaMr, GettersGiveWhatWasRegistered) {
  rpma_mr_local* mr = nullptr;
  ASSERT_EQ(rpma_mr_reg(peer, memory, 77, 1, &mr), 0);
  void* ptr = nullptr;
  size_t size = 0;

  EXPECT_EQ(rpma_mr_get_ptr(mr, &ptr), 0);
  EXPECT_EQ(rpma_mr_get_size(mr, &size), 0);

  EXPECT_EQ(ptr, memory);
  EXPECT_EQ(size, 77u);
  EXPECT_EQ(rpma_mr_get_ptr(mr, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_get_ptr(nullptr, &ptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_get_size(mr, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_get_size(nullptr, &size), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_get_descriptor(mr, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_get_descriptor(nullptr, memory), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_get_descriptor_size(mr, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_get_descriptor_size(nullptr, &size), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_dereg(&mr), 0);
}

// 0x1122334455667788, 4096 bytes, rkey 0xA1B2C3D4, at an odd address.
struct Descriptor {
  uint8_t pad = 0;
  uint8_t bytes[22] = {0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0,    0x10, 0,
                       0,    0,    0,    0,    0,    0xD4, 0xC3, 0xB2, 0xA1, 0xff, 0};
};

TEST(RpmaMrRemote, KeepsSizeAndFlushTypesOfTheDescriptor) {
  Descriptor descriptor;
  rpma_mr_remote* mr = nullptr;
  ASSERT_EQ(rpma_mr_remote_from_descriptor(descriptor.bytes, 21, &mr), 0);
  size_t size = 0;
  int flush_type = 0;

  EXPECT_EQ(rpma_mr_remote_get_size(mr, &size), 0);
  EXPECT_EQ(rpma_mr_remote_get_flush_type(mr, &flush_type), 0);

  EXPECT_EQ(size, 4096u);
  EXPECT_EQ(flush_type, RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY | RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT);
  EXPECT_EQ(rpma_mr_remote_get_size(nullptr, &size), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_remote_get_size(mr, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_remote_get_flush_type(nullptr, &flush_type), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_remote_get_flush_type(mr, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_remote_delete(&mr), 0);
  EXPECT_EQ(mr, nullptr);
  EXPECT_EQ(rpma_mr_remote_delete(&mr), 0);
  EXPECT_EQ(rpma_mr_remote_delete(nullptr), RPMA_E_INVAL);
}

TEST(RpmaMrRemote, AShortDescriptorIsRefusedALongerOneIsNot) {
  Descriptor descriptor;
  rpma_mr_remote* mr = nullptr;
  for (size_t size = 0; size < 21; ++size) {
    EXPECT_EQ(rpma_mr_remote_from_descriptor(descriptor.bytes, size, &mr), RPMA_E_INVAL) << size;
  }
  EXPECT_EQ(mr, nullptr);

  EXPECT_EQ(rpma_mr_remote_from_descriptor(descriptor.bytes, 22, &mr), 0);
  EXPECT_EQ(rpma_mr_remote_delete(&mr), 0);
}

TEST(RpmaMrRemote, ADescriptorWithoutUsageIsNoRegion) {
  Descriptor descriptor;
  descriptor.bytes[20] = 0;
  rpma_mr_remote* mr = nullptr;

  EXPECT_EQ(rpma_mr_remote_from_descriptor(descriptor.bytes, 21, &mr), RPMA_E_NOSUPP);
  EXPECT_EQ(rpma_mr_remote_from_descriptor(nullptr, 21, &mr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_remote_from_descriptor(descriptor.bytes, 21, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(mr, nullptr);
}

}  // namespace
}  // namespace rpma::test
