// The sequences of a connection, and how they fail.
#include <cerrno>

#include "cm/test_connection.h"

namespace fakenic {
namespace {

constexpr uint64_t kTryNs = 4'096'000'000;
constexpr uint64_t kAllTriesNs = 16 * kTryNs;

TEST_F(ConnectionTest, QueuePairsMoveInsideTheCalls) {
  Request();
  EXPECT_EQ(client_.qp->state(), QpState::kInit);
  EXPECT_EQ(server_.qp->state(), QpState::kInit);

  EXPECT_EQ(cm_.Accept(*passive_, full_), 0);
  EXPECT_EQ(server_.qp->state(), QpState::kRts) << "ready when accept returns";
  EXPECT_EQ(client_.qp->state(), QpState::kInit) << "not before its event is fetched";
  EXPECT_TRUE(server_channel_.empty()) << "nor does the server hear of it";
  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kEstablished);

  EXPECT_EQ(client_.qp->state(), QpState::kRts);
  EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kEstablished);
  EXPECT_EQ(client_.qp->attr().dest_qp_num, server_.qp->num);
  EXPECT_EQ(server_.qp->attr().dest_qp_num, client_.qp->num);
  EXPECT_EQ(client_.qp->attr().rq_psn, server_.qp->attr().sq_psn);
  EXPECT_EQ(server_.qp->attr().rq_psn, client_.qp->attr().sq_psn);
}

TEST_F(ConnectionTest, AProgramThatMovesItsOwnQueuePairConfirmsItself) {
  Listen(7);
  CmId* active = Resolve(Loopback(7));
  full_.qp_num = client_.qp->num;
  cm_.Connect(*active, full_);
  CmId* passive = TakeRequest(*server_.qp);
  cm_.Accept(*passive, full_);

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kConnectResponse);
  EXPECT_EQ(Fetch(server_channel_).type, kNoEvent);
  EXPECT_EQ(cm_.Establish(*active), 0);

  EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kEstablished);
  EXPECT_EQ(cm_.Establish(*active), EINVAL) << "once";
  EXPECT_EQ(server_.qp->attr().dest_qp_num, client_.qp->num);
}

TEST_F(ConnectionTest, ADisconnectionIsTwoSidedAndThenTimeWaits) {
  Establish();

  EXPECT_EQ(cm_.Disconnect(*active_), 0);
  EXPECT_EQ(client_.qp->state(), QpState::kErr);
  EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kDisconnected);
  EXPECT_EQ(server_.qp->state(), QpState::kRts) << "the peer's queue pair is its own affair";
  EXPECT_TRUE(client_channel_.empty()) << "not before the peer disconnects too";
  EXPECT_EQ(cm_.Disconnect(*passive_), 0);

  const CmEvent disconnected = Fetch(client_channel_);
  EXPECT_EQ(disconnected.type, CmEventType::kDisconnected);
  EXPECT_EQ(disconnected.status, 0);
  EXPECT_TRUE(disconnected.param.private_data.empty());
  EXPECT_EQ(cm_.Disconnect(*active_), 0) << "harmless once more";
  Advance(511'999'999);
  EXPECT_EQ(Fetch(client_channel_).type, kNoEvent);
  Advance(1);
  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kTimewaitExit);
  EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kTimewaitExit);
  EXPECT_EQ(cm_.Disconnect(*active_), 0) << "and once more";
}

TEST_F(ConnectionTest, BothEndsMayDisconnectAtOnce) {
  Establish();
  cm_.Disconnect(*active_);

  EXPECT_EQ(cm_.Disconnect(*passive_), 0) << "before it has read that the other did";

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kDisconnected);
  EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kDisconnected);
}

TEST_F(ConnectionTest, DestroyingAConnectedIdDisconnectsThePeer) {
  Establish();

  cm_.DestroyId(*passive_);

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kDisconnected);
  EXPECT_EQ(cm_.Disconnect(*active_), 0);
  EXPECT_TRUE(client_channel_.empty());
  Advance(kSecondNs);
  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kTimewaitExit);
}

TEST_F(ConnectionTest, DestroyingAnswersADisconnectionToo) {
  Establish();
  cm_.Disconnect(*active_);

  cm_.DestroyId(*passive_);

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kDisconnected);
}

TEST_F(ConnectionTest, ADisconnectionThatNobodyAnswersIsGivenUp) {
  Establish();
  cm_.Disconnect(*active_);

  Advance(kAllTriesNs - 1);
  EXPECT_EQ(Fetch(client_channel_).type, kNoEvent);
  for (int i = 0; i < 16; ++i) Advance(kTryNs);

  const CmEvent event = Fetch(client_channel_);
  EXPECT_EQ(event.type, CmEventType::kDisconnected);
  EXPECT_EQ(event.status, -ETIMEDOUT);
}

TEST_F(ConnectionTest, DisconnectingBeforeThereIsAConnectionFailsTheQueuePairOnly) {
  Request();
  EXPECT_EQ(cm_.Disconnect(*active_), 0);
  EXPECT_EQ(client_.qp->state(), QpState::kErr);
  EXPECT_EQ(cm_.Accept(*passive_, full_), 0) << "the request still stands";

  const CmEvent event = Fetch(client_channel_);

  EXPECT_EQ(event.type, CmEventType::kConnectError) << "its queue pair cannot become ready";
  EXPECT_EQ(event.status, -EINVAL);
}

TEST_F(ConnectionTest, AQueuePairThatCannotBecomeReadyRejectsTheReply) {
  Request();
  cm_.Accept(*passive_, full_);
  MoveToErr(fabric_, *client_.qp);

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kConnectError);

  const CmEvent event = Fetch(server_channel_);
  EXPECT_EQ(event.type, CmEventType::kRejected);
  EXPECT_EQ(event.status, reject_reason::kConsumerDefined);
}

TEST_F(ConnectionTest, AfterItsConnectErrorAnIdHearsNoMore) {
  Request();
  cm_.Accept(*passive_, full_);
  cm_.DestroyId(*passive_);

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kConnectError);
  EXPECT_EQ(Fetch(client_channel_).type, kNoEvent) << "the rejection is swallowed";
  EXPECT_EQ(client_.qp->state(), QpState::kErr);
}

TEST_F(ConnectionTest, ARejectionFailsTheActiveQueuePairWhenItIsFetched) {
  Request();
  cm_.Reject(*passive_, reject_reason::kConsumerDefined, {9});
  EXPECT_EQ(client_.qp->state(), QpState::kInit);

  const CmEvent event = Fetch(client_channel_);

  EXPECT_EQ(event.type, CmEventType::kRejected);
  EXPECT_EQ(event.param.private_data.size(), 148u);
  EXPECT_EQ(event.param.private_data[0], 9);
  EXPECT_EQ(client_.qp->state(), QpState::kErr);
  EXPECT_EQ(cm_.Accept(*passive_, full_), EINVAL) << "answered already";
}

// Every way to be rejected, with its reason.
class Rejection : public ConnectionTest {
 public:
  void NobodyListens() { ConnectTo(8); }
  void AListenerElsewhere() {
    CmId* other = cm_.CreateId(&server_channel_, kTcp);
    cm_.BindAddr(*other, V4("127.0.0.2", 9));
    cm_.Listen(*other, 0);
    ConnectTo(9);
  }
  void TheServerRejects() {
    Request();
    cm_.Reject(*passive_, reject_reason::kConsumerDefined, {});
  }
  void TheServerRejectsTheVendorOption() {
    Request();
    cm_.Reject(*passive_, reject_reason::kVendorOption, {});
  }
  void TheServerDestroysTheRequest() {
    Request();
    cm_.DestroyId(*passive_);
  }
  void TheServerDestroysTheListener() {
    CmId* listener = Listen(7);
    ConnectTo(7);
    cm_.DestroyId(*listener);
    EXPECT_TRUE(server_channel_.empty());
  }
  void AConnectedQueuePairConnectsOnceMore() {
    Establish();
    CmId* second = Resolve(Loopback(7));
    full_.qp_num = client_.qp->num;
    cm_.Connect(*second, full_);
  }

  int Status() {
    CmEvent event = Fetch(client_channel_);
    if (event.type == CmEventType::kDisconnected) event = Fetch(client_channel_);
    EXPECT_EQ(event.type, CmEventType::kRejected);
    EXPECT_EQ(event.param.private_data.size(), 148u);
    return event.status;
  }

 private:
  void ConnectTo(uint16_t port) {
    active_ = Resolve(port, *client_.qp);
    EXPECT_EQ(cm_.Connect(*active_, full_), 0);
  }
};

TEST_F(Rejection, NobodyListensIsAnInvalidServiceId) {
  NobodyListens();
  EXPECT_EQ(Status(), 8);
}

TEST_F(Rejection, AListenerOnAnotherAddressIsConsumerDefined) {
  AListenerElsewhere();
  EXPECT_EQ(Status(), 28);
}

TEST_F(Rejection, TheServersOwnIsConsumerDefined) {
  TheServerRejects();
  EXPECT_EQ(Status(), 28);
}

TEST_F(Rejection, TheServersForEceNamesTheVendorOption) {
  TheServerRejectsTheVendorOption();
  EXPECT_EQ(Status(), 35);
}

TEST_F(Rejection, ADestroyedRequestIsConsumerDefined) {
  TheServerDestroysTheRequest();
  EXPECT_EQ(Status(), 28);
}

TEST_F(Rejection, ADestroyedListenerRejectsItsUnreadRequests) {
  TheServerDestroysTheListener();
  EXPECT_EQ(Status(), 28);
}

TEST_F(Rejection, ASecondConnectionOfOneQueuePairIsStaleAndEndsTheFirst) {
  AConnectedQueuePairConnectsOnceMore();
  EXPECT_EQ(Status(), 10);
  EXPECT_EQ(active_->state, CmState::kDisconnectReceived);
}

TEST_F(ConnectionTest, AClientThatIsGoneIsNoticedWhenTheServerAccepts) {
  Request();

  cm_.DestroyId(*active_);

  EXPECT_EQ(Fetch(server_channel_).type, kNoEvent) << "nothing before the id is accepted";
  EXPECT_EQ(cm_.Accept(*passive_, full_), EINVAL);
}

TEST_F(ConnectionTest, AClientThatGoesAfterTheReplyRejectsIt) {
  Request();
  cm_.Accept(*passive_, full_);

  cm_.DestroyId(*active_);

  const CmEvent event = Fetch(server_channel_);
  EXPECT_EQ(event.type, CmEventType::kRejected);
  EXPECT_EQ(event.status, reject_reason::kConsumerDefined);
}

TEST_F(ConnectionTest, AServerThatNeverAnswersIsUnreachable) {
  Request();

  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(Fetch(client_channel_).type, kNoEvent) << i << " tries";
    Advance(kTryNs);
  }

  const CmEvent event = Fetch(client_channel_);
  EXPECT_EQ(event.type, CmEventType::kUnreachable);
  EXPECT_EQ(event.status, -ETIMEDOUT);
  EXPECT_EQ(Fetch(server_channel_).type, kNoEvent) << "the request came once";
}

TEST_F(ConnectionTest, ASilentHostIsUnreachable) {
  cm_.hosts.Set(V4("192.0.2.7", 0), Hosts::kSilent);
  CmId* active = Resolve(V4("192.0.2.7", 7));
  cm_.AttachQp(*active, *client_.qp);
  EXPECT_EQ(cm_.Connect(*active, full_), 0);

  for (int i = 0; i < 16; ++i) Advance(kTryNs);

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kUnreachable);
}

TEST_F(ConnectionTest, AReplyToAClientThatGaveUpIsConfirmedByNobody) {
  Request();
  for (int i = 0; i < 16; ++i) Advance(kTryNs);

  EXPECT_EQ(cm_.Accept(*passive_, full_), 0) << "the server cannot know";
  for (int i = 0; i < 16; ++i) Advance(kTryNs);

  const CmEvent event = Fetch(server_channel_);
  EXPECT_EQ(event.type, CmEventType::kUnreachable);
  EXPECT_EQ(event.status, -ETIMEDOUT);
}

TEST_F(ConnectionTest, AReplyThatTheClientNeverReadsIsGivenUp) {
  Request();
  cm_.Accept(*passive_, full_);

  for (int i = 0; i < 16; ++i) Advance(kTryNs);

  EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kUnreachable);
}

TEST_F(ConnectionTest, ARequestBeyondTheBacklogIsDroppedAndTriedAgain) {
  Listen(7, /*backlog=*/1);
  CmId* first = Resolve(7, *client_.qp);
  CmId* second = Resolve(7, *server_.qp);
  cm_.Connect(*first, full_);
  cm_.Connect(*second, full_);
  EXPECT_EQ(server_channel_.size(), 1u);
  EXPECT_TRUE(client_channel_.empty()) << "no answer, not even a rejection";

  Fetch(server_channel_);
  Advance(kTryNs);

  EXPECT_EQ(server_channel_.size(), 1u) << "there is room again";
  EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kConnectRequest);
}

TEST_F(ConnectionTest, AListenerThatIsGoneAtTheNextTryRejectsIt) {
  CmId* listener = Listen(7, /*backlog=*/1);
  cm_.Connect(*Resolve(7, *client_.qp), full_);
  CmId* dropped = Resolve(7, *server_.qp);
  cm_.Connect(*dropped, full_);
  cm_.DestroyId(*listener);
  Fetch(client_channel_);

  Advance(kTryNs);

  const CmEvent event = Fetch(client_channel_);
  EXPECT_EQ(event.id, dropped);
  EXPECT_EQ(event.status, reject_reason::kInvalidServiceId);
}

TEST_F(ConnectionTest, AServerThatHearsFromItsPeerOtherwiseMaySaySo) {
  Request();
  EXPECT_EQ(cm_.NotifyCommEstablished(*passive_), EINVAL) << "not accepted";
  cm_.Accept(*passive_, full_);

  EXPECT_EQ(cm_.NotifyCommEstablished(*passive_), 0);

  EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kEstablished);
  EXPECT_EQ(cm_.NotifyCommEstablished(*passive_), EISCONN);
  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kEstablished);
  EXPECT_EQ(Fetch(server_channel_).type, kNoEvent) << "once";
}

TEST_F(ConnectionTest, ADisconnectionReachesAPeerThatIsNotSoFarYetAtALaterTry) {
  Request();
  cm_.Accept(*passive_, full_);
  cm_.NotifyCommEstablished(*passive_);
  cm_.Disconnect(*passive_);
  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kEstablished);
  EXPECT_EQ(Fetch(client_channel_).type, kNoEvent);

  Advance(kTryNs);

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kDisconnected);
}

TEST_F(ConnectionTest, AnIPv6WildcardListenerTakesIPv4) {
  CmId* listener = cm_.CreateId(&server_channel_, kTcp);
  cm_.BindAddr(*listener, Wildcard(7, AF_INET6));
  cm_.Listen(*listener, 0);

  cm_.Connect(*Resolve(7, *client_.qp), full_);

  EXPECT_EQ(Fetch(server_channel_).id->src.family(), AF_INET);
}

}  // namespace
}  // namespace fakenic
