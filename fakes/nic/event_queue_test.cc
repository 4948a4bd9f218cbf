#include "nic/event_queue.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <cerrno>

namespace fakenic {
namespace {

bool Readable(EventQueue<int>& queue) {
  pollfd descriptor{queue.fd().get(), POLLIN, 0};
  return poll(&descriptor, 1, 0) == 1;
}

TEST(EventQueue, IsReadableExactlyWhileEventsWait) {
  EventQueue<int> queue;
  EXPECT_FALSE(Readable(queue));

  queue.Push(1);
  queue.Push(2);

  EXPECT_TRUE(Readable(queue));
  EXPECT_EQ(queue.fd().Take(), 0);
  EXPECT_EQ(queue.Pop(), 1);
  EXPECT_TRUE(Readable(queue));
  EXPECT_EQ(queue.fd().Take(), 0);
  EXPECT_EQ(queue.Pop(), 2);
  EXPECT_FALSE(Readable(queue));
}

TEST(EventQueue, AnswersEagainWhenEmptyAndNonBlocking) {
  EventQueue<int> queue;
  fcntl(queue.fd().get(), F_SETFL, O_NONBLOCK);

  EXPECT_EQ(queue.fd().Take(), EAGAIN);
}

TEST(EventQueue, WithdrawnEventsTakeTheirTokensWithThem) {
  EventQueue<int> queue;
  for (int event : {1, 2, 3}) queue.Push(event);

  const auto withdrawn = queue.RemoveIf([](int event) { return event != 2; });

  EXPECT_EQ(withdrawn, (std::deque<int>{1, 3}));
  EXPECT_EQ(queue.fd().Take(), 0);
  EXPECT_EQ(queue.Pop(), 2);
  EXPECT_FALSE(Readable(queue));
}

TEST(EventFd, TryTakeNeverWaitsOnABlockingDescriptor) {
  EventFd fd;

  EXPECT_FALSE(fd.TryTake());
  fd.Add();
  EXPECT_TRUE(fd.TryTake());
  EXPECT_FALSE(fd.TryTake());
}

}  // namespace
}  // namespace fakenic
