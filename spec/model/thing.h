// What the model knows of the objects behind a library's handles.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/model/connection.h"
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
  std::set<std::string_view> nonblocking;           // which of its descriptors are

  std::shared_ptr<End> end;                // of a request or a connection
  std::shared_ptr<Listener> listener;      // of an endpoint
  std::shared_ptr<CompletionQueue> queue;  // of a completion queue

  std::uint64_t number(std::string_view name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0 : found->second;
  }
  Thing* thing(std::string_view name) const {
    const auto found = things.find(name);
    return found == things.end() ? nullptr : found->second;
  }
};

// The names of descriptors among a thing's numbers.
inline constexpr std::string_view kDescriptors[] = {"fd", "compl_fd"};

inline bool HasDescriptor(const Thing& thing, std::string_view name, int fd) {
  return thing.numbers.count(name) > 0 && static_cast<int>(thing.number(name)) == fd;
}
// Whether something is due there that makes it readable; nothing if that is open.
std::optional<bool> IsDue(const Thing& thing, std::string_view descriptor);

class World {
 public:
  Thing* Make(std::string_view type, std::uint64_t handle) {
    things_.push_back(std::make_unique<Thing>());
    things_.back()->type = type;
    things_.back()->handle = handle;
    return things_.back().get();
  }
  // The live thing of this type (empty: of any) behind this handle, or nullptr.
  Thing* Find(std::uint64_t handle, std::string_view type = {}) const {
    for (const std::unique_ptr<Thing>& thing : things_)
      if (thing->live && thing->handle == handle && (type.empty() || thing->type == type))
        return thing.get();
    return nullptr;
  }
  // The thing is gone, and with it what belongs to it, its "owner".
  void Remove(Thing* gone) {
    gone->live = false;
    for (const std::unique_ptr<Thing>& thing : things_)
      if (thing->thing("owner") == gone) thing->live = false;
  }
  // Whether a live object was made from `thing`, as what it calls `name`.
  bool Uses(const Thing* thing, std::string_view name) const {
    for (const std::unique_ptr<Thing>& other : things_)
      if (thing != nullptr && other->live && other->thing(name) == thing) return true;
    return false;
  }
  // The NIC does what it is told inside the call that tells it.
  bool instant = true;
  // What is sent to another host, or to this one by its address, does not arrive.
  bool network_silent = false;
  // The clock of the NIC moves on by this.
  void TimePasses(std::uint64_t ms) {
    constexpr std::uint64_t kRequestIsGivenUpAfter = 66000;  // sent 16 times, 4.1 s apart
    if (ms < kRequestIsGivenUpAfter) return;
    for (const std::unique_ptr<Thing>& thing : things_)
      if (thing->live && thing->end != nullptr) thing->end->GiveUp();
  }
  void DeviceIsGone() {
    for (const std::unique_ptr<Thing>& thing : things_)
      if (thing->live && thing->end != nullptr) thing->end->LoseDevice();
  }
  // A call has failed as planned. What it used may be in use for ever.
  bool had_failure = false;

  // All that ever lived, oldest first.
  const std::vector<std::unique_ptr<Thing>>& things() const { return things_; }

  Log log;
  // What functions that answer with a text have said, by function and argument.
  std::map<std::pair<std::string_view, std::int64_t>, std::string> texts;

 private:
  std::vector<std::unique_ptr<Thing>> things_;
};

}  // namespace spec::model
