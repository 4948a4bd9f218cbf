#include "property_tests/worker/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace conformance {

namespace {

constexpr char kFieldEnd = '\0';

bool ReadAll(int fd, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t got = read(fd, data, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

bool Channel::Send(std::initializer_list<std::string_view> fields) const {
  std::string message(sizeof(std::uint32_t), '\0');
  for (const std::string_view field : fields) {
    message += field;
    message += kFieldEnd;
  }
  const auto size = static_cast<std::uint32_t>(message.size() - sizeof(std::uint32_t));
  std::memcpy(message.data(), &size, sizeof size);
  for (std::size_t sent = 0; sent < message.size();) {
    const ssize_t more = send(fd_, message.data() + sent, message.size() - sent, MSG_NOSIGNAL);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return false;
    sent += static_cast<std::size_t>(more);
  }
  return true;
}

std::optional<std::vector<std::string>> Channel::Receive() const {
  std::uint32_t size;
  if (!ReadAll(fd_, reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt;
  std::string message(size, '\0');
  if (!ReadAll(fd_, message.data(), size)) return std::nullopt;
  std::vector<std::string> fields;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = message.find(kFieldEnd, at);
    fields.push_back(message.substr(at, end - at));
    at = end + 1;
  }
  return fields;
}

}  // namespace conformance
