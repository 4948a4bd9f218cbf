// The memory of a link: two rings, one for each direction, in a file that has no name and cannot
// shrink.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "wire/file.h"
#include "wire/ring.h"

namespace fakenic {

class SharedRings {
 public:
  SharedRings() = default;
  SharedRings(SharedRings&& other) noexcept { *this = std::move(other); }
  SharedRings& operator=(SharedRings&& other) noexcept;
  ~SharedRings();

  // New ones. None, and why, if the system refuses.
  static std::optional<SharedRings> Create(File& file, std::string& why);
  // Those of a peer. None, and why, if the file is not what Create() makes: its size could change
  // under the reader.
  static std::optional<SharedRings> Adopt(const File& file, std::string& why);

  // The maker writes into ring 0 and reads ring 1, the adopter the other way round.
  RingControl* control(int ring) const;
  std::byte* bytes(int ring) const;

 private:
  static std::optional<SharedRings> Map(int fd, std::string& why);

  std::byte* base_ = nullptr;  // two pages of control, then each ring twice
};

}  // namespace fakenic
