#include "property_tests/script/functions.h"

#include <gtest/gtest.h>
#include <librpma.h>

#include <cerrno>

namespace conformance {

namespace {

std::uint64_t Constant(std::string_view name) {
  std::uint64_t value = 0;
  EXPECT_TRUE(FindConstant(name, value)) << name;
  return value;
}

TEST(Functions, AreAllOfTheInterface) {
  constexpr std::size_t kAll = 84;
  EXPECT_EQ(AllFunctions().size(), kAll);
  for (const Function& function : AllFunctions()) EXPECT_EQ(FindFunction(function.name), &function);
  EXPECT_EQ(FindFunction("rpma_nothing"), nullptr);
}

TEST(Functions, KnowTheirParametersByType) {
  const std::vector<Param>& reg = FindFunction("rpma_mr_reg")->params;
  ASSERT_EQ(reg.size(), 5u);
  EXPECT_EQ(reg[0].kind, ParamKind::kHandle);
  EXPECT_EQ(reg[1].kind, ParamKind::kBytesOut);
  EXPECT_EQ(reg[2].kind, ParamKind::kNumber);
  EXPECT_EQ(reg[4].kind, ParamKind::kHandleOut);
  EXPECT_EQ(reg[4].size, sizeof(void*));
  EXPECT_EQ(FindFunction("rpma_mr_remote_from_descriptor")->params[0].kind, ParamKind::kBytesIn);
  EXPECT_EQ(FindFunction("rpma_utils_get_ibv_context")->params[0].kind, ParamKind::kText);
  EXPECT_EQ(FindFunction("rpma_conn_cfg_get_compl_channel")->params[1].size, sizeof(bool));
}

TEST(Functions, ThatEndAnObjectTakeItsHandleInAndOut) {
  for (const char* name : {"rpma_peer_delete", "rpma_mr_dereg", "rpma_ep_shutdown",
                           "rpma_conn_req_connect", "rpma_mr_remote_delete"})
    EXPECT_EQ(FindFunction(name)->params[0].kind, ParamKind::kHandleInOut) << name;
}

int SetTimeout(rpma_conn_cfg* cfg, int timeout_ms) { return cfg == nullptr ? timeout_ms : 7; }
const char* Say(int code) { return code < 0 ? "error" : nullptr; }

TEST(Functions, PassArgumentsAndResultsOfTheirTypes) {
  const Function* set = FindFunction("rpma_conn_cfg_set_timeout");
  const std::uint64_t minus_five[] = {0, static_cast<std::uint64_t>(-5)};
  EXPECT_EQ(set->call(reinterpret_cast<void*>(&SetTimeout), minus_five), -5);

  const Function* say = FindFunction("rpma_err_2str");
  const std::uint64_t one[] = {1};
  EXPECT_STREQ(
      reinterpret_cast<const char*>(say->call(reinterpret_cast<void*>(&Say), minus_five + 1)),
      "error");
  EXPECT_EQ(say->call(reinterpret_cast<void*>(&Say), one), 0);
}

TEST(Constants, HaveTheValuesOfTheHeaders) {
  EXPECT_EQ(Constant("NULL"), 0u);
  EXPECT_EQ(Constant("true"), 1u);
  EXPECT_EQ(Constant("EBUSY"), static_cast<std::uint64_t>(EBUSY));
  EXPECT_EQ(static_cast<std::int64_t>(Constant("RPMA_E_INVAL")), RPMA_E_INVAL);
  EXPECT_EQ(Constant("RPMA_MR_USAGE_SEND|RPMA_MR_USAGE_RECV"), 0xc0u);
}

TEST(Constants, AreUnknownIfAnyPartIs) {
  std::uint64_t value = 0;
  EXPECT_FALSE(FindConstant("RPMA_NOTHING", value));
  EXPECT_FALSE(FindConstant("RPMA_MR_USAGE_SEND|", value));
}

}  // namespace

}  // namespace conformance
