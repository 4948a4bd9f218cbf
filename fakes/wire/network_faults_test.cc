// Links that are cut or slow, and strangers.
#include "wire/test_nodes.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST_F(NetworkTest, ACutLinkIsSilentUntilTheTimeIsOver) {
  Establish();
  SetLink(registry::LinkState::kCut);
  server_->end->Fill("unharmed");
  Write(1);
  Run();
  EXPECT_THAT(client_->Poll(), IsEmpty());
  Advance(8ull * (4096ull << 17) + 1);
  EXPECT_THAT(client_->Poll(), ElementsAre(Pair(1, WcStatus::kRetryExcErr)));

  SetLink(registry::LinkState::kUp);
  client_->fabric.SendAgain();
  Run();
  EXPECT_EQ(server_->end->text(0, 8), "unharmed");
  EXPECT_EQ(server_->Fetch().type, kNoEvent) << "nobody has told the connection manager";
}

TEST_F(NetworkTest, APeerIsStarvedUntilItLooksAtWhatWasSent) {
  Establish();
  const uint32_t qp_num = server_->end->qp->num;
  EXPECT_FALSE(client_->network.IsStarved(qp_num));
  Write(1);
  EXPECT_TRUE(client_->network.IsStarved(qp_num));

  SetLink(registry::LinkState::kCut);
  EXPECT_FALSE(client_->network.IsStarved(qp_num)) << "it is the link";
  SetLink(registry::LinkState::kUp);
  Run();
  EXPECT_FALSE(client_->network.IsStarved(qp_num));
}

TEST_F(NetworkTest, ALinkThatComesBackInTimeLosesNothing) {
  Establish();
  SetLink(registry::LinkState::kCut);
  client_->end->Fill("abcdefgh");
  Write(1);
  Run();
  SetLink(registry::LinkState::kUp);
  client_->fabric.SendAgain();
  Run();

  EXPECT_THAT(client_->Poll(), ElementsAre(Pair(1, WcStatus::kSuccess)));
  EXPECT_EQ(server_->end->text(0, 8), "abcdefgh");
}

TEST_F(NetworkTest, AnAnswerThatACutHeldBackComesWhenTheLinkDoes) {
  Establish();
  Write(1);
  SetLink(registry::LinkState::kCut);
  Run();
  EXPECT_THAT(client_->Poll(), IsEmpty());
  SetLink(registry::LinkState::kUp);
  server_->fabric.SendAgain();
  Run();

  EXPECT_THAT(client_->Poll(), ElementsAre(Pair(1, WcStatus::kSuccess)));
}

TEST_F(NetworkTest, ADisconnectionOverACutLinkIsTriedUntilTheTimeIsOver) {
  Establish();
  SetLink(registry::LinkState::kCut);
  client_->cm.Disconnect(*active_);
  for (int i = 0; i < 16; ++i) Advance(4'096'000'000);

  const CmEvent event = client_->Fetch();
  EXPECT_EQ(event.type, CmEventType::kDisconnected);
  EXPECT_EQ(event.status, -ETIMEDOUT);
  EXPECT_EQ(server_->Fetch().type, kNoEvent);
}

TEST_F(NetworkTest, ARequestThatACutSwallowedIsSentAgain) {
  Listen(MakeServer(), "10.0.0.2");
  active_ = Resolve(MakeClient(), "10.0.0.2");
  client_->cm.AttachQp(*active_, *client_->end->qp);
  SetLink(registry::LinkState::kCut);
  client_->cm.Connect(*active_, full_);
  Run();
  EXPECT_EQ(server_->Fetch().type, kNoEvent);
  SetLink(registry::LinkState::kUp);
  Advance(4'096'000'001);

  EXPECT_EQ(server_->Fetch().type, CmEventType::kConnectRequest);
}

TEST_F(NetworkTest, ASlowLinkDeliversLaterAndInOrder) {
  Establish();
  SetLink(registry::LinkState::kSlow, 1000);
  client_->end->Fill("abcdefgh");
  Write(1);
  Write(2);
  Run();
  EXPECT_EQ(server_->end->text(0, 8), std::string(8, '\0'));

  Advance(1'000'000);
  EXPECT_EQ(server_->end->text(0, 8), "abcdefgh");
  EXPECT_THAT(client_->Poll(), IsEmpty()) << "the answer is slow too";
  Advance(1'000'000);
  EXPECT_THAT(client_->Poll(),
              ElementsAre(Pair(1, WcStatus::kSuccess), Pair(2, WcStatus::kSuccess)));
}

TEST_F(NetworkTest, AStrangerOnTheSocketIsShownTheDoor) {
  Establish();
  std::string why;
  const File directory = OpenFabricDirectory(directory_.path, why);
  auto registry = Registry::Open(directory.get(), why);
  for (const ProcessId process : registry->Processes()) {
    File socket = ConnectLocally(directory.get(), Registry::SocketName(process));
    ASSERT_TRUE(socket.open());
    EXPECT_EQ(SendLocally(socket, "nonsense", 8, {}), 0);
    Run();
    EXPECT_EQ(ReceiveLocally(socket, 64).error, ECONNRESET);
  }
  Write(1);
  Run();
  EXPECT_THAT(client_->Poll(), ElementsAre(Pair(1, WcStatus::kSuccess)));
}

}  // namespace
}  // namespace fakenic
