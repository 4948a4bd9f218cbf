// What the ERRORS sections of flushes, messages and receives forbid, and with which code.
#include <gtest/gtest.h>
#include <librpma.h>

#include <map>
#include <string>

#include "spec/rpma_conn_req_recv.h"
#include "spec/rpma_flush.h"
#include "spec/rpma_read.h"
#include "spec/rpma_recv.h"
#include "spec/rpma_send.h"
#include "spec/rpma_srq_recv.h"
#include "spec/test_handles.h"

namespace spec {

namespace {

using Codes = std::map<std::string, int>;  // by the clause's words

Codes CodesOf(const Refusals& refusals) {
  Codes codes;
  for (std::size_t i = 0; i < refusals.size(); ++i) {
    const std::string id(refusals.rule(i)->id);
    codes[id.substr(id.find('.') + 1)] = refusals.error(i);
  }
  return codes;
}

Codes Flush(bool conn, bool dst, int type, int flags, bool direct_write) {
  return CodesOf(Forbidden(rpma_flush::kErrors,
                           rpma_flush::Arguments{Some<rpma_conn>(conn), Some<rpma_mr_remote>(dst),
                                                 type, flags, direct_write}));
}

Codes Send(bool src, std::size_t offset, std::size_t len, int flags) {
  return CodesOf(Forbidden(
      rpma_send::kErrors,
      rpma_send::Arguments{Some<rpma_conn>(), Some<rpma_mr_local>(src), offset, len, flags}));
}

template <class Arguments, class Handle, class Clauses>
Codes Recv(const Clauses& clauses, bool handle, bool dst, std::size_t offset, std::size_t len) {
  return CodesOf(Forbidden(
      clauses, Arguments{Some<Handle>(handle), Some<rpma_mr_local>(dst), offset, len, nullptr}));
}

TEST(FlushOracle, RefusesWhatIsWrongAndSaysWhatIsNotSupported) {
  EXPECT_EQ(Flush(true, true, RPMA_FLUSH_TYPE_VISIBILITY, 3, false), Codes{});
  EXPECT_EQ(Flush(true, true, RPMA_FLUSH_TYPE_PERSISTENT, 3, true), Codes{});
  EXPECT_EQ(Flush(true, true, RPMA_FLUSH_TYPE_PERSISTENT, 3, false),
            (Codes{{"persistent-unsupported", RPMA_E_NOSUPP}}));
  EXPECT_EQ(Flush(true, true, 2, 3, true), (Codes{{"type-unknown", RPMA_E_INVAL}}));
  EXPECT_EQ(Flush(true, true, -1, 0, true),
            (Codes{{"type-unknown", RPMA_E_INVAL}, {"flags-zero", RPMA_E_INVAL}}));
  EXPECT_EQ(Flush(false, false, RPMA_FLUSH_TYPE_PERSISTENT, 1, false),
            (Codes{{"conn-null", RPMA_E_INVAL}, {"dst-null", RPMA_E_INVAL}}));
}

TEST(SendOracle, AllowsTheFormWithoutARegionOnlyWithoutNumbers) {
  EXPECT_EQ(Send(true, SIZE_MAX, SIZE_MAX, -1), Codes{});
  EXPECT_EQ(Send(false, 0, 0, 3), Codes{});
  EXPECT_EQ(Send(false, 1, 0, 3), (Codes{{"src-null", RPMA_E_INVAL}}));
  EXPECT_EQ(Send(false, 0, 1, 3), (Codes{{"src-null", RPMA_E_INVAL}}));
  EXPECT_EQ(Send(true, 0, 8, 0), (Codes{{"flags-zero", RPMA_E_INVAL}}));
}

TEST(ReceiveOracles, AgreeButForTheNameOfTheHandle) {
  const auto all = [](bool handle, bool dst, std::size_t offset, std::size_t len) {
    Codes codes =
        Recv<rpma_recv::Arguments, rpma_conn>(rpma_recv::kErrors, handle, dst, offset, len);
    codes.merge(
        Recv<rpma_srq_recv::Arguments, rpma_srq>(rpma_srq_recv::kErrors, handle, dst, offset, len));
    codes.merge(Recv<rpma_conn_req_recv::Arguments, rpma_conn_req>(rpma_conn_req_recv::kErrors,
                                                                   handle, dst, offset, len));
    return codes;
  };
  EXPECT_EQ(all(true, true, SIZE_MAX, SIZE_MAX), Codes{});
  EXPECT_EQ(all(true, false, 0, 0), Codes{});
  EXPECT_EQ(all(true, false, 8, 0), (Codes{{"dst-null", RPMA_E_INVAL}}));
  EXPECT_EQ(all(true, false, 0, 8), (Codes{{"dst-null", RPMA_E_INVAL}}));
  EXPECT_EQ(
      all(false, true, 0, 8),
      (Codes{{"conn-null", RPMA_E_INVAL}, {"srq-null", RPMA_E_INVAL}, {"req-null", RPMA_E_INVAL}}));
}

TEST(ReadOracle, ForbidsHalfOfTheFormWithoutRegions) {
  const auto read = [](bool dst, bool src, std::size_t len) {
    return CodesOf(Forbidden(rpma_read::kErrors,
                             rpma_read::Arguments{Some<rpma_conn>(), Some<rpma_mr_local>(dst), 0,
                                                  Some<rpma_mr_remote>(src), 0, len, 3}));
  };
  EXPECT_EQ(read(true, true, 8), Codes{});
  EXPECT_EQ(read(false, false, 0), Codes{});
  EXPECT_EQ(read(false, true, 0), (Codes{{"dst-null", RPMA_E_INVAL}}));
  EXPECT_EQ(read(true, false, 0), (Codes{{"src-null", RPMA_E_INVAL}}));
}

}  // namespace

}  // namespace spec
