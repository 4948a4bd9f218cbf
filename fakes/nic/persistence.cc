#include "nic/persistence.h"

#include <algorithm>
#include <cstring>

#include "nic/transfer.h"
#include "nic/types.h"

namespace fakenic {
namespace {

constexpr const char* kNames[] = {"adr", "adr-ddio", "eadr"};

// One behind the last byte, or the last byte there is.
uint64_t EndOf(uint64_t addr, uint64_t length) {
  return addr + std::min(length, UINT64_MAX - addr);
}

}  // namespace

const char* NameOf(Platform platform) { return kNames[static_cast<size_t>(platform)]; }

std::optional<Platform> FindPlatform(std::string_view name) {
  const auto* found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<Platform>(found - kNames);
}

uint64_t Persistence::Line::written() const {
  uint64_t all = 0;
  for (const auto& [flow, bytes] : writers) all |= bytes;
  return all;
}

uint64_t Persistence::Line::written_by(uint32_t flow) const {
  const auto found = std::find_if(writers.begin(), writers.end(),
                                  [&](const auto& writer) { return writer.first == flow; });
  return found != writers.end() ? found->second : 0;
}

uint64_t Persistence::Within(uint64_t line, uint64_t addr, uint64_t length) {
  const uint64_t begin = std::max(line, addr) - line;
  const uint64_t end = std::min(EndOf(addr, length) - line, kLine);
  if (begin >= end) return 0;
  const uint64_t bytes = end - begin;
  return (bytes == kLine ? ~uint64_t{0} : (uint64_t{1} << bytes) - 1) << begin;
}

template <typename F>
void Persistence::Persist(uint64_t addr, uint64_t length, F&& f) {
  const uint64_t end = EndOf(addr, length);
  for (auto at = lines_.lower_bound(addr - addr % kLine); at != lines_.end() && at->first < end;) {
    Line& line = at->second;
    const uint64_t persistent = f(line) & Within(at->first, addr, length);
    for (auto& [flow, bytes] : line.writers) bytes &= ~persistent;
    std::erase_if(line.writers, [](const auto& writer) { return writer.second == 0; });
    at = line.writers.empty() ? lines_.erase(at) : std::next(at);
  }
}

void Persistence::BeforePlacing(uint32_t flow, uint64_t addr, uint64_t length) {
  if (length == 0) return;
  const uint64_t end = addr + length;
  for (uint64_t at = addr - addr % kLine; at < end; at += kLine) {
    Line& line = lines_[at];
    const uint64_t bytes = Within(at, addr, length);
    const uint64_t known = line.written();
    for (uint64_t i = 0; i < kLine; ++i) {
      if ((bytes & ~known) >> i & 1) line.before[i] = *reinterpret_cast<const std::byte*>(at + i);
    }
    auto writer = std::find_if(line.writers.begin(), line.writers.end(),
                               [&](const auto& other) { return other.first == flow; });
    if (writer == line.writers.end()) writer = line.writers.insert(writer, {flow, 0});
    writer->second |= bytes;
  }
}

void Persistence::AfterRead(uint32_t flow) {
  if (!ReadsPersist()) return;
  Persist(0, UINT64_MAX, [&](const Line& line) { return line.written_by(flow); });
}

void Persistence::AfterFlush(uint32_t flow, uint64_t addr, uint64_t length, uint8_t types) {
  if ((types & flush_type::kPersistent) == 0 && !ReadsPersist()) return;
  Persist(addr, length, [&](const Line& line) { return line.written_by(flow); });
}

void Persistence::WriteBack(uint64_t addr, uint64_t length) {
  Persist(addr, length, [](const Line& line) { return line.written(); });
}

bool Persistence::Survives(uint64_t addr, uint64_t length) const {
  const uint64_t end = EndOf(addr, length);
  for (auto at = lines_.lower_bound(addr - addr % kLine); at != lines_.end() && at->first < end;
       ++at) {
    if ((at->second.written() & Within(at->first, addr, length)) != 0) return false;
  }
  return true;
}

void Persistence::FailPower() {
  constexpr uint64_t kWord = 8;
  for (const auto& [addr, line] : lines_) {
    const uint64_t lost = line.written();
    for (uint64_t i = 0; i < kLine; i += kWord) {
      const uint64_t word = lost >> i & 0xff;
      if (word == 0xff) {
        PlaceBytes(addr + i, &line.before[i], kWord);
        continue;
      }
      for (uint64_t byte = 0; byte < kWord; ++byte) {
        if (word >> byte & 1) PlaceBytes(addr + i + byte, &line.before[i + byte], 1);
      }
    }
  }
  lines_.clear();
}

void Persistence::AppendState(uint64_t origin, std::string& state) const {
  const auto append = [&](uint64_t number) {
    state.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  for (const auto& [addr, line] : lines_) {
    append(addr - origin);
    for (const auto& [flow, bytes] : line.writers) {
      append(flow);
      append(bytes);
    }
    const uint64_t lost = line.written();
    for (uint64_t i = 0; i < kLine; ++i) {
      if (lost >> i & 1) state += static_cast<char>(line.before[i]);
    }
  }
}

}  // namespace fakenic
