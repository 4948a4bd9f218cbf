// Sockets between processes of this machine that keep messages apart, carry descriptors and tell
// whose the other end is.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "wire/file.h"

namespace fakenic {

// Descriptors in flight are at most this many.
inline constexpr size_t kMaxPassed = 4;

struct Received {
  // 0; ECONNRESET at the end of the connection; EAGAIN when nothing is there; EMSGSIZE for more
  // than was expected; another errno.
  int error = 0;
  std::vector<std::byte> bytes;
  std::vector<File> files;
};

// None of these waits. A file that is not open says with errno why.
File ListenLocally(int directory, const std::string& name);
File ConnectLocally(int directory, const std::string& name);
File AcceptLocally(const File& listener);

// 0 or an errno.
int SendLocally(const File& socket, const void* bytes, size_t size, const std::vector<int>& fds);
Received ReceiveLocally(const File& socket, size_t most);

// The user and the process at the other end, as they were when the connection was made.
struct Peer {
  bool known = false;
  uid_t uid = 0;
  pid_t pid = 0;
};
Peer PeerOf(const File& socket);

}  // namespace fakenic
