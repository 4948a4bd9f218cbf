// What the model knows of the objects behind a library's handles.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/model/log.h"
#include "spec/rule.h"

namespace spec::model {

// One object. Pages give its properties the names that their text uses.
struct Thing {
  std::string_view type;  // as in C: "rpma_peer"
  std::uint64_t handle = 0;
  bool live = true;
  std::map<std::string_view, std::uint64_t> numbers;
  std::map<std::string_view, Thing*> things;        // what it was made from, or belongs to
  std::map<std::string_view, const Rule*> setters;  // of a property that was set: the setter's rule
  std::deque<int> events;                           // connection events that are due, oldest first
  std::deque<Thing*> requests;  // connections that wait for an endpoint's answer

  std::uint64_t number(std::string_view name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0 : found->second;
  }
  Thing* thing(std::string_view name) const {
    const auto found = things.find(name);
    return found == things.end() ? nullptr : found->second;
  }
};

class World {
 public:
  Thing* Make(std::string_view type, std::uint64_t handle) {
    things_.push_back(std::make_unique<Thing>());
    things_.back()->type = type;
    things_.back()->handle = handle;
    return things_.back().get();
  }
  // The live thing behind this handle, or nullptr.
  Thing* Find(std::uint64_t handle) const {
    for (const std::unique_ptr<Thing>& thing : things_)
      if (thing->live && thing->handle == handle) return thing.get();
    return nullptr;
  }
  // Whether a live object was made from `thing`, as what it calls `name`.
  bool Uses(const Thing* thing, std::string_view name) const {
    for (const std::unique_ptr<Thing>& other : things_)
      if (thing != nullptr && other->live && other->thing(name) == thing) return true;
    return false;
  }
  // All that ever lived, oldest first.
  const std::vector<std::unique_ptr<Thing>>& things() const { return things_; }

  Log log;
  // What functions that answer with a text have said, by function and argument.
  std::map<std::pair<std::string_view, std::int64_t>, std::string> texts;

 private:
  std::vector<std::unique_ptr<Thing>> things_;
};

}  // namespace spec::model
