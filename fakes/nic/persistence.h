// Which of the bytes that the NIC wrote into its host's memory are sure to survive a power failure
// of the host. Known to a fabric only after a platform was chosen.
//
// Differs from hardware:
//  - a byte that nothing made persistent is lost for sure; a cache may have written it back by
//    chance.
//  - any memory is persistent memory, and held persistently what it held when the NIC wrote there.
//  - a read makes persistent what its own queue pair wrote, not what others did; so does a flush.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fakenic {

// What lies between the NIC and persistent memory.
enum class Platform : uint8_t {
  kAdr,      // only memory controllers save what they hold; the NIC's writes go to them
  kAdrDdio,  // the same, but the NIC's writes stay in a cache that loses them
  kEadr,     // caches save what they hold as well
};

const char* NameOf(Platform platform);
std::optional<Platform> FindPlatform(std::string_view name);

class Persistence {
 public:
  explicit Persistence(Platform platform) : platform_(platform) {}

  Platform platform() const { return platform_; }

  // The queue pair with this number is about to write there.
  void BeforePlacing(uint32_t flow, uint64_t addr, uint64_t length);
  // It has read memory behind what it wrote.
  void AfterRead(uint32_t flow);
  // It has flushed a range, in these ways (flush_type).
  void AfterFlush(uint32_t flow, uint64_t addr, uint64_t length, uint8_t types);
  // The processor has written the range back, whoever wrote there, or gives it away.
  void WriteBack(uint64_t addr, uint64_t length);

  bool Survives(uint64_t addr, uint64_t length) const;
  // Gives the bytes that do not survive what they held persistently.
  void FailPower();

  // What of this decides what may follow, as text; addresses relative to the origin.
  void AppendState(uint64_t origin, std::string& state) const;

 private:
  static constexpr uint64_t kLine = 64;

  // A line of memory with bytes that would be lost.
  struct Line {
    std::array<std::byte, kLine> before;                 // they were written
    std::vector<std::pair<uint32_t, uint64_t>> writers;  // and which of them each wrote, a bit each

    uint64_t written() const;
    uint64_t written_by(uint32_t flow) const;
  };
  using Lines = std::map<uint64_t, Line>;

  bool ReadsPersist() const { return platform_ != Platform::kAdrDdio; }
  // The bytes of the line that lie in the range, a bit each.
  static uint64_t Within(uint64_t line, uint64_t addr, uint64_t length);
  // Visits the lines that the range touches; f returns which of their bytes are now persistent.
  template <typename F>
  void Persist(uint64_t addr, uint64_t length, F&& f);

  Platform platform_;
  Lines lines_;
};

}  // namespace fakenic
