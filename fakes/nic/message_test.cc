#include "nic/message.h"

#include <gtest/gtest.h>

#include <string>

namespace fakenic {
namespace {

// The kinds that are still to come, as letters.
std::string Pending(const Message& message) {
  std::string letters;
  const char* names = "fdxhpwralc";
  for (size_t i = 0; i < kStepKinds; ++i) {
    if (message.Pending(static_cast<StepKind>(i))) letters += names[i];
  }
  return letters;
}

TEST(Message, LosesItsStepsOneAfterTheOther) {
  Message message;
  message.length = 8;
  EXPECT_EQ(Pending(message), "fdpac");

  message.payload.resize(8);
  EXPECT_EQ(Pending(message), "dpac");
  message.delivered = true;
  message.pieces.push_back({});
  EXPECT_EQ(Pending(message), "pac");
  message.decided = true;
  EXPECT_EQ(Pending(message), "pc");
  message.completed = true;
  EXPECT_EQ(Pending(message), "p");
  EXPECT_FALSE(message.done());
  message.pieces.clear();

  EXPECT_EQ(Pending(message), "");
  EXPECT_TRUE(message.done());
}

TEST(Message, AReadIsExecutedAndLandsInsteadOfBeingFetchedAndPlaced) {
  Message message;
  message.opcode = WrOpcode::kRdmaRead;
  message.length = 8;
  EXPECT_EQ(Pending(message), "dxalc");

  message.delivered = message.executed = true;
  EXPECT_EQ(Pending(message), "alc");
  message.answered = true;
  EXPECT_EQ(Pending(message), "lc");
  message.decided = true;
  EXPECT_EQ(Pending(message), "c");
}

TEST(Message, ASendCompletesTheReceiveThatItConsumed) {
  Message message;
  message.opcode = WrOpcode::kSend;
  EXPECT_EQ(Pending(message), "dprac");

  message.delivered = true;
  message.recv = ConsumedRecv{nullptr, 1};
  EXPECT_EQ(Pending(message), "rac");
  message.decided = message.completed = true;
  EXPECT_EQ(Pending(message), "r");
  EXPECT_FALSE(message.done());
  message.recv->completed = true;

  EXPECT_TRUE(message.done());
}

TEST(Message, AnAtomicIsExecutedThenPlacedThenAnsweredThenLands) {
  Message message;
  message.opcode = WrOpcode::kAtomicFetchAndAdd;
  message.length = 8;
  EXPECT_EQ(Pending(message), "dxpalc");

  message.delivered = message.executed = true;
  message.pieces.push_back({});
  EXPECT_EQ(Pending(message), "palc");
  message.pieces.clear();
  EXPECT_EQ(Pending(message), "alc");
  message.answered = true;
  message.pieces.push_back({});
  EXPECT_EQ(Pending(message), "lc") << "its pieces are the requester's now";
}

TEST(Message, AFlushIsExecutedAndHasNothingToPlace) {
  Message message;
  message.opcode = WrOpcode::kFlush;
  EXPECT_EQ(Pending(message), "dhac");

  message.delivered = message.executed = true;
  EXPECT_EQ(Pending(message), "ac");
}

TEST(Message, TheWordOfAnAtomicWriteIsPlacedByAStepOfItsOwn) {
  Message message;
  message.opcode = WrOpcode::kAtomicWrite;
  message.length = 8;
  EXPECT_EQ(Pending(message), "fdwac");

  message.delivered = true;
  message.pieces.push_back({});
  EXPECT_EQ(Pending(message), "wac");
  message.pieces.clear();
  EXPECT_EQ(Pending(message), "ac");
}

TEST(Message, OnceDecidedIsNeitherFetchedNorDeliveredAnyMore) {
  Message message;
  message.length = 8;

  message.decided = true;

  EXPECT_EQ(Pending(message), "c");
}

TEST(Message, AnEmptyOneIsFetchedFromTheStart) { EXPECT_TRUE(Message().fetched()); }

}  // namespace
}  // namespace fakenic
