// Interpreter, the part with the steps of a script that are no calls of the library.
#include <algorithm>
#include <iterator>
#include <utility>

#include "property_tests/script/interpreter.h"

namespace conformance {

bool Interpreter::DoOwn(Side side, const ScriptCall& step) {
  if (std::find(std::begin(kOwnSteps), std::end(kOwnSteps), step.function) == std::end(kOwnSteps))
    return false;
  if (trace_) trace_({"", std::string(event::kNote), Print(step)});
  if (step.function == kFault) {
    Plan(step);
    return true;
  }
  for (const std::string_view own : {kAdvance, kNetwork, kDevice}) {
    if (step.function != own) continue;
    abandoned_ = abandoned_ || fake_ == nullptr;
    if (fake_ != nullptr) ChangeNic(step);
    return true;
  }
  const Variable& variable = arguments_.Find(step.arguments[0], side);
  const int fd = static_cast<int>(variable.word());
  if (variable.set) step.function == kNonblock ? Nonblock(side, fd) : ExpectReadable(side, fd);
  return true;
}

void Interpreter::ChangeNic(const ScriptCall& step) {
  if (step.function == kAdvance) {
    std::uint64_t ms = 0;
    ReadNumber(step.arguments[0], ms);
    ends_.AdvanceTime(ms * 1000000);
    world_.TimePasses(ms);
  } else if (step.function == kNetwork) {
    world_.network_silent = true;
    ends_.SetSilent(arguments_.address(), true);
  } else {
    ends_.SetDevicePresent(false);
    world_.DeviceIsGone();
    device_gone_ = device_was_gone_ = true;
  }
}

// What of it outlives a script would change the next.
void Interpreter::RestoreNic() {
  if (world_.network_silent) ends_.SetSilent(arguments_.address(), false);
  if (std::exchange(device_gone_, false)) ends_.SetDevicePresent(true);
}

void Interpreter::Nonblock(Side side, int fd) {
  ends_.Nonblock(side, fd);
  for (const auto& thing : world_.things())
    for (const std::string_view name : spec::model::kDescriptors)
      if (thing->live && spec::model::HasDescriptor(*thing, name, fd))
        thing->nonblocking.insert(name);
}

void Interpreter::ExpectReadable(Side side, int fd) {
  for (const auto& thing : world_.things())
    for (const std::string_view name : spec::model::kDescriptors) {
      if (!thing->live || !spec::model::HasDescriptor(*thing, name, fd)) continue;
      const std::optional<bool> due = spec::model::IsDue(*thing, name);
      if (!due) return;
      const spec::Rule* rule = thing->setters.at(name);
      const bool readable = ends_.Readable(side, fd, *due ? patience_ms() : 0);
      Tested(rule);
      Tell(*due ? "readable" : "not-readable");
      if (readable != *due)
        Broke({{rule},
               *due ? "the descriptor can be read" : "the descriptor cannot be read",
               readable ? "it can" : "it cannot"});
      return;
    }
}

// Where the NIC cannot be made to fail, the script is left out.
void Interpreter::Plan(const ScriptCall& step) {
  std::uint64_t nth = 0;
  std::uint64_t error = 0;
  ReadNumber(step.arguments[1], nth);
  if (!ReadNumber(step.arguments[2], error)) FindConstant(step.arguments[2], error);
  abandoned_ = !ends_.Plan(step.arguments[0], static_cast<unsigned>(nth), static_cast<int>(error));
}

}  // namespace conformance
