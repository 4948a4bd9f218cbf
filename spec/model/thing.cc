#include "spec/model/thing.h"

namespace spec::model {

namespace {

std::optional<bool> Events(const CompletionQueue* queue) {
  if (queue == nullptr) return false;
  if (queue->unclear) return std::nullopt;
  return queue->events > 0;
}

}  // namespace

std::optional<bool> IsDue(const Thing& thing, std::string_view descriptor) {
  if (thing.queue != nullptr) {
    if (thing.number("shared") == 0) return Events(thing.queue.get());
    const Thing* owner = thing.thing("owner");  // its channel is the connection's
    return owner == nullptr ? std::nullopt : IsDue(*owner, "compl_fd");
  }
  if (thing.listener != nullptr) {
    if (thing.listener->empty()) return false;
    if (!thing.listener->has_request()) return std::nullopt;
    return true;
  }
  if (thing.end == nullptr) return std::nullopt;
  if (descriptor == "compl_fd") {
    const std::optional<bool> cq = Events(thing.end->cq.get());
    const std::optional<bool> rcq = Events(thing.end->rcq.get());
    if (!cq || !rcq) return std::nullopt;
    return *cq || *rcq;
  }
  const End::State state = thing.end->state();
  if (!thing.end->due().empty()) return true;
  if (thing.end->doubtful || state == End::State::kUnclear || state == End::State::kClosed)
    return std::nullopt;
  return false;
}

}  // namespace spec::model
