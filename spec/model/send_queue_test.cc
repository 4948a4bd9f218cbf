// The model on the smallest sequences: what it lets pass, and which rule it charges otherwise.
#include "spec/model/send_queue.h"

#include <gtest/gtest.h>
#include <librpma.h>

#include "spec/model/recorder.h"
#include "spec/rpma_write.h"

namespace spec::model {

namespace {

class SendQueueTest : public testing::Test {
 protected:
  bool Post(Operation operation, int code = 0) {
    return queue_.Returned(operation, Refusals(), code, PostFault::kNone);
  }
  void Complete(std::uint64_t wr_id) { queue_.Completed(wr_id, true, "success"); }
  void Fail(std::uint64_t wr_id) { queue_.Completed(wr_id, false, "REM_ACCESS_ERR"); }
  std::string Settled(bool alive) {
    queue_.Settled(alive);
    return recorder_.broken();
  }

  static Operation Write(std::uint64_t wr_id, Signal signal, Fate fate = Fate::kSucceeds) {
    Operation operation;
    operation.page = &rpma_write::kPage;
    operation.wr_id = wr_id;
    operation.signal = signal;
    operation.fate = fate;
    return operation;
  }
  static Operation Always(std::uint64_t wr_id) { return Write(wr_id, Signal::kAlways); }
  static Operation OnError(std::uint64_t wr_id) { return Write(wr_id, Signal::kOnError); }
  static Operation Failing(Operation operation) {
    operation.fate = Fate::kFails;
    return operation;
  }

  Recorder recorder_;
  SendQueue queue_{2, &recorder_};
};

TEST_F(SendQueueTest, AlwaysOwesExactlyOneCompletion) {
  Post(Always(7));
  EXPECT_TRUE(queue_.OwesCompletion());
  Complete(7);
  EXPECT_FALSE(queue_.OwesCompletion());
  EXPECT_EQ(Settled(true), "");
}

TEST_F(SendQueueTest, MissingCompletionOfAlwaysIsFound) {
  Post(Always(7));
  EXPECT_EQ(Settled(true), "always-success");
}

TEST_F(SendQueueTest, SecondCompletionOfAlwaysIsFound) {
  Post(Always(7));
  Complete(7);
  Complete(7);
  EXPECT_EQ(recorder_.broken(), "always-success");
}

TEST_F(SendQueueTest, SuccessOfOnErrorIsSilent) {
  Post(OnError(7));
  EXPECT_EQ(Settled(true), "");
}

TEST_F(SendQueueTest, CompletionOfSuccessfulOnErrorIsFound) {
  Post(OnError(7));
  Complete(7);
  EXPECT_EQ(recorder_.broken(), "on-error-silent");
}

TEST_F(SendQueueTest, FailureIsReportedWhateverTheFlag) {
  Post(Failing(OnError(7)));
  Post(Always(8));
  Fail(7);
  Fail(8);
  EXPECT_EQ(Settled(false), "");
}

TEST_F(SendQueueTest, MissingReportOfAFailureIsFound) {
  Post(Failing(OnError(7)));
  EXPECT_EQ(Settled(false), "on-error-reports");
}

TEST_F(SendQueueTest, EverythingAfterAFailureFails) {
  Post(Failing(Always(7)));
  Post(Always(8));
  Fail(7);
  Complete(8);
  EXPECT_EQ(recorder_.broken(), "always-failure");
}

TEST_F(SendQueueTest, LengthThatCannotBeCarriedMustNotSucceed) {
  Operation huge = Failing(Always(7));
  huge.uncarried = true;
  Post(huge);
  Complete(7);
  EXPECT_EQ(recorder_.broken(), "length-whole");
}

TEST_F(SendQueueTest, LengthThatCannotBeCarriedMustNotSucceedSilently) {
  Operation huge = Failing(OnError(7));
  huge.uncarried = true;
  Post(huge);
  EXPECT_EQ(Settled(true), "length-whole");
}

TEST_F(SendQueueTest, ForeignContextIsFound) {
  Post(Always(0x100000007));
  Complete(7);
  EXPECT_EQ(recorder_.broken(), "op-context");
}

TEST_F(SendQueueTest, CompletionOfARefusedCallIsFound) {
  Post(Failing(Always(7)), RPMA_E_INVAL);
  Complete(7);
  EXPECT_EQ(recorder_.broken(), "refused-no-effect");
}

TEST_F(SendQueueTest, SlotsAreFreedByTheCompletionThatCoversThem) {
  Post(OnError(1));
  Post(Always(2));
  EXPECT_TRUE(queue_.full());
  Complete(2);
  EXPECT_EQ(queue_.outstanding(), 0u);
}

TEST_F(SendQueueTest, FullQueueMayRefuseOnlyWithProvider) {
  Post(Always(1));
  Post(Always(2));
  Post(Always(3), RPMA_E_PROVIDER);
  EXPECT_EQ(recorder_.broken(), "");
  Post(Always(4), RPMA_E_INVAL);
  EXPECT_EQ(recorder_.broken(), "post-failed");
}

TEST_F(SendQueueTest, QueueThatIsNotFullMustNotRefuse) {
  Post(Always(1));
  Post(Always(2), RPMA_E_PROVIDER);
  EXPECT_EQ(recorder_.broken(), "queue-depth");
}

TEST_F(SendQueueTest, FailedPostMustReturnProvider) {
  queue_.Returned(Always(1), Refusals(), RPMA_E_PROVIDER, PostFault::kFired);
  EXPECT_EQ(recorder_.broken(), "");
  queue_.Returned(Always(2), Refusals(), RPMA_E_INVAL, PostFault::kFired);
  EXPECT_EQ(recorder_.broken(), "post-failed");
}

TEST_F(SendQueueTest, OnlyListedCodesAreReturned) {
  Post(Always(1), 1);
  EXPECT_EQ(recorder_.broken(), "return-value");
}

TEST_F(SendQueueTest, ForbiddenCallMustBeRefusedWithItsCode) {
  Refusals refusals;
  refusals.Add(&rpma_write::Write::kFlagsZero, RPMA_E_INVAL);
  queue_.Returned(Always(1), refusals, RPMA_E_INVAL, PostFault::kNone);
  EXPECT_EQ(recorder_.broken(), "");
  queue_.Returned(Always(1), refusals, 0, PostFault::kNone);
  EXPECT_EQ(recorder_.broken(), "flags-zero");
}

TEST_F(SendQueueTest, OperationAfterAnOpenOneMayFailOrSucceed) {
  Post(Write(1, Signal::kOnError, Fate::kOpen));
  Post(Always(2));
  EXPECT_EQ(queue_.FateOf(1), Fate::kOpen);
  Complete(2);
  EXPECT_EQ(Settled(true), "");
}

TEST_F(SendQueueTest, OutOfOrderIsAFindingOnlyWhereShouldRulesAreJudged) {
  for (const bool strict : {false, true}) {
    recorder_.judges_should_rules = strict;
    Post(Always(1));
    Post(Always(2));
    Complete(2);
    Complete(1);
    EXPECT_EQ(Settled(true), strict ? "completion-order" : "");
    EXPECT_TRUE(recorder_.seen.empty());
  }
}

TEST_F(SendQueueTest, MarkerThatFailsAfterARefusalIsFound) {
  Post(Failing(Always(7)), RPMA_E_INVAL);
  Operation marker = Always(9);
  marker.marker = true;
  EXPECT_TRUE(queue_.MarkerReturned(marker, 0));
  Fail(9);
  EXPECT_EQ(Settled(false), "usable-after-refusal");
}

}  // namespace

}  // namespace spec::model
