#include "property_tests/script/life_programs.h"

#include <rapidcheck/state.h>

#include <memory>
#include <ostream>

#include "property_tests/script/life.h"

namespace conformance {

namespace {

struct Nothing {};

class LifeCall final : public rc::state::Command<Life, Nothing> {
 public:
  explicit LifeCall(ScriptCall call) : call_(std::move(call)) {}

  const ScriptCall& call() const { return call_; }
  void checkPreconditions(const Life& life) const override { RC_PRE(life.Allows(call_)); }
  void apply(Life& life) const override { life.Apply(call_); }
  void show(std::ostream& out) const override { out << Print(call_); }

 private:
  ScriptCall call_;
};

using Command = rc::state::Command<Life, Nothing>;

rc::Gen<std::shared_ptr<const Command>> NextCall(const Life& life) {
  return rc::gen::map(rc::gen::elementOf(life.Choices()), [](ScriptCall call) {
    return std::shared_ptr<const Command>(std::make_shared<LifeCall>(std::move(call)));
  });
}

}  // namespace

rc::Gen<Script> ArbitraryLife() {
  constexpr double kLength = 0.4;  // of the engine's size, which grows to 100
  const auto calls = rc::gen::scale(
      kLength, rc::state::gen::commands(Life(), [](const Life& life) { return NextCall(life); }));
  return rc::gen::map(calls, [](const rc::state::Commands<Command>& commands) {
    Script script{"context", {}};
    for (const auto& command : commands)
      script.calls.push_back(static_cast<const LifeCall&>(*command).call());
    return script;
  });
}

}  // namespace conformance
