#include "connection.h"

namespace rpma::test {
namespace {

constexpr auto kLocal = RPMA_UTIL_IBV_CONTEXT_LOCAL;
constexpr auto kRemote = RPMA_UTIL_IBV_CONTEXT_REMOTE;

class RpmaUtilsGetIbvContext : public ProviderTest {
 protected:
  ibv_context* found = Untouched<ibv_context>();
};

TEST_F(RpmaUtilsGetIbvContext, FindsTheDeviceOfAnAddressAndTheOneThatLeadsThere) {
  EXPECT_EQ(rpma_utils_get_ibv_context("192.0.2.1", kLocal, &found), 0);
  EXPECT_EQ(found, context());
  EXPECT_EQ(provider.CountCalls("rdma_bind_addr"), 1);

  found = nullptr;
  EXPECT_EQ(rpma_utils_get_ibv_context("192.0.2.1", kRemote, &found), 0);
  EXPECT_EQ(found, context());
  EXPECT_THAT(provider.timeouts, testing::ElementsAre(1000));
}

TEST_F(RpmaUtilsGetIbvContext, AWildcardIsNoDevice) {
  provider.binds_no_device = true;

  EXPECT_EQ(rpma_utils_get_ibv_context("0.0.0.0", kLocal, &found), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, ENODEV);
  EXPECT_EQ(found, Untouched<ibv_context>());
}

TEST_F(RpmaUtilsGetIbvContext, TheOtherAddressFamilyIsTried) {
  provider.FailVerb("rdma_bind_addr", ENODEV);

  EXPECT_EQ(rpma_utils_get_ibv_context("both", kLocal, &found), 0);
  EXPECT_EQ(found, context());
}

TEST_F(RpmaUtilsGetIbvContext, BadArgumentsAskNobody) {
  const auto calls = provider.calls().size();
  const auto unknown = static_cast<rpma_util_ibv_context_type>(2);
  EXPECT_EQ(rpma_utils_get_ibv_context(nullptr, kLocal, &found), RPMA_E_INVAL);
  EXPECT_EQ(rpma_utils_get_ibv_context("a", kLocal, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_utils_get_ibv_context("a", unknown, &found), RPMA_E_INVAL);
  EXPECT_EQ(found, Untouched<ibv_context>());
  EXPECT_EQ(provider.calls().size(), calls);
}

TEST(RpmaUtilsConnEvent2Str, NamesEveryEventAndNoOther) {
  EXPECT_STREQ(rpma_utils_conn_event_2str(RPMA_CONN_UNDEFINED), "Undefined connection event");
  EXPECT_STREQ(rpma_utils_conn_event_2str(RPMA_CONN_ESTABLISHED), "Connection established");
  EXPECT_STREQ(rpma_utils_conn_event_2str(RPMA_CONN_CLOSED), "Connection closed");
  EXPECT_STREQ(rpma_utils_conn_event_2str(RPMA_CONN_LOST), "Connection lost");
  EXPECT_STREQ(rpma_utils_conn_event_2str(RPMA_CONN_REJECTED), "Connection rejected");
  EXPECT_STREQ(rpma_utils_conn_event_2str(RPMA_CONN_UNREACHABLE), "Connection unreachable");
  EXPECT_STREQ(rpma_utils_conn_event_2str(static_cast<rpma_conn_event>(5)),
               "Unsupported connection event");
}

TEST(RpmaErr2Str, NamesEveryCodeAndNoOther) {
  EXPECT_STREQ(rpma_err_2str(0), "Success");
  EXPECT_STREQ(rpma_err_2str(RPMA_E_UNKNOWN), "Unknown error");
  EXPECT_STREQ(rpma_err_2str(RPMA_E_NOSUPP), "Not supported");
  EXPECT_STREQ(rpma_err_2str(RPMA_E_PROVIDER), "Provider error occurred");
  EXPECT_STREQ(rpma_err_2str(RPMA_E_NOMEM), "Out of memory");
  EXPECT_STREQ(rpma_err_2str(RPMA_E_INVAL), "Invalid argument");
  EXPECT_STREQ(rpma_err_2str(RPMA_E_NO_COMPLETION), "No next completion available");
  EXPECT_STREQ(rpma_err_2str(RPMA_E_NO_EVENT), "No next event available");
  EXPECT_STREQ(rpma_err_2str(RPMA_E_AGAIN), "Temporary error, try again");
  EXPECT_STREQ(rpma_err_2str(RPMA_E_SHARED_CHANNEL), "Completion channel is shared");
  EXPECT_STREQ(rpma_err_2str(RPMA_E_NOT_SHARED_CHNL), "Completion channel is not shared");
  for (const int other : {1, -1, -99999, -100010}) {
    EXPECT_STREQ(rpma_err_2str(other), "Unknown error");
  }
}

using RpmaUtilsIbvContextIsOdpCapable = ProviderTest;

TEST_F(RpmaUtilsIbvContextIsOdpCapable, SaysWhatTheDeviceSays) {
  for (const bool capable : {false, true}) {
    int answer = -1;
    provider.odp_capable = capable;
    EXPECT_EQ(rpma_utils_ibv_context_is_odp_capable(context(), &answer), 0);
    EXPECT_EQ(answer, capable ? 1 : 0);
  }
}

TEST_F(RpmaUtilsIbvContextIsOdpCapable, AFailedQueryIsAProviderError) {
  int answer = -1;
  provider.FailVerb("ibv_query_device_ex", EIO);

  EXPECT_EQ(rpma_utils_ibv_context_is_odp_capable(context(), &answer), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, EIO);
  EXPECT_EQ(answer, -1);
}

TEST_F(RpmaUtilsIbvContextIsOdpCapable, NullIsRefused) {
  int answer;
  EXPECT_EQ(rpma_utils_ibv_context_is_odp_capable(nullptr, &answer), RPMA_E_INVAL);
  EXPECT_EQ(rpma_utils_ibv_context_is_odp_capable(context(), nullptr), RPMA_E_INVAL);
}

}  // namespace
}  // namespace rpma::test
