// A counting file descriptor: readable while its count is above zero, so that poll, epoll and fcntl
// work on it.
#pragma once

namespace fakenic {

// Thread-safe. Owns the descriptor.
class EventFd {
 public:
  // Throws std::system_error when the process has no descriptor left.
  EventFd();
  ~EventFd();
  EventFd(const EventFd&) = delete;
  EventFd& operator=(const EventFd&) = delete;

  int get() const { return fd_; }

  void Add();

  // Takes one, waiting for it unless the descriptor is O_NONBLOCK. Returns 0 or the errno of the
  // read (EAGAIN, EINTR ...).
  int Take();

  // Takes one if there is one; never waits.
  bool TryTake();

 private:
  int fd_;
};

}  // namespace fakenic
