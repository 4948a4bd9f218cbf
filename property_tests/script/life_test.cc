// Random uses of the library's objects: what they are made of.
#include "property_tests/script/life.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "property_tests/script/life_programs.h"

namespace conformance {

namespace {

bool Offers(const Life& life, const std::string& call) {
  const std::vector<ScriptCall> choices = life.Choices();
  return std::any_of(choices.begin(), choices.end(),
                     [&](const ScriptCall& choice) { return Print(choice).rfind(call, 0) == 0; });
}

Life After(const char* calls) {
  Life life;
  for (const ScriptCall& call : MustParseScript(calls).calls) life.Apply(call);
  return life;
}

constexpr char kRequested[] =
    "rpma_peer_new(ctx, &peer); rpma_ep_listen(peer, addr, port, &ep); "
    "rpma_conn_req_new(peer, addr, port, NULL, &creq); rpma_conn_req_connect(&creq, NULL, &client)";

TEST(Life, BeginsWithAPeer) {
  EXPECT_TRUE(Offers(Life(), "rpma_peer_new(ctx, &peer)"));
  EXPECT_FALSE(Offers(Life(), "rpma_ep_listen"));
  EXPECT_FALSE(Offers(Life(), "rpma_conn_delete"));
}

TEST(Life, ARequestIsReadOnceItWasSent) {
  EXPECT_TRUE(Offers(After(kRequested), "rpma_ep_next_conn_req(ep"));
  EXPECT_FALSE(Offers(After(kRequested), "rpma_conn_req_connect(&creq,"));
  EXPECT_FALSE(Offers(After(kRequested), "rpma_conn_next_event"));
}

TEST(Life, AnAcceptedRequestHasAnEventForTheClientAndThenForTheServer) {
  Life life = After(kRequested);
  for (const char* calls :
       {"rpma_ep_next_conn_req(ep, NULL, &sreq)", "rpma_conn_req_connect(&sreq, NULL, &server)"})
    life.Apply(MustParseScript(calls).calls[0]);

  EXPECT_TRUE(Offers(life, "rpma_conn_next_event(client,"));
  EXPECT_FALSE(Offers(life, "rpma_conn_next_event(server,"));
  life.Apply(MustParseScript("rpma_conn_next_event(client, &event)").calls[0]);
  EXPECT_FALSE(Offers(life, "rpma_conn_next_event(client,"));
  EXPECT_TRUE(Offers(life, "rpma_conn_next_event(server,"));
}

TEST(Life, APeerThatIsInUseIsNotDeleted) {
  EXPECT_FALSE(Offers(After(kRequested), "rpma_peer_delete"));
  EXPECT_TRUE(Offers(After("rpma_peer_new(ctx, &peer)"), "rpma_peer_delete"));
}

// How many of these programs make this call.
int Making(const std::vector<Script>& scripts, const std::string& function) {
  return static_cast<int>(std::count_if(scripts.begin(), scripts.end(), [&](const Script& script) {
    return std::any_of(script.calls.begin(), script.calls.end(),
                       [&](const ScriptCall& call) { return call.function == function; });
  }));
}

TEST(LifePrograms, ConnectDisconnectAndFail) {
  constexpr int kPrograms = 300;
  constexpr int kSize = 100;
  const rc::Gen<Script> gen = ArbitraryLife();
  std::vector<Script> scripts;
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed)
    scripts.push_back(gen(rc::Random(seed), kSize).value());

  for (const char* function :
       {"rpma_ep_next_conn_req", "rpma_conn_next_event", "rpma_conn_disconnect", "rpma_conn_delete",
        "rpma_ep_shutdown", "rpma_conn_cfg_set_rcq_size", "fault"})
    EXPECT_GT(Making(scripts, function), kPrograms / 10) << function;
}

TEST(LifePrograms, ReadAsTheyPrint) {
  const rc::Gen<Script> gen = ArbitraryLife();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Script script = gen(rc::Random(seed), 100).value();
    EXPECT_EQ(MustParseScript(Print(script)), script);
  }
}

}  // namespace

}  // namespace conformance
