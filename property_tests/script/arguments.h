// The variables, literals and memory of a script, and how the words of a call become arguments.
#pragma once

#include <librpma.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "property_tests/program/program.h"
#include "property_tests/script/call_memory.h"
#include "property_tests/script/functions.h"
#include "property_tests/script/script.h"
#include "property_tests/worker/memory_block.h"
#include "spec/call_page.h"

namespace conformance {

inline constexpr std::size_t kVariableSize = 1024;

// A variable of one end. Before anything is put into it, it holds bytes that no library would.
struct Variable {
  std::string name;
  Side side;
  bool set;
  std::span<std::uint8_t, kVariableSize> bytes;
  std::uint64_t word() const;
};

// A call ready to be made.
struct Prepared {
  Side side = Side::kClient;  // the end at which it is made
  const Function* function = nullptr;
  const spec::CallPage* page = nullptr;  // nullptr: no page of calls is about the function
  spec::Call call;
  std::array<std::uint64_t, kMostArguments> words{};
  std::array<Variable*, kMostArguments> variables{};  // what &-arguments point to
};

class Arguments {
 public:
  Arguments(std::string address, std::string port, FarEnd* far);

  // A new script: no variable, no literal.
  void ListenOn(std::string port) { port_ = std::move(port); }
  void Begin();
  void NextPort();
  const std::string& address() const { return address_; }

  Variable& Find(const std::string& name, Side side);
  // The script's variable that holds this, or the place in its memory; "" if there is none.
  std::string NameOf(std::uint64_t word) const;

  // Of a call at prepared.side. False: an argument is a variable that no earlier call has set, or a
  // handle whose object is gone. What was prepared is good until the next call is.
  bool Prepare(const ScriptCall& call, spec::model::World& world, Prepared& prepared);
  // Around a call in the second process: its handles and descriptors lose their marks before it and
  // have them again after it.
  void TakeMarks(Prepared& prepared);
  void PutMarks(Prepared& prepared);

 private:
  using Bytes = std::array<std::uint8_t, kVariableSize>;

  bool Resolve(const std::string& token, const Param& param, Prepared& prepared, std::size_t i);
  bool ResolveVariable(const std::string& name, bool address, const Param& param,
                       Prepared& prepared, std::size_t i);
  std::span<const std::uint8_t> BytesOf(const std::string& literal);
  const void* PrivateData(std::string_view token);
  const Variable& GivenBy(const std::string& name, Side side);

  std::string address_;
  std::string port_;
  CallMemory call_memory_;  // of all that follows
  MemoryBlock memory_;
  std::deque<Variable> variables_;
  std::unique_ptr<std::array<Bytes, kMostArguments>> before_;  // what they pointed to
};

}  // namespace conformance
