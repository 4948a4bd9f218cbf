#include "schedule/exhaustive.h"

#include <unordered_map>
#include <vector>

namespace fakenic {
namespace {

// Depth first. A state that was met before is not entered again; its number of runs is known.
class Search {
 public:
  explicit Search(Explored& program) : program_(program) {}

  Exploration Run() {
    program_.Restart();
    found_.schedules = Visit();
    found_.states = runs_from_.size();
    return found_;
  }

 private:
  // Requires the program to stand where path_ leads. Leaves it anywhere.
  double Visit() {
    const std::string state = program_.State();
    if (const auto known = runs_from_.find(state); known != runs_from_.end()) return known->second;
    const size_t ways = program_.Ways();
    double runs = ways == 0 ? 1 : 0;
    if (ways == 0) found_.outcomes.insert(program_.Outcome());
    for (size_t way = 0; way < ways; ++way) {
      if (way > 0) GoBack();
      program_.Take(way);
      path_.push_back(way);
      runs += Visit();
      path_.pop_back();
    }
    runs_from_.emplace(state, runs);
    return runs;
  }

  void GoBack() {
    program_.Restart();
    for (const size_t way : path_) program_.Take(way);
  }

  Explored& program_;
  Exploration found_;
  std::vector<size_t> path_;
  std::unordered_map<std::string, double> runs_from_;
};

}  // namespace

Exploration Explore(Explored& program) { return Search(program).Run(); }

std::string RunOnce(Explored& program, Choices& choices) {
  program.Restart();
  const Slowness slow = choices.ChooseSlowness();
  while (const size_t ways = program.Ways()) {
    program.Take(
        choices.ChooseAvoiding(ways, [&](size_t way) { return slow.Covers(program.Kind(way)); }));
  }
  return program.Outcome();
}

}  // namespace fakenic
