#include "nic/verdict.h"

#include <gtest/gtest.h>

namespace fakenic {
namespace {

TEST(Verdict, NamesObjectValueAndRegion) {
  Mr mr;
  mr.addr = 0x1000;
  mr.length = 64;
  const Verdict verdict{
      WcStatus::kRemAccessErr, Cause::kRemoteKey, AccessVerdict::kOutOfRange, 0x304, 0x103c, 8};

  EXPECT_EQ(Explain(0x11, 7, verdict, &mr),
            "qp 0x11 wr 0x7: rkey 0x304: bytes 0x103c+8 are outside the region 0x1000+64");
}

TEST(Verdict, EveryCauseHasWords) {
  for (int cause = 0; cause <= static_cast<int>(Cause::kFlushed); ++cause) {
    Verdict verdict;
    verdict.cause = static_cast<Cause>(cause);
    verdict.access = AccessVerdict::kNoSuchKey;
    EXPECT_GT(Explain(1, 2, verdict, nullptr).size(), std::string("qp 0x1 wr 0x2: ").size())
        << cause;
  }
}

TEST(Verdict, EveryFailedAccessHasWordsOfItsOwn) {
  std::string last;
  for (AccessVerdict access : {AccessVerdict::kNoSuchKey, AccessVerdict::kOtherPd,
                               AccessVerdict::kMissingAccess, AccessVerdict::kOutOfRange}) {
    const Verdict verdict{WcStatus::kLocProtErr, Cause::kLocalKey, access, 1, 2, 3};
    const std::string text = Explain(1, 2, verdict, nullptr);
    EXPECT_NE(text, last);
    last = text;
  }
}

}  // namespace
}  // namespace fakenic
