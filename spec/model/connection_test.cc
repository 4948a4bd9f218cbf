// The two ends of a connection, and the endpoint where they meet.
#include "spec/model/connection.h"

#include <gtest/gtest.h>

#include "spec/model/thing.h"

namespace spec::model {

namespace {

using State = End::State;

constexpr Rule kPromise{"page.promise", "page(3)", "DESCRIPTION", Force::kMust, "It comes."};

std::vector<int> Events(const End& end) {
  std::vector<int> events;
  for (const Due& due : end.due()) events.push_back(due.event);
  return events;
}

using Ints = std::vector<int>;

class ConnectionModel : public testing::Test {
 protected:
  void Ask(Bytes data = {}) { client_->Ask(&listener_, std::move(data)); }
  void Arrive() {
    Ask();
    server_ = listener_.Take();
  }
  void Connect() {
    Arrive();
    server_->Accept({}, &kPromise);
    client_->Take();
    server_->Take();
  }

  Listener listener_{"here 1"};
  std::shared_ptr<End> client_ = End::Active("here 1");
  std::shared_ptr<End> server_;
};

TEST_F(ConnectionModel, ARequestWaitsAtTheEndpoint) {
  EXPECT_FALSE(listener_.has_request());

  Ask({1, 2});

  EXPECT_TRUE(listener_.has_request());
  EXPECT_EQ(listener_.Take()->data(), (Bytes{1, 2}));
  EXPECT_TRUE(listener_.empty());
  EXPECT_EQ(Events(*client_), Ints{});
}

TEST_F(ConnectionModel, NobodyThereRejects) {
  client_->Ask(nullptr, {});

  EXPECT_EQ(Events(*client_), Ints{RPMA_CONN_REJECTED});
  EXPECT_EQ(client_->due().front().promise, nullptr);
}

TEST_F(ConnectionModel, TheServerIsConnectedWhenTheClientHasReadItsEvent) {
  Arrive();

  server_->Accept({7}, &kPromise);

  EXPECT_EQ(Events(*client_), Ints{RPMA_CONN_ESTABLISHED});
  EXPECT_EQ(Events(*server_), Ints{});
  EXPECT_EQ(client_->data(), Bytes{});
  EXPECT_FALSE(server_->connected());

  EXPECT_EQ(client_->Take().promise, &kPromise);

  EXPECT_EQ(client_->data(), Bytes{7});
  EXPECT_TRUE(client_->connected());
  EXPECT_TRUE(server_->connected());
  EXPECT_EQ(Events(*server_), Ints{RPMA_CONN_ESTABLISHED});
}

TEST_F(ConnectionModel, ARejectionReachesTheClient) {
  Arrive();

  server_->Reject(&kPromise);

  EXPECT_EQ(Events(*client_), Ints{RPMA_CONN_REJECTED});
  EXPECT_EQ(client_->state(), State::kOver);
}

TEST_F(ConnectionModel, AnAnswerThatFailedReachesTheClientAsSomeEvent) {
  Arrive();

  server_->Fail(&kPromise);

  EXPECT_EQ(Events(*client_), Ints{kSomeEvent});
  EXPECT_EQ(client_->state(), State::kUnclear);
}

TEST_F(ConnectionModel, TheFirstToDisconnectHearsOfItWhenTheOtherHasToo) {
  Connect();

  client_->Disconnect(&kPromise);

  EXPECT_EQ(Events(*client_), Ints{});
  EXPECT_EQ(Events(*server_), Ints{RPMA_CONN_CLOSED});

  server_->Disconnect(&kPromise);

  EXPECT_EQ(Events(*client_), Ints{RPMA_CONN_CLOSED});
  EXPECT_EQ(client_->state(), State::kClosed);
  EXPECT_EQ(server_->state(), State::kClosed);
}

TEST_F(ConnectionModel, CloseComesAfterAnEventThatWasNotRead) {
  Arrive();
  server_->Accept({}, &kPromise);
  client_->Take();

  client_->Disconnect(&kPromise);

  EXPECT_EQ(Events(*server_), (Ints{RPMA_CONN_ESTABLISHED, RPMA_CONN_CLOSED}));
}

TEST_F(ConnectionModel, DisconnectingTwiceChangesNothing) {
  Connect();
  client_->Disconnect(&kPromise);

  client_->Disconnect(&kPromise);

  EXPECT_EQ(Events(*server_), Ints{RPMA_CONN_CLOSED});
}

TEST_F(ConnectionModel, ADeletedEndDisconnects) {
  Connect();

  client_->Leave();

  EXPECT_EQ(Events(*server_), Ints{RPMA_CONN_CLOSED});
  server_->Disconnect(&kPromise);
  EXPECT_EQ(server_->state(), State::kClosed);
}

TEST_F(ConnectionModel, ADeletedEndAnswersADisconnection) {
  Connect();
  client_->Disconnect(&kPromise);

  server_->Leave();

  EXPECT_EQ(Events(*client_), Ints{RPMA_CONN_CLOSED});
}

TEST_F(ConnectionModel, AServerWhoseClientIsGoneHearsNothingForCertain) {
  Arrive();

  client_->Leave();

  EXPECT_EQ(server_->state(), State::kUnclear);
  server_->Accept({}, &kPromise);
  EXPECT_EQ(Events(*server_), Ints{});
}

TEST_F(ConnectionModel, DisconnectingBeforeTheConnectionIsThereLeavesBothOpen) {
  Arrive();
  server_->Accept({}, &kPromise);

  server_->Disconnect(&kPromise);

  EXPECT_EQ(server_->state(), State::kUnclear);
  EXPECT_EQ(client_->state(), State::kUnclear);
  EXPECT_EQ(Events(*client_), Ints{});
}

TEST_F(ConnectionModel, AnEndpointThatIsShutDownRejectsWhatWaits) {
  Ask();

  listener_.Close();

  EXPECT_EQ(Events(*client_), Ints{RPMA_CONN_REJECTED});
}

TEST_F(ConnectionModel, ARequestThatAFailureMayHaveTakenIsAnsweredInTheEnd) {
  Ask();

  listener_.Doubt(&kPromise);

  EXPECT_FALSE(listener_.has_request());
  EXPECT_FALSE(listener_.empty());
  EXPECT_EQ(Events(*client_), Ints{});

  listener_.Close();

  EXPECT_EQ(Events(*client_), Ints{kSomeEvent});
}

TEST_F(ConnectionModel, ADisconnectedEndsReceivesAreFlushed) {
  Connect();
  client_->receives = {1};

  client_->Disconnect(&kPromise);

  EXPECT_TRUE(client_->receive_queue().unclear);
  EXPECT_FALSE(server_->receive_queue().unclear);
}

TEST_F(ConnectionModel, ADoubtfulRequestsClientMayHaveHeardOfItsEnd) {
  Thing thing;
  thing.end = client_;
  Ask();
  EXPECT_EQ(IsDue(thing, "fd"), false);

  listener_.Doubt(&kPromise);

  EXPECT_EQ(IsDue(thing, "fd"), std::nullopt);
}

TEST(IsDueAtTheDescriptor, OfAnEndpointWhileARequestWaits) {
  Thing ep;
  ep.listener = std::make_shared<Listener>("here 1");
  EXPECT_EQ(IsDue(ep, "fd"), false);

  const std::shared_ptr<End> client = End::Active("here 1");
  client->Ask(ep.listener.get(), {});

  EXPECT_EQ(IsDue(ep, "fd"), true);
}

TEST(IsDueAtTheDescriptor, OfASharedChannelForEitherQueue) {
  Thing conn;
  conn.end = End::Active("here 1");
  conn.end->rcq = std::make_shared<CompletionQueue>();
  Thing cq;
  cq.queue = conn.end->cq;
  cq.numbers["shared"] = 1;
  cq.things["owner"] = &conn;

  conn.end->rcq->Add(1);

  EXPECT_EQ(IsDue(conn, "compl_fd"), true);
  EXPECT_EQ(IsDue(cq, "fd"), true);
  EXPECT_EQ(IsDue(conn, "fd"), false);
  conn.end->rcq->unclear = true;
  EXPECT_EQ(IsDue(conn, "compl_fd"), std::nullopt);
}

TEST(CompletionQueueModel, RaisesOneEventUntilItIsArmedAgain) {
  CompletionQueue queue;

  queue.Add(1);
  queue.Add(2);

  EXPECT_EQ(queue.events, 1);
  queue.TakeEvent();
  EXPECT_EQ(queue.events, 0);
  queue.Add(3);
  EXPECT_EQ(queue.events, 1);
}

}  // namespace

}  // namespace spec::model
