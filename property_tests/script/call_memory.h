// Memory for what the calls of a script are given and where they put what they give: where both
// ends have it, at the same place.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "property_tests/script/script.h"
#include "property_tests/worker/far_end.h"
#include "property_tests/worker/rig.h"

namespace conformance {

class CallMemory {
 public:
  // `far`: nullptr if there is no second process.
  explicit CallMemory(FarEnd* far) {
    if (far == nullptr) {
      own_ = std::make_unique<std::byte[]>(kBytes);
      bytes_ = own_.get();
      return;
    }
    pages_ = far->Keep(kMemorySize);
    bytes_ = static_cast<std::byte*>(far->Keep(kBytes));
  }

  // kMemorySize bytes that both ends have; nullptr if there is one process.
  void* pages() const { return pages_; }

  // Aligned for every type. What it holds is what was there before.
  std::byte* Take(std::size_t bytes) {
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes > kBytes - used_)
      throw SetUpError("script: its variables and texts need more than " + std::to_string(kBytes) +
                       " bytes");
    std::byte* taken = bytes_ + used_;
    used_ += bytes;
    return taken;
  }
  const char* Copy(std::string_view text) {
    auto* copy = reinterpret_cast<char*>(Take(text.size() + 1));
    std::memcpy(copy, text.data(), text.size());
    copy[text.size()] = '\0';
    return copy;
  }
  void Clear() { used_ = 0; }

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 20;
  static constexpr std::size_t kAlignment = alignof(std::max_align_t);

  std::unique_ptr<std::byte[]> own_;
  void* pages_ = nullptr;
  std::byte* bytes_;
  std::size_t used_ = 0;
};

}  // namespace conformance
