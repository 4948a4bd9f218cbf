// Connections between two processes.
#include "wire/network.h"

#include "wire/test_nodes.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

TEST_F(NetworkTest, AConnectionIsMadeUsedAndEnded) {
  Establish();
  client_->end->Fill("abcdefgh");
  ASSERT_EQ(Write(1), 0);
  Run();
  EXPECT_THAT(client_->Poll(), ElementsAre(Pair(1, WcStatus::kSuccess)));
  EXPECT_EQ(server_->end->text(0, 8), "abcdefgh");
  EXPECT_TRUE(passive_->dst.SameHost(Address::Parse("10.0.0.1")));

  ASSERT_EQ(client_->cm.Disconnect(*active_), 0);
  Run();
  EXPECT_EQ(server_->Fetch().type, CmEventType::kDisconnected);
  ASSERT_EQ(server_->cm.Disconnect(*passive_), 0);
  Run();
  const CmEvent event = client_->Fetch();
  EXPECT_EQ(event.type, CmEventType::kDisconnected);
  EXPECT_EQ(event.status, 0);
}

TEST_F(NetworkTest, BothEndsMayDisconnectAtOnce) {
  Establish();
  client_->cm.Disconnect(*active_);
  server_->cm.Disconnect(*passive_);
  Run();

  EXPECT_EQ(client_->Fetch().type, CmEventType::kDisconnected);
  EXPECT_EQ(server_->Fetch().type, CmEventType::kDisconnected);
  EXPECT_EQ(client_->Fetch().type, kNoEvent);
  EXPECT_EQ(server_->Fetch().type, kNoEvent);
}

TEST_F(NetworkTest, NobodyWhoListensIsARejection) {
  MakeServer();
  server_->network.BecomeReachable();
  CmId* id = Resolve(MakeClient(), "10.0.0.2");
  client_->cm.AttachQp(*id, *client_->end->qp);
  client_->cm.Connect(*id, full_);
  Run();

  const CmEvent event = client_->Fetch();
  EXPECT_EQ(event.type, CmEventType::kRejected);
  EXPECT_EQ(event.status, reject_reason::kInvalidServiceId);
}

TEST_F(NetworkTest, ARejectionCarriesItsData) {
  Request();
  server_->cm.Reject(*passive_, reject_reason::kConsumerDefined, {'n', 'o'});
  Run();

  const CmEvent event = client_->Fetch();
  EXPECT_EQ(event.type, CmEventType::kRejected);
  EXPECT_EQ(event.status, reject_reason::kConsumerDefined);
  EXPECT_EQ(event.param.private_data.size(), 148u);
  EXPECT_EQ(event.param.private_data[0], 'n');
}

TEST_F(NetworkTest, ADestroyedClientIsNoticedByTheServer) {
  Request();
  client_->cm.DestroyId(*active_);
  Run();

  EXPECT_EQ(server_->cm.Accept(*passive_, full_), EINVAL);
}

TEST_F(NetworkTest, AServerThatEndsDisconnectsAndItsQueuePairsAreSilent) {
  Establish();
  server_.reset();
  Run();
  EXPECT_EQ(client_->Fetch().type, CmEventType::kDisconnected);

  sge_ = {client_->end->addr(0), 8, client_->end->mr->key};
  client_->fabric.PostSend(
      *client_->end->qp,
      {2, WrOpcode::kRdmaWrite, send_flag::kSignaled, {&sge_, 1}, 0x1000, 0x100});
  Run();
  EXPECT_THAT(client_->Poll(), IsEmpty());
  Advance(8ull * (4096ull << 17) + 1);
  EXPECT_THAT(client_->Poll(), ElementsAre(Pair(2, WcStatus::kRetryExcErr)));
}

TEST_F(NetworkTest, AMessageThatIsNoneClosesTheLinkAndEndsWhatGoesOverIt) {
  Establish();
  CmMessage none;
  none.kind = static_cast<CmMessage::Kind>(99);
  none.to = active_->peer;
  testing::internal::CaptureStderr();
  client_->network.Send(none);
  Run();

  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("a malformed message of the connection manager"));
  EXPECT_EQ(server_->network.links(), 0u);
  EXPECT_EQ(client_->network.links(), 0u);
  EXPECT_EQ(server_->Fetch().type, CmEventType::kDisconnected);
  EXPECT_EQ(client_->Fetch().type, CmEventType::kDisconnected);
}

TEST_F(NetworkTest, AServerThatEndsBeforeItAnswersRejects) {
  Request();
  server_.reset();
  Run();

  const CmEvent event = client_->Fetch();
  EXPECT_EQ(event.type, CmEventType::kRejected);
  EXPECT_EQ(event.status, reject_reason::kConsumerDefined);
}

TEST_F(NetworkTest, AClientThatEndsBeforeItReadsTheReplyRejects) {
  Request();
  server_->cm.Accept(*passive_, full_);
  client_.reset();
  Run();

  EXPECT_EQ(server_->Fetch().type, CmEventType::kRejected);
}

TEST_F(NetworkTest, WhatAProcessSaidBeforeItEndedIsHeard) {
  Establish();
  client_->end->Fill("abcdefgh");
  Write(1);
  client_->cm.Disconnect(*active_);
  client_.reset();
  Run();

  EXPECT_EQ(server_->end->text(0, 8), "abcdefgh");
  EXPECT_EQ(server_->Fetch().type, CmEventType::kDisconnected);
}

TEST_F(NetworkTest, AnAddressThatNobodyHasIsAskedForInVain) {
  MakeClient();
  CmId* id = client_->cm.CreateId(&client_->channel, kTcp);
  EXPECT_EQ(client_->cm.ResolveAddr(*id, {}, At("10.0.0.9", kPort), 1000), 0);
  EXPECT_EQ(client_->Fetch().type, kNoEvent);
  Advance(kSecondNs + 1);

  const CmEvent event = client_->Fetch();
  EXPECT_EQ(event.type, CmEventType::kAddrError);
  EXPECT_EQ(event.status, -ETIMEDOUT);
}

}  // namespace
}  // namespace fakenic
