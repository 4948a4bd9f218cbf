#include "spec/model/memory.h"

#include <gtest/gtest.h>
#include <librpma.h>

#include <array>

#include "spec/model/recorder.h"
#include "spec/rpma_atomic_write.h"
#include "spec/rpma_flush.h"
#include "spec/rpma_read.h"
#include "spec/rpma_write.h"

namespace spec::model {

namespace {

class MemoryTest : public testing::Test {
 protected:
  MemoryTest() {
    for (std::size_t i = 0; i < now_.size(); ++i)
      now_[i] = pristine_[i] = static_cast<std::uint8_t>(0x10 + i);
  }

  void PostWrite(std::size_t target, std::size_t length, Fate fate = Fate::kSucceeds) {
    Operation o;
    o.page = &rpma_write::kPage;
    o.fate = fate;
    o.target = target;
    o.length = length;
    o.source = kSource.data();
    queue_.Returned(o, Refusals(), 0, PostFault::kNone);
  }
  void PostAtomicWrite(std::size_t target, std::uint8_t value) {
    Operation o;
    o.page = &rpma_atomic_write::kPage;
    o.target = target;
    o.length = 8;
    o.word.fill(value);
    queue_.Returned(o, Refusals(), 0, PostFault::kNone);
  }
  void Put(std::size_t at, std::uint8_t value, std::size_t count) {
    std::fill_n(now_.begin() + at, count, value);
  }
  MemoryView View() const { return {now_, pristine_, "server"}; }
  std::string Settled(bool alive = true) {
    check_.Begin(View());
    check_.WrittenBy(queue_, alive);
    check_.Judge(queue_.last_page(), /*refused=*/false);
    return recorder_.broken();
  }
  std::string Untorn() {
    check_.Untorn(View(), queue_);
    return recorder_.broken();
  }

  static constexpr std::array<std::uint8_t, 16> kSource{0xa0, 0xa0, 0xa0, 0xa0, 0xa0, 0xa0,
                                                        0xa0, 0xa0, 0xa0, 0xa0, 0xa0, 0xa0,
                                                        0xa0, 0xa0, 0xa0, 0xa0};
  std::array<std::uint8_t, 32> now_{};
  std::array<std::uint8_t, 32> pristine_{};
  Recorder recorder_;
  SendQueue queue_{8, &recorder_};
  MemoryCheck check_{&recorder_};
};

TEST_F(MemoryTest, SuccessfulWriteIsThere) {
  PostWrite(4, 8);
  Put(4, 0xa0, 8);
  EXPECT_EQ(Settled(), "");
}

TEST_F(MemoryTest, MissingByteIsFound) {
  PostWrite(4, 8);
  Put(4, 0xa0, 7);
  EXPECT_EQ(Settled(), "data-written");
}

TEST_F(MemoryTest, ByteBeyondTheRangeIsFound) {
  PostWrite(4, 8);
  Put(4, 0xa0, 9);
  EXPECT_EQ(Settled(), "data-bounds");
}

TEST_F(MemoryTest, FailedWriteMayHaveLeftAnyPart) {
  PostWrite(4, 8, Fate::kFails);
  Put(6, 0xa0, 3);
  EXPECT_EQ(Settled(/*alive=*/false), "");
}

TEST_F(MemoryTest, WriteOfWhichNothingIsKnownYetMayStillBeUnderWay) {
  PostAtomicWrite(8, 0x55);
  PostWrite(4, 8);
  Put(8, 0x55, 8);
  EXPECT_EQ(Settled(/*alive=*/false), "");
}

TEST_F(MemoryTest, LaterWriteWins) {
  PostWrite(4, 8);
  PostAtomicWrite(8, 0x55);
  Put(4, 0xa0, 4);
  Put(8, 0x55, 8);
  EXPECT_EQ(Settled(), "");
}

TEST_F(MemoryTest, CompletedFlushFindsTheWritesBeforeItInPlace) {
  PostWrite(4, 8);
  Operation flush;
  flush.page = &rpma_flush::kPage;
  flush.writes = Writes::kNothing;
  flush.wr_id = 7;
  queue_.Returned(flush, Refusals(), 0, PostFault::kNone);
  PostWrite(20, 4);
  queue_.Completed(7, true, "success");
  Put(4, 0xa0, 8);
  check_.Flushed(View(), queue_, queue_.last_completed());
  EXPECT_EQ(recorder_.broken(), "");
  now_[11] = pristine_[11];
  check_.Flushed(View(), queue_, queue_.last_completed());
  EXPECT_EQ(recorder_.broken(), "writes-placed");
}

TEST_F(MemoryTest, ReadMayHaveSeenAWriteToItsSourceOrNot) {
  PostWrite(4, 8);
  Operation read;
  read.page = &rpma_read::kPage;
  read.writes = Writes::kOwn;
  read.target = 0;
  read.length = 8;
  read.from = 4;
  read.source = pristine_.data() + 4;
  queue_.Returned(read, Refusals(), 0, PostFault::kNone);
  std::array<std::uint8_t, 32> landed = pristine_;
  const auto judge = [&] {
    check_.Begin({landed, pristine_, "client"});
    check_.ReadBy(queue_, /*alive=*/true);
    check_.Judge(&rpma_read::kPage, /*refused=*/false);
    return recorder_.broken();
  };

  std::copy_n(pristine_.begin() + 4, 8, landed.begin());
  EXPECT_EQ(judge(), "");
  std::fill_n(landed.begin(), 4, 0xa0);
  EXPECT_EQ(judge(), "");
  landed[5] = 0x55;
  EXPECT_EQ(judge(), "data-read");
}

TEST_F(MemoryTest, LateReadOfTheCallersBytesIsFound) {
  PostAtomicWrite(8, 0x55);
  Put(8, kScribble, 8);
  EXPECT_EQ(Settled(), "source-reuse");
}

TEST_F(MemoryTest, OldAndNewWordAreWhole) {
  PostAtomicWrite(8, 0x55);
  EXPECT_EQ(Untorn(), "");
  Put(8, 0x55, 8);
  EXPECT_EQ(Untorn(), "");
}

TEST_F(MemoryTest, MixedWordIsTorn) {
  PostAtomicWrite(8, 0x55);
  Put(8, 0x55, 4);
  EXPECT_EQ(Untorn(), "untorn");
}

TEST_F(MemoryTest, WordThatAPlainWriteAlsoHitsMayBeAnyMix) {
  PostAtomicWrite(8, 0x55);
  PostWrite(10, 2);
  Put(8, 0x55, 4);
  EXPECT_EQ(Untorn(), "");
}

}  // namespace

}  // namespace spec::model
