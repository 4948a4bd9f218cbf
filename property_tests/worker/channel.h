// Messages between runner and worker: text, each preceded by its length, over one socket.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {

class Channel {
 public:
  explicit Channel(int fd) : fd_(fd) {}

  int fd() const { return fd_; }
  bool Send(std::initializer_list<std::string_view> fields) const;
  // Blocks until a whole message is there. Nothing when the other end is gone.
  std::optional<std::vector<std::string>> Receive() const;

 private:
  int fd_;
};

// What a worker is asked. Fields follow the name.
namespace ask {
inline constexpr std::string_view kTable =
    "table";  // page, first, end, rules left out; answers: finding*, skipped?, done
inline constexpr std::string_view kScripts =
    "scripts";  // page, first, end, rules left out; answers: finding*, skipped?, done
inline constexpr std::string_view kSweep =
    "sweep";  // "all", first, end, rules left out; answers: finding*, fired*, done
inline constexpr std::string_view kProgram =
    "program";  // text, rules left out; answers: finding?, done
inline constexpr std::string_view kReplay = "replay";    // text; answers: trace*, finding?, done
inline constexpr std::string_view kDemands = "demands";  // the same, and what each call owes
}  // namespace ask

// What a worker answers.
namespace answer {
inline constexpr std::string_view kReady =
    "ready";  // file behind libibverbs.so.1, functions that are missing, the library's file, why it
              // cannot make a connection or nothing
inline constexpr std::string_view kProblem = "problem";  // sentence: the environment is not usable
inline constexpr std::string_view kFinding =
    "finding";  // blamed rule numbers, case, allowed, seen, position in its list or nothing
inline constexpr std::string_view kSkipped = "skipped";  // how many cases were left out
inline constexpr std::string_view kFired =
    "fired";  // scenario, call and errno, how often it was made to fail
inline constexpr std::string_view kTrace = "trace";  // who, kind, text
inline constexpr std::string_view kDone = "done";
}  // namespace answer

}  // namespace conformance
