// The model of receives on the smallest sequences: what it lets pass, and which rule it charges
// otherwise.
#include "spec/model/receive_queue.h"

#include <gtest/gtest.h>
#include <librpma.h>

#include <array>

#include "spec/model/memory.h"
#include "spec/model/recorder.h"
#include "spec/rpma_recv.h"
#include "spec/rpma_send_with_imm.h"
#include "spec/rpma_srq_recv.h"
#include "spec/rpma_write_with_imm.h"

namespace spec::model {

namespace {

constexpr int kServer = 1;

class ReceiveQueueTest : public testing::Test {
 protected:
  bool Recv(std::uint64_t wr_id, std::size_t length = 16, int code = 0) {
    Operation receive;
    receive.page = page_;
    receive.wr_id = wr_id;
    receive.target = 0;
    receive.length = length;
    receive.memory = kServer;
    return receives_.Returned(receive, Refusals(), code, PostFault::kNone);
  }
  void Send(std::uint32_t imm, std::uint32_t length = 8,
            const Page* page = &rpma_send_with_imm::kPage) {
    Operation send;
    send.page = page;
    send.wr_id = 100 + imm;
    send.source = kSource.data();
    send.length = length;
    send.writes = Writes::kNothing;
    sender_.Returned(send, Refusals(), 0, PostFault::kNone);
    SentMessage message;
    message.sender = &sender_;
    message.index = sender_.operations().size() - 1;
    message.to = kServer;
    message.label = {page == &rpma_write_with_imm::kPage, true, imm, length};
    receives_.Expect(message);
  }
  void Sent(std::uint32_t imm) { sender_.Completed(100 + imm, true, "success"); }
  void Arrive(std::uint64_t wr_id, std::uint32_t imm, std::uint32_t length = 8) {
    receives_.Arrived(kServer, {wr_id, true, "success", {false, true, imm, length}});
  }
  void Fail(std::uint64_t wr_id) { receives_.Arrived(kServer, {wr_id, false, "WR_FLUSH_ERR", {}}); }
  // The server's own connection breaks.
  void BreakServer() {
    PostWhatFails();
    server_.Completed(99, false, "REM_ACCESS_ERR");
  }
  void PostWhatFails() {
    Operation write;
    write.page = &rpma_send_with_imm::kPage;
    write.wr_id = 99;
    write.fate = Fate::kFails;
    server_.Returned(write, Refusals(), 0, PostFault::kNone);
  }
  std::string Settled() {
    receives_.Settled(/*alive=*/true);
    return recorder_.broken();
  }

  static constexpr std::array<std::uint8_t, 16> kSource{0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5,
                                                        0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xab,
                                                        0xac, 0xad, 0xae, 0xaf};
  const Page* page_ = &rpma_recv::kPage;
  Recorder recorder_;
  SendQueue sender_{8, &recorder_};
  SendQueue server_{8, &recorder_};
  ReceiveQueue receives_{4, &recorder_, &server_};
};

TEST_F(ReceiveQueueTest, AnyReceiveMayTakeTheMessage) {
  Recv(1);
  Recv(2);
  Send(5);
  Arrive(2, 5);
  EXPECT_EQ(Settled(), "");
  EXPECT_EQ(recorder_.seen.front(),
            std::pair(rpma_recv::kPage.completion_order, Sight::kOutOfOrder));
}

TEST_F(ReceiveQueueTest, MessageThatNoReceiveTellsOfIsFound) {
  Recv(1);
  Send(5);
  Sent(5);
  EXPECT_EQ(receives_.Owed(kServer, /*alive=*/false), 1u);
  EXPECT_EQ(Settled(), "receive-completed");
  EXPECT_EQ(recorder_.findings[0].blame[1], rpma_recv::kPage.always_success);
}

TEST_F(ReceiveQueueTest, SecondCompletionIsFound) {
  Recv(1);
  Send(5);
  Arrive(1, 5);
  Arrive(1, 5);
  EXPECT_EQ(recorder_.broken(), "completed");
}

TEST_F(ReceiveQueueTest, CompletionWithoutAMessageIsFound) {
  Recv(1);
  Arrive(1, 5);
  EXPECT_EQ(recorder_.broken(), "completed");
}

TEST_F(ReceiveQueueTest, ForeignContextIsFound) {
  Recv(0x100000001);
  Send(5);
  Arrive(1, 5);
  EXPECT_EQ(recorder_.broken(), "op-context");
}

TEST_F(ReceiveQueueTest, WrongImmediateDataIsFound) {
  Recv(1);
  Send(5);
  Arrive(1, 0x05000000);
  EXPECT_EQ(recorder_.broken(), "imm-delivered");
}

TEST_F(ReceiveQueueTest, WrongLengthIsFound) {
  Recv(1);
  Send(5);
  Arrive(1, 5, 7);
  EXPECT_EQ(recorder_.broken(), "receive-completed");
}

TEST_F(ReceiveQueueTest, MessagesInAnotherOrderAreFound) {
  Recv(1);
  Recv(2);
  Send(5);
  Send(6);
  Arrive(1, 6);
  EXPECT_EQ(recorder_.broken(), "message-order");
}

TEST_F(ReceiveQueueTest, MessageWaitsForAReceive) {
  Send(5);
  EXPECT_EQ(receives_.waiting(), 1u);
  Recv(1);
  EXPECT_EQ(receives_.waiting(), 0u);
}

TEST_F(ReceiveQueueTest, FailureOnAWorkingConnectionIsFound) {
  Recv(1);
  Fail(1);
  EXPECT_EQ(recorder_.broken(), "data-placed");
}

TEST_F(ReceiveQueueTest, ReceivesOfABrokenConnectionFail) {
  Recv(1);
  Recv(2);
  BreakServer();
  EXPECT_TRUE(receives_.OwesFailures());
  Fail(1);
  EXPECT_EQ(Settled(), "failure-reports");
}

TEST_F(ReceiveQueueTest, AReceiveMayFailBeforeTheOperationIsSeenToHaveFailed) {
  Recv(1);
  PostWhatFails();
  Fail(1);
  server_.Completed(99, false, "REM_ACCESS_ERR");
  EXPECT_EQ(Settled(), "");
  EXPECT_EQ(
      std::count(recorder_.tested.begin(), recorder_.tested.end(), &rpma_recv::kFailureReports), 1);
}

TEST_F(ReceiveQueueTest, CompletionOfARefusedReceiveIsFound) {
  Recv(1, 16, RPMA_E_INVAL);
  recorder_.findings.clear();
  Send(5);
  Arrive(1, 5);
  EXPECT_EQ(recorder_.broken(), "refused-no-effect");
}

TEST_F(ReceiveQueueTest, ShortBufferMayFailAMessageButNotAWrite) {
  Recv(1, 4);
  Send(5, 8);
  Send(6, 8, &rpma_write_with_imm::kPage);
  const Rule* rule = nullptr;
  EXPECT_TRUE(receives_.MayFail(receives_.messages()[0], &rule));
  EXPECT_EQ(rule, rpma_send_with_imm::kPage.message_too_long);
  EXPECT_FALSE(receives_.MayFail(receives_.messages()[1], &rule));
}

TEST_F(ReceiveQueueTest, MessageStandsInTheBufferThatTookItAndNowhereElse) {
  std::array<std::uint8_t, 32> pristine{};
  std::array<std::uint8_t, 32> now{};
  Recv(1);
  Send(5);
  Arrive(1, 5);
  std::copy_n(kSource.begin(), 8, now.begin());
  MemoryCheck check(&recorder_);
  const auto judge = [&] {
    recorder_.findings.clear();
    check.Begin({now, pristine, "server"});
    check.ReceivedBy(receives_, kServer);
    check.Judge(&rpma_recv::kPage, /*refused=*/false);
    return recorder_.broken();
  };
  EXPECT_EQ(judge(), "");
  now[8] = 1;
  EXPECT_EQ(judge(), "data-bounds");
  now[8] = 0;
  now[0] = 0;
  EXPECT_EQ(judge(), "data-sent");
}

}  // namespace

}  // namespace spec::model
