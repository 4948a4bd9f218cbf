#include "property_tests/script/placement.h"

#include <gtest/gtest.h>

#include "property_tests/script/givens.h"

namespace conformance {

namespace {

// The calls with the ends at which they are made, without their arguments: "c name", "s name" or
// "cs name".
std::vector<std::string> Placed(const std::string& text) {
  Script script = MustParseScript(text);
  std::vector<ScriptCall> calls;
  if (const Script* given = FindGiven(script.given); given != nullptr) calls = given->calls;
  calls.insert(calls.end(), script.calls.begin(), script.calls.end());
  Placement placement;
  std::vector<std::string> placed;
  for (const ScriptCall& call : calls) {
    std::string ends;
    for (const Side side : placement.Of(call)) ends += side == Side::kClient ? 'c' : 's';
    placed.push_back(ends + " " + call.function);
  }
  return placed;
}

std::string LastPlaced(const std::string& text) { return Placed(text).back(); }

TEST(Placement, WhoListensIsTheServerWhoAsksTheClientAndWhatBothAreMadeFromBothMake) {
  EXPECT_EQ(Placed("given accepted"),
            (std::vector<std::string>{"cs rpma_utils_get_ibv_context", "cs rpma_peer_new",
                                      "s rpma_ep_listen", "c rpma_conn_req_new",
                                      "c rpma_conn_req_connect", "s rpma_ep_next_conn_req",
                                      "s rpma_conn_req_connect"}));
}

TEST(Placement, ACallIsMadeAtTheEndWhoseObjectItNames) {
  EXPECT_EQ(LastPlaced("given memory; rpma_write(client, remote, 0, mr, 64, 8, 1, 3)"),
            "c rpma_write");
  EXPECT_EQ(LastPlaced("given memory; rpma_recv(server, mr, 0, 64, 7)"), "s rpma_recv");
  EXPECT_EQ(LastPlaced("given memory; rpma_conn_cfg_new(&cfg); rpma_conn_cfg_set_sq_size(cfg, 7)"),
            "cs rpma_conn_cfg_set_sq_size");
  EXPECT_EQ(LastPlaced("given connected; rpma_peer_delete(&peer)"), "cs rpma_peer_delete");
}

TEST(Placement, AVariableBelongsToTheEndThatHasSetItLast) {
  const std::string queues = "given connected; rpma_conn_get_cq(client, &cq); ";
  EXPECT_EQ(LastPlaced(queues + "rpma_cq_wait(cq)"), "c rpma_cq_wait");
  EXPECT_EQ(LastPlaced(queues + "rpma_conn_get_cq(server, &cq); rpma_cq_wait(cq)"),
            "s rpma_cq_wait");
  EXPECT_EQ(LastPlaced("given listening; rpma_ep_get_fd(ep, &fd); readable(fd)"), "s readable");
}

TEST(Placement, ACallWithoutAnObjectIsTheClients) {
  EXPECT_EQ(LastPlaced("given connected; rpma_err_2str(3)"), "c rpma_err_2str");
  EXPECT_EQ(LastPlaced("given connected; rpma_conn_delete(NULL)"), "c rpma_conn_delete");
}

TEST(Placement, AConnectionNeedsTwoEnds) {
  EXPECT_TRUE(HasTwoEnds(MustParseScript("given request")));
  EXPECT_TRUE(HasTwoEnds(
      MustParseScript("given listening; rpma_conn_req_new(peer, addr, port, NULL, &creq)")));
  EXPECT_FALSE(HasTwoEnds(MustParseScript("given listening; rpma_ep_shutdown(&ep)")));
  EXPECT_FALSE(
      HasTwoEnds(MustParseScript("given peer; rpma_conn_req_new(peer, addr, port, NULL, &creq)")));
}

}  // namespace

}  // namespace conformance
