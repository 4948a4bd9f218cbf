#include "nic/event_fd.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace fakenic {

EventFd::EventFd() : fd_(eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC)) {
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

EventFd::~EventFd() { close(fd_); }

void EventFd::Add() {
  const uint64_t one = 1;
  while (write(fd_, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

int EventFd::Take() {
  uint64_t one;
  return read(fd_, &one, sizeof one) == sizeof one ? 0 : errno;
}

bool EventFd::TryTake() {
  uint64_t one;
  iovec vec{&one, sizeof one};
  const ssize_t n = preadv2(fd_, &vec, 1, /*offset=*/-1, RWF_NOWAIT);
  if (n >= 0 || errno != EOPNOTSUPP) return n == sizeof one;
  pollfd readable{fd_, POLLIN, 0};  // a kernel without RWF_NOWAIT for event descriptors
  return poll(&readable, 1, 0) == 1 && Take() == 0;
}

}  // namespace fakenic
