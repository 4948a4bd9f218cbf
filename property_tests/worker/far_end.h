// A second process for one end of the connection. It is forked from the worker before the library
// under test is loaded, and does what it is asked to, one job at a time, with memory that both look
// at and that is at the same place in both.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "property_tests/worker/board.h"

namespace conformance {

class FarEnd {
 public:
  // Only while this process has no other thread. Throws std::runtime_error.
  explicit FarEnd(Board* board);
  ~FarEnd();
  FarEnd(const FarEnd&) = delete;
  FarEnd& operator=(const FarEnd&) = delete;

  // Runs a copy of this function object there and returns it as it is afterwards. What it points to
  // has to be in the shared memory. If the far end ends, so does this process, and in the same way.
  template <class Job>
  Job Do(const Job& job) {
    static_assert(std::is_trivially_copyable_v<Job> && sizeof(Job) <= kJobBytes);
    const auto* there = new (box_->job) Job(job);
    Run([](void* its) { (*static_cast<Job*>(its))(); });
    return *there;
  }

  // Page-aligned shared memory, or nullptr if there is no more. All of it is free again after
  // FreeAll().
  void* Allocate(std::size_t bytes);
  void FreeAll() { used_ = kept_; }
  // Page-aligned shared memory that stays, if it is taken before any other.
  void* Keep(std::size_t bytes);

 private:
  using Function = void (*)(void* job);
  static constexpr std::size_t kJobBytes = 512;

  struct Box {
    std::atomic<std::uint32_t> turn{0};  // whose it is: kHere or kThere
    Function function = nullptr;
    alignas(std::max_align_t) std::byte job[kJobBytes];
  };

  void Run(Function function);
  [[noreturn]] void Serve();
  void EndAsItDid(int status);

  Board* board_;
  Box* box_ = nullptr;
  std::byte* memory_ = nullptr;
  std::size_t used_ = 0;
  std::size_t kept_ = 0;  // of that, what FreeAll leaves
  pid_t pid_ = -1;
};

}  // namespace conformance
