// The runner's hold on a worker: starts it, asks it, watches it, and says how it ended.
#pragma once

#include <sys/types.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "property_tests/stack.h"
#include "property_tests/worker/board.h"
#include "property_tests/worker/channel.h"

namespace conformance {

enum class Ending {
  kDone,
  kCrashed,
  kExited,
  kTimedOut,
  kTooMuchMemory,
  kTooMuchOutput,
  kUnusable,
  kInterrupted,
  kInternal  // the suite itself failed
};

struct Outcome {
  Ending ending = Ending::kDone;
  std::string sentence;  // how it ended, if not done
  std::string stack;     // where the library was then, if it could be had
  std::string output;    // the last of what it printed
};

// The library under test has ended the worker, or the runner had to.
bool IsAbnormal(Ending ending);

// Of this process: what it starts loads the fake's libraries from there, and meets nobody outside
// of this fabric; "": nobody at all.
void PointAtFake(const std::string& dir, const std::string& fabric = "");

// Set by the first Ctrl-C; every wait of the runner then ends.
extern volatile bool g_interrupted;

class WorkerProcess {
 public:
  // `board_file`: where the worker writes down what it is about to do; "": nowhere but in memory.
  WorkerProcess(Stack stack, Amount amount, const std::string& board_file = "");
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  using OnAnswer = std::function<void(const std::vector<std::string>&)>;

  // Starts a worker if none is alive.
  Outcome Prepare();
  // Prepares, sends the request, and hands over what it answers until it is done or gone.
  Outcome Ask(const std::vector<std::string>& request, const OnAnswer& on_answer);

  // Called about ten times a second while a worker is at work.
  void OnTick(std::function<void()> on_tick) { on_tick_ = std::move(on_tick); }

  Board& board() { return *board_; }  // outlives the worker: what it had counted and was doing
  const std::vector<std::string>& ready() const {
    return ready_;
  }  // the fields of its `ready` answer
  int restarts() const { return starts_ - 1; }
  // The worker that is alive, if any, goes; the next request gets a fresh one.
  void Retire() { Kill(); }

 private:
  Outcome Start();
  void Spawn(int channel, int output);
  Outcome Await(const OnAnswer& on_answer);
  Outcome Reap();
  void DrainOutput();
  void Kill();
  void MakeFabric();
  void RemoveFabric();
  Outcome GiveUp(Ending ending, std::string sentence);
  Outcome WithTraces(Outcome outcome) const;

  Stack stack_;
  Amount amount_;
  int board_fd_ = -1;
  Board* board_ = nullptr;
  pid_t pid_ = -1;
  std::string fabric_;  // where the worker and its far end meet; "": there is no far end
  Channel channel_{-1};
  int output_fd_ = -1;
  std::string output_;         // the last of what the library printed
  std::string first_output_;   // and the first
  std::uint64_t printed_ = 0;  // bytes since the last sign of life
  std::vector<std::string> ready_;
  int starts_ = 0;
  std::function<void()> on_tick_;
};

}  // namespace conformance
