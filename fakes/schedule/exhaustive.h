// The exhaustive schedule: every run of a small program, up to states that are equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "schedule/choices.h"

namespace fakenic {

// A program whose runs are made of choices and that can be started again.
class Explored {
 public:
  virtual ~Explored() = default;
  virtual void Restart() = 0;
  // How many ways lead on from here; 0 at the end of a run.
  virtual size_t Ways() = 0;
  virtual void Take(size_t way) = 0;
  // What kind of step a way is, and of which queue pair, as far as runs by chance tell them apart.
  virtual Slowness Kind(size_t way) = 0;
  // Equal for states from which the same runs lead on with the same results.
  virtual std::string State() = 0;
  // At the end of a run: what it showed.
  virtual std::string Outcome() = 0;
};

struct Exploration {
  double schedules = 0;  // different runs; more than can be counted one by one
  size_t states = 0;     // different states
  std::set<std::string> outcomes;
};

// All runs.
Exploration Explore(Explored& program);

// One run by these choices; its outcome.
std::string RunOnce(Explored& program, Choices& choices);

}  // namespace fakenic
