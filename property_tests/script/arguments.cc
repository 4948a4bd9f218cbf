#include "property_tests/script/arguments.h"

#include <cstring>

#include "property_tests/script/log_observer.h"
#include "property_tests/script/script_ends.h"

namespace conformance {

namespace {

constexpr std::uint8_t kCanary = 0xa5;

}  // namespace

std::uint64_t Variable::word() const {
  std::uint64_t word;
  std::memcpy(&word, bytes.data(), sizeof word);
  return word;
}

Arguments::Arguments(std::string address, std::string port, FarEnd* far)
    : address_(std::move(address)),
      port_(std::move(port)),
      call_memory_(far),
      memory_(kMemorySize, /*seed=*/3, call_memory_.pages()),
      before_(std::make_unique<std::array<Bytes, kMostArguments>>()) {}

void Arguments::Begin() {
  variables_.clear();
  call_memory_.Clear();
}

// What was left alive may still listen on the old one.
void Arguments::NextPort() { port_ = std::to_string(std::stoi(port_) % 0xffff + 1); }

bool Arguments::Prepare(const ScriptCall& call, spec::model::World& world, Prepared& prepared) {
  prepared.function = FindFunction(call.function);
  prepared.call.function = prepared.function->name;
  prepared.call.count = prepared.function->params.size();
  prepared.call.world = &world;
  for (std::size_t i = 0; i < prepared.call.count; ++i)
    if (!Resolve(call.arguments[i], prepared.function->params[i], prepared, i)) return false;
  return true;
}

Variable& Arguments::Find(const std::string& name, Side side) {
  for (Variable& variable : variables_)
    if (variable.name == name && variable.side == side) return variable;
  auto* bytes = reinterpret_cast<std::uint8_t*>(call_memory_.Take(kVariableSize));
  std::memset(bytes, kCanary, kVariableSize);
  const std::span<std::uint8_t, kVariableSize> span(bytes, kVariableSize);
  return variables_.emplace_back(Variable{name, side, /*set=*/false, span});
}

// What one end describes, the other reads, if both have described something.
const Variable& Arguments::GivenBy(const std::string& name, Side side) {
  const Variable& others = Find(name, OtherThan(side));
  return others.set ? others : Find(name, side);
}

std::string Arguments::NameOf(std::uint64_t word) const {
  const std::uint64_t memory = reinterpret_cast<std::uint64_t>(memory_.now().data());
  if (word >= memory && word - memory < kMemorySize) return "mem+" + std::to_string(word - memory);
  for (const Variable& variable : variables_)
    if (variable.set && variable.word() == word && variable.name[0] != '(') return variable.name;
  return "";
}

bool Arguments::Resolve(const std::string& token, const Param& param, Prepared& prepared,
                        std::size_t i) {
  spec::Argument& argument = prepared.call.arguments[i];
  std::uint64_t& word = prepared.words[i];
  constexpr std::string_view kBytes = "bytes:";
  constexpr std::string_view kData = "data:";
  constexpr std::string_view kMem = "mem";
  if (token[0] == '&')
    return ResolveVariable(token.substr(1), /*address=*/true, param, prepared, i);
  if (ReadNumber(token, word) || FindConstant(token, word)) {
    argument.word = word;
    return true;
  }
  if (token == "addr" || token == "port") {
    argument.text = token == "addr" ? address_ : port_;
    word = reinterpret_cast<std::uint64_t>(call_memory_.Copy(argument.text));
  } else if (token[0] == '"') {
    const char* text = call_memory_.Copy(token.substr(1, token.size() - 2));
    argument.text = text;
    word = reinterpret_cast<std::uint64_t>(text);
  } else if (token == kMem || token.compare(0, kMem.size() + 1, "mem+") == 0) {
    std::uint64_t offset = 0;
    if (token != kMem) ReadNumber(token.substr(kMem.size() + 1), offset);
    word = reinterpret_cast<std::uint64_t>(memory_.data()) + offset;
  } else if ((argument.listener = LogObserver::Find(token)) != 0) {
    word = reinterpret_cast<std::uint64_t>(LogObserver::Function(argument.listener));
  } else if (token.compare(0, kBytes.size(), kBytes) == 0) {
    argument.before = BytesOf(token.substr(kBytes.size()));
    word = reinterpret_cast<std::uint64_t>(argument.before.data());
  } else if (token.compare(0, kData.size(), kData) == 0) {
    const auto* data = static_cast<const rpma_conn_private_data*>(PrivateData(token.substr(5)));
    word = reinterpret_cast<std::uint64_t>(data);
    argument.holds_null = data->ptr == nullptr;
    argument.before = {static_cast<const std::uint8_t*>(data->ptr), data->len};
  } else {
    return ResolveVariable(token, /*address=*/false, param, prepared, i);
  }
  argument.word = word;
  return true;
}

namespace {

// An endpoint makes its requests of its peer: without it there is nothing to do but shut it down.
bool IsOrphan(const spec::model::Thing& thing) {
  const spec::model::Thing* peer = thing.thing("rpma_peer");
  return thing.type == "rpma_ep" && peer != nullptr && !peer->live;
}

}  // namespace

bool Arguments::ResolveVariable(const std::string& name, bool address, const Param& param,
                                Prepared& prepared, std::size_t i) {
  spec::Argument& argument = prepared.call.arguments[i];
  if (address && param.kind == ParamKind::kBytesIn) {
    const Variable& given = GivenBy(name, prepared.side);
    argument.word = prepared.words[i] = reinterpret_cast<std::uint64_t>(given.bytes.data());
    argument.before = given.bytes;
    return given.set;
  }
  Variable& variable = Find(name, prepared.side);
  if (!address) {
    argument.word = prepared.words[i] = variable.word();
    if (param.kind == ParamKind::kNumber) return variable.set;
    argument.thing = prepared.call.world->Find(variable.word(), param.type);
    if (argument.thing == nullptr) return variable.set && variable.word() == 0;
    return variable.set && !IsOrphan(*argument.thing);
  }
  argument.word = prepared.words[i] = reinterpret_cast<std::uint64_t>(variable.bytes.data());
  if (param.kind == ParamKind::kHandleInOut) {
    if (!variable.set) return false;
    argument.thing = prepared.call.world->Find(variable.word(), param.type);
    argument.holds_null = variable.word() == 0;
    if (argument.thing == nullptr && !argument.holds_null) return false;
  }
  const std::size_t size = param.size != 0 ? param.size : kVariableSize;
  std::memcpy((*before_)[i].data(), variable.bytes.data(), size);
  argument.before = {(*before_)[i].data(), size};
  argument.after = {variable.bytes.data(), size};
  argument.had_value = variable.set;
  prepared.variables[i] = &variable;
  return true;
}

// Literal bytes, as pairs of hexadecimal digits.
std::span<const std::uint8_t> Arguments::BytesOf(const std::string& literal) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < literal.size(); at += 2)
    bytes.push_back(static_cast<char>(std::stoi(literal.substr(at, 2), nullptr, 16)));
  return {reinterpret_cast<const std::uint8_t*>(call_memory_.Copy(bytes)), bytes.size()};
}

// data:N is N bytes 1, 2, 3 ...; data:N:NULL says N and points nowhere.
const void* Arguments::PrivateData(std::string_view token) {
  std::uint64_t length = 0;
  ReadNumber(token.substr(0, token.find(':')), length);
  std::string bytes;
  for (std::uint64_t i = 0; i < length; ++i) bytes.push_back(static_cast<char>(i + 1));
  const bool nowhere = token.find(":NULL") != std::string_view::npos;
  const rpma_conn_private_data data{nowhere ? nullptr : const_cast<char*>(call_memory_.Copy(bytes)),
                                    static_cast<std::uint8_t>(length)};
  std::byte* taken = call_memory_.Take(sizeof data);
  std::memcpy(taken, &data, sizeof data);
  return taken;
}

namespace {

bool HoldsHandle(const Param& param) {
  return (param.kind == ParamKind::kHandleOut || param.kind == ParamKind::kHandleInOut) &&
         !param.type.empty();
}

bool HoldsDescriptor(const Function& function, const Param& param) {
  constexpr std::string_view kEnd = "_fd";
  const std::string_view name = function.name;
  return param.kind == ParamKind::kNumberOut && name.substr(name.size() - kEnd.size()) == kEnd;
}

}  // namespace

void Arguments::TakeMarks(Prepared& prepared) {
  for (std::size_t i = 0; i < prepared.call.count; ++i) {
    const Param& param = prepared.function->params[i];
    if (param.kind == ParamKind::kHandle) prepared.words[i] &= ~kFarHandle;
    if (param.kind != ParamKind::kHandleInOut || prepared.variables[i] == nullptr) continue;
    const std::uint64_t handle = prepared.variables[i]->word() & ~kFarHandle;
    std::memcpy(prepared.variables[i]->bytes.data(), &handle, sizeof handle);
  }
}

// What the call has not written is as it was.
void Arguments::PutMarks(Prepared& prepared) {
  for (std::size_t i = 0; i < prepared.call.count; ++i) {
    const Param& param = prepared.function->params[i];
    const spec::Argument& argument = prepared.call[i];
    if (prepared.variables[i] == nullptr) continue;
    std::uint64_t word = prepared.variables[i]->word();
    const bool ends = param.kind == ParamKind::kHandleInOut;
    if (HoldsHandle(param) && word != 0 && (ends || argument.written()))
      word |= kFarHandle;
    else if (HoldsDescriptor(*prepared.function, param) && argument.written())
      word |= kFarDescriptor;
    std::memcpy(prepared.variables[i]->bytes.data(), &word, sizeof word);
  }
}

}  // namespace conformance
