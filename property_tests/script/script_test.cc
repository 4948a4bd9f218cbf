#include "property_tests/script/script.h"

#include <gtest/gtest.h>

#include "property_tests/script/givens.h"

namespace conformance {

namespace {

std::string Reprinted(const std::string& text) {
  const std::variant<Script, ParseError> script = ParseScript(text);
  if (const ParseError* error = std::get_if<ParseError>(&script)) return error->sentence;
  return Print(std::get<Script>(script));
}

TEST(Script, ReadsWhatItPrints) {
  for (const std::string text :
       {"rpma_conn_cfg_new(&cfg)", "given peer; rpma_peer_delete(&peer)", "given context",
        "rpma_mr_reg(peer, mem+8, 0x10, RPMA_MR_USAGE_SEND|RPMA_MR_USAGE_RECV, &mr)",
        "fault(malloc, 1, ENOMEM); rpma_conn_cfg_new(&cfg); rpma_conn_cfg_delete(&cfg)",
        "rpma_utils_get_ibv_context(\"::1\", RPMA_UTIL_IBV_CONTEXT_LOCAL, NULL)",
        "rpma_peer_cfg_from_descriptor(bytes:01ff, -1, &cfg)", "nonblock(fd)",
        "network(silent); advance(70000); device(gone)"})
    EXPECT_EQ(Reprinted(text), text);
}

TEST(Script, BlanksAndEmptyStepsDoNotCount) {
  EXPECT_EQ(Reprinted(" given  peer ;\n rpma_peer_new( ctx ,&peer ) ;; "),
            "given peer; rpma_peer_new(ctx, &peer)");
}

TEST(Script, SaysWhatItCannotRead) {
  EXPECT_EQ(Reprinted("rpma_peer_now(ctx, &peer)"),
            "function 'rpma_peer_now': expected a function of librpma.h");
  EXPECT_EQ(Reprinted("rpma_peer_new(ctx)"), "step 'rpma_peer_new(ctx)': expected 2 arguments");
  EXPECT_EQ(Reprinted("rpma_peer_new(ctx, )"),
            "step 'rpma_peer_new(ctx, )': expected no empty argument");
  EXPECT_EQ(Reprinted("network(slow)"), "network 'slow': expected silent");
  EXPECT_EQ(Reprinted("device(back)"), "device 'back': expected gone");
  EXPECT_EQ(Reprinted("peer"), "step 'peer': expected a call, as in rpma_conn_cfg_new(&cfg)");
  EXPECT_EQ(Reprinted("given world; rpma_peer_new(ctx, &peer)"),
            "given 'world': expected " + GivenNames());
}

TEST(Script, AWorldCanOnlyBeGivenFirst) {
  EXPECT_EQ(Reprinted("rpma_conn_cfg_new(&cfg); given peer"),
            "step 'given peer': expected a call, as in rpma_conn_cfg_new(&cfg)");
}

TEST(Script, IsToldFromAProgramByItsParentheses) {
  EXPECT_TRUE(IsScript("rpma_conn_cfg_new(&cfg)"));
  EXPECT_FALSE(IsScript("write dst=D+0 src=S+0 len=16 flags=ALWAYS ctx=0x7"));
}

TEST(Given, EachIsTheOneItBuildsOnAndMore) {
  const std::vector<ScriptCall> peer = FindGiven("peer")->calls;
  const std::vector<ScriptCall> region = FindGiven("region")->calls;

  ASSERT_GT(region.size(), peer.size());
  EXPECT_TRUE(std::equal(peer.begin(), peer.end(), region.begin()));
  EXPECT_EQ(FindGiven("nothing"), nullptr);
}

}  // namespace

}  // namespace conformance
