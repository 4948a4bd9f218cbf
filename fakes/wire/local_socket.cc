#include "wire/local_socket.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace fakenic {
namespace {

constexpr int kBacklog = 4096;

// By way of the directory's descriptor, as the path of the directory may be too long for a socket.
bool Name(int directory, const std::string& name, sockaddr_un& address) {
  address = {};
  address.sun_family = AF_UNIX;
  const int length = std::snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s",
                                   directory, name.c_str());
  if (length > 0 && static_cast<size_t>(length) < sizeof address.sun_path) return true;
  errno = ENAMETOOLONG;
  return false;
}

File NewSocket() { return File(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)); }

}  // namespace

File ListenLocally(int directory, const std::string& name) {
  File made = NewSocket();
  sockaddr_un address;
  if (!made.open() || !Name(directory, name, address)) return File();
  if (bind(made.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(made.get(), kBacklog) != 0) {
    return File();
  }
  return made;
}

File ConnectLocally(int directory, const std::string& name) {
  File made = NewSocket();
  sockaddr_un address;
  if (!made.open() || !Name(directory, name, address)) return File();
  if (connect(made.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    return File();
  }
  return made;
}

File AcceptLocally(const File& listener) {
  return File(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

int SendLocally(const File& socket, const void* bytes, size_t size, const std::vector<int>& fds) {
  iovec part{const_cast<void*>(bytes), size};
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxPassed * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!fds.empty()) {
    const size_t fds_size = fds.size() * sizeof(int);
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(fds_size);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(fds_size);
    std::memcpy(CMSG_DATA(header), fds.data(), fds_size);
  }
  while (sendmsg(socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

Received ReceiveLocally(const File& socket, size_t most) {
  Received received;
  received.bytes.resize(most);
  iovec part{received.bytes.data(), most};
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxPassed * sizeof(int))];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t size;
  do {
    size = recvmsg(socket.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (size < 0 && errno == EINTR);
  if (size < 0) {
    received.error = errno;
    return received;
  }
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
      received.files.emplace_back(fd);
    }
  }
  if (size == 0) received.error = ECONNRESET;
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) received.error = EMSGSIZE;
  received.bytes.resize(static_cast<size_t>(size));
  return received;
}

Peer PeerOf(const File& socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return {};
  return {.known = true, .uid = credentials.uid, .pid = credentials.pid};
}

}  // namespace fakenic
