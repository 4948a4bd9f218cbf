// What is said on a process's socket.
#pragma once

#include <cstdint>

#include "wire/registry_file.h"

namespace fakenic {

struct Greeting {
  static constexpr uint64_t kMagic = 0x31676e6972626166;
  static constexpr uint32_t kVersion = 3;

  enum class Kind : uint32_t {
    kLink = 1,      // from who wants a link, with the rings and its doorbell
    kWelcome = 2,   // the answer, with a doorbell
    kDescribe = 3,  // asks for lines about the process; they are the answer, and then the end
    kRing = 4,      // something has changed in the registry
  };

  uint64_t magic = kMagic;
  uint32_t version = kVersion;
  Kind kind = Kind::kLink;
  ProcessId from = 0;
};

}  // namespace fakenic
