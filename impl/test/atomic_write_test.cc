#include "connection.h"
#include "native_atomic_write.h"
#include "work_request.h"

namespace rpma::test {
namespace {

using testing::_;
using testing::InSequence;
using testing::Return;

using RpmaAtomicWrite = ConnectionTest;

constexpr uint64_t kDeviceAtomicWrite = uint64_t{1} << 40;

TEST_F(RpmaAtomicWrite, PostsAnInlineFencedWriteOfEightBytes) {
  EXPECT_CALL(
      provider.data_path,
      PostSend(qp, IsWrite({.wr_id = 0x1234567890,
                            .send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE | IBV_SEND_FENCE,
                            .remote_addr = kRemoteAddr + 16,
                            .rkey = kRkey,
                            .sge = {{AddressOf(memory), 8, 0}}})));

  EXPECT_EQ(rpma_atomic_write(conn, dst, 16, memory, kAlways, kContext), 0);
}

TEST_F(RpmaAtomicWrite, OnErrorAloneIsUnsignaledButStillInlineAndFenced) {
  EXPECT_CALL(provider.data_path, PostSend(qp, HasSendFlags(IBV_SEND_INLINE | IBV_SEND_FENCE)));

  EXPECT_EQ(rpma_atomic_write(conn, dst, 0, memory, kOnError, kContext), 0);
}

TEST_F(RpmaAtomicWrite, TheSourceNeedsNoAlignment) {
  EXPECT_CALL(provider.data_path, PostSend);

  EXPECT_EQ(rpma_atomic_write(conn, dst, 0, memory + 3, kOnError, kContext), 0);
}

TEST_F(RpmaAtomicWrite, BadArgumentsPostNothing) {
  EXPECT_EQ(rpma_atomic_write(nullptr, dst, 0, memory, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_atomic_write(conn, nullptr, 0, memory, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_atomic_write(conn, dst, 0, nullptr, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_atomic_write(conn, dst, 0, memory, /*flags=*/0, nullptr), RPMA_E_INVAL);
}

TEST_F(RpmaAtomicWrite, AnOffsetThatIsNoMultipleOfEightIsRefused) {
  for (const size_t offset : {1, 2, 4, 7, 9, 12}) {
    EXPECT_EQ(rpma_atomic_write(conn, dst, offset, memory, kAlways, nullptr), RPMA_E_INVAL);
  }
}

TEST_F(RpmaAtomicWrite, ARemoteAddressThatIsNoMultipleOfEightIsRefused) {
  rpma_mr_remote* unaligned = RemoteRegion(kRemoteAddr + 4);

  EXPECT_EQ(rpma_atomic_write(conn, unaligned, 0, memory, kAlways, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_atomic_write(conn, unaligned, 4, memory, kAlways, nullptr), RPMA_E_INVAL)
      << "the offset is refused although the address would be aligned";

  rpma_mr_remote_delete(&unaligned);
}

TEST_F(RpmaAtomicWrite, ARefusedPostIsAProviderErrorWithItsErrno) {
  EXPECT_CALL(provider.data_path, PostSend).WillOnce(Return(EINVAL));

  errno = 0;
  EXPECT_EQ(rpma_atomic_write(conn, dst, 0, memory, kAlways, kContext), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, EINVAL);
}

// On a device that has an atomic write of its own.
class NativeRpmaAtomicWrite : public ConnectionTest {
 protected:
  NativeRpmaAtomicWrite() { Reopen(); }

  void Reopen() {
    Close();
    provider.device_cap_flags_ex = kDeviceAtomicWrite;
    RenewPeer();
    Open();
    extended = reinterpret_cast<ibv_qp_ex*>(qp);
  }

  ibv_qp_ex* extended = nullptr;
};

TEST_F(NativeRpmaAtomicWrite, TheQpIsCreatedWithTheOperation) {
  EXPECT_EQ(provider.qp_attr.comp_mask, IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS);
  EXPECT_EQ(provider.qp_attr.send_ops_flags, uint64_t{IBV_QP_EX_WITH_ATOMIC_WRITE});
}

TEST_F(NativeRpmaAtomicWrite, IsOneFencedAtomicWrite) {
  InSequence sequence;
  EXPECT_CALL(provider.data_path, WrStart(extended));
  EXPECT_CALL(provider.data_path, WrAtomicWrite(extended, kRkey, kRemoteAddr + 8, memory));
  EXPECT_CALL(provider.data_path, WrComplete(extended));

  EXPECT_EQ(rpma_atomic_write(conn, dst, 8, memory, kAlways, kContext), 0);

  EXPECT_EQ(extended->wr_id, 0x1234567890u);
  EXPECT_EQ(extended->wr_flags, unsigned{IBV_SEND_SIGNALED | IBV_SEND_FENCE});
}

TEST_F(NativeRpmaAtomicWrite, ARefusedBatchIsAProviderErrorWithItsErrno) {
  EXPECT_CALL(provider.data_path, WrStart);
  EXPECT_CALL(provider.data_path, WrAtomicWrite);
  EXPECT_CALL(provider.data_path, WrComplete).WillOnce(Return(ENOMEM));

  errno = 0;
  EXPECT_EQ(rpma_atomic_write(conn, dst, 8, memory, kOnError, kContext), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, ENOMEM);
}

TEST_F(NativeRpmaAtomicWrite, OtherWritesArePostedAsEver) {
  EXPECT_CALL(provider.data_path, PostSend(qp, _));

  EXPECT_EQ(rpma_write(conn, dst, 0, src, 0, 8, kAlways, kContext), 0);
}

TEST_F(NativeRpmaAtomicWrite, AProviderThatRefusesTheOperationFallsBackToTheInlineWrite) {
  provider.refuses_send_ops = true;
  Reopen();
  EXPECT_EQ(provider.qp_attr.comp_mask, unsigned{IBV_QP_INIT_ATTR_PD});
  EXPECT_CALL(provider.data_path, PostSend(qp, HasSendFlags(IBV_SEND_INLINE | IBV_SEND_FENCE)));

  EXPECT_EQ(rpma_atomic_write(conn, dst, 8, memory, kOnError, kContext), 0);
}

struct QpExOfAnOlderLibibverbs {};

TEST(NativeAtomicWrite, IsNotThereWhereLibibverbsDoesNotDeclareIt) {
  static_assert(DeclaresAtomicWrite<ibv_qp_ex>);
  static_assert(kQpExWithAtomicWrite == IBV_QP_EX_WITH_ATOMIC_WRITE);
  static_assert(!DeclaresAtomicWrite<QpExOfAnOlderLibibverbs>);
  QpExOfAnOlderLibibverbs qp;

  EXPECT_FALSE(CanWriteAtomically(&qp));
}

}  // namespace
}  // namespace rpma::test
