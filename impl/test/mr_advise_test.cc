#include "connection.h"
#include "work_request.h"

namespace rpma::test {
namespace {

using testing::_;
using testing::Pointee;
using testing::Return;

constexpr int kPrefetch = IBV_ADVISE_MR_ADVICE_PREFETCH;
constexpr int kPrefetchWrite = IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE;

class RpmaMrAdvise : public ProviderTest {
 protected:
  RpmaMrAdvise() { Register(sizeof(memory)); }
  ~RpmaMrAdvise() override { EXPECT_EQ(rpma_mr_dereg(&mr), 0); }

  void Register(size_t size) {
    EXPECT_EQ(rpma_mr_dereg(&mr), 0);
    EXPECT_EQ(rpma_mr_reg(peer, memory, size, RPMA_MR_USAGE_WRITE_DST, &mr), 0);
  }

  char memory[4096];
  rpma_mr_local* mr = nullptr;
};

TEST_F(RpmaMrAdvise, PassesTheRangeTheAdviceAndTheFlagsOn) {
  const ibv_sge sge{AddressOf(memory) + 16, 100, 0x1111};
  EXPECT_CALL(provider.data_path,
              AdviseMr(_, IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, 5u, Pointee(sge), 1u));

  EXPECT_EQ(rpma_mr_advise(mr, 16, 100, kPrefetchWrite, 5), 0);
}

TEST_F(RpmaMrAdvise, TheWholeRegionAndItsEndAreInside) {
  EXPECT_CALL(provider.data_path, AdviseMr).Times(2);

  EXPECT_EQ(rpma_mr_advise(mr, 0, 4096, kPrefetch, 0), 0);
  EXPECT_EQ(rpma_mr_advise(mr, 4096, 0, kPrefetch, 0), 0);
}

TEST_F(RpmaMrAdvise, ARangeOutsideTheRegionAsksNobody) {
  EXPECT_EQ(rpma_mr_advise(mr, 0, 4097, kPrefetch, 0), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_advise(mr, 4096, 1, kPrefetch, 0), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_advise(mr, 4097, 0, kPrefetch, 0), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_advise(mr, 1, SIZE_MAX, kPrefetch, 0), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_advise(mr, SIZE_MAX, 2, kPrefetch, 0), RPMA_E_INVAL);
  EXPECT_EQ(rpma_mr_advise(nullptr, 0, 1, kPrefetch, 0), RPMA_E_INVAL);
}

TEST_F(RpmaMrAdvise, ALongRangeGoesInPieces) {
  const size_t half = size_t{1} << 31;
  Register(2 * half + 5);
  testing::InSequence in_order;
  for (const ibv_sge& sge : {ibv_sge{AddressOf(memory), 0x80000000u, 0x1111},
                             ibv_sge{AddressOf(memory) + half, 0x80000000u, 0x1111},
                             ibv_sge{AddressOf(memory) + 2 * half, 5, 0x1111}}) {
    EXPECT_CALL(provider.data_path, AdviseMr(_, _, 0u, Pointee(sge), 1u));
  }

  EXPECT_EQ(rpma_mr_advise(mr, 0, 2 * half + 5, kPrefetch, 0), 0);
}

TEST_F(RpmaMrAdvise, TheErrnoDecidesTheCode) {
  struct {
    int error;
    int code;
  } const cases[] = {{EOPNOTSUPP, RPMA_E_NOSUPP}, {EINVAL, RPMA_E_INVAL},  {EFAULT, RPMA_E_INVAL},
                     {EPERM, RPMA_E_INVAL},       {ENOENT, RPMA_E_INVAL},  {EIO, RPMA_E_PROVIDER},
                     {ENOMEM, RPMA_E_PROVIDER},   {EBUSY, RPMA_E_PROVIDER}};
  for (const auto& c : cases) {
    EXPECT_CALL(provider.data_path, AdviseMr).WillOnce(Return(c.error));
    EXPECT_EQ(rpma_mr_advise(mr, 0, 1, kPrefetch, 0), c.code) << c.error;
    EXPECT_EQ(errno, c.error);
  }
}

TEST_F(RpmaMrAdvise, AnAdviceWithoutANameIsNotSupported) {
  EXPECT_EQ(rpma_mr_advise(mr, 0, 1, 3, 0), RPMA_E_NOSUPP);
  EXPECT_EQ(rpma_mr_advise(mr, 0, 1, -1, 0), RPMA_E_NOSUPP);
}

}  // namespace
}  // namespace rpma::test
