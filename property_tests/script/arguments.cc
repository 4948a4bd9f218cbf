#include "property_tests/script/arguments.h"

#include <cstring>

#include "property_tests/script/log_observer.h"

namespace conformance {

namespace {

constexpr std::uint8_t kCanary = 0xa5;

}  // namespace

std::uint64_t Variable::word() const {
  std::uint64_t word;
  std::memcpy(&word, bytes.data(), sizeof word);
  return word;
}

Arguments::Arguments(std::string address, std::string port)
    : address_(std::move(address)),
      port_(std::move(port)),
      memory_(kMemorySize, /*seed=*/3),
      before_(std::make_unique<std::array<Bytes, kMostArguments>>()) {}

void Arguments::Begin() {
  used_ = 0;
  literals_.clear();
  private_data_.clear();
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

Variable& Arguments::Find(const std::string& name) {
  for (std::size_t i = 0; i < used_; ++i)
    if (variables_[i].name == name) return variables_[i];
  if (used_ == variables_.size()) variables_.emplace_back();
  Variable& variable = variables_[used_++];
  variable.name = name;
  variable.set = false;
  variable.bytes.fill(kCanary);
  return variable;
}

std::string Arguments::NameOf(std::uint64_t word) const {
  const std::uint64_t memory = reinterpret_cast<std::uint64_t>(memory_.now().data());
  if (word >= memory && word - memory < kMemorySize) return "mem+" + std::to_string(word - memory);
  for (std::size_t i = 0; i < used_; ++i)
    if (variables_[i].set && variables_[i].word() == word && variables_[i].name[0] != '(')
      return variables_[i].name;
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
    word = reinterpret_cast<std::uint64_t>(argument.text.data());
  } else if (token[0] == '"') {
    literals_.push_back(token.substr(1, token.size() - 2));
    argument.text = literals_.back();
    word = reinterpret_cast<std::uint64_t>(literals_.back().c_str());
  } else if (token == kMem || token.compare(0, kMem.size() + 1, "mem+") == 0) {
    std::uint64_t offset = 0;
    if (token != kMem) ReadNumber(token.substr(kMem.size() + 1), offset);
    word = reinterpret_cast<std::uint64_t>(memory_.data()) + offset;
  } else if ((argument.listener = LogObserver::Find(token)) != 0) {
    word = reinterpret_cast<std::uint64_t>(LogObserver::Function(argument.listener));
  } else if (token.compare(0, kBytes.size(), kBytes) == 0) {
    word = BytesOf(token.substr(kBytes.size()));
    argument.before = {reinterpret_cast<const std::uint8_t*>(word), literals_.back().size()};
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

bool Arguments::ResolveVariable(const std::string& name, bool address, const Param& param,
                                Prepared& prepared, std::size_t i) {
  Variable& variable = Find(name);
  spec::Argument& argument = prepared.call.arguments[i];
  if (!address) {
    argument.word = prepared.words[i] = variable.word();
    if (param.kind == ParamKind::kNumber) return variable.set;
    argument.thing = prepared.call.world->Find(variable.word(), param.type);
    return variable.set && (argument.thing != nullptr || variable.word() == 0);
  }
  argument.word = prepared.words[i] = reinterpret_cast<std::uint64_t>(variable.bytes.data());
  if (param.kind == ParamKind::kBytesIn) {
    argument.before = variable.bytes;
    return variable.set;
  }
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
std::uint64_t Arguments::BytesOf(const std::string& literal) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < literal.size(); at += 2)
    bytes.push_back(static_cast<char>(std::stoi(literal.substr(at, 2), nullptr, 16)));
  literals_.push_back(std::move(bytes));
  return reinterpret_cast<std::uint64_t>(literals_.back().data());
}

// data:N is N bytes 1, 2, 3 ...; data:N:NULL says N and points nowhere.
const void* Arguments::PrivateData(std::string_view token) {
  std::uint64_t length = 0;
  ReadNumber(token.substr(0, token.find(':')), length);
  std::string bytes;
  for (std::uint64_t i = 0; i < length; ++i) bytes.push_back(static_cast<char>(i + 1));
  literals_.push_back(std::move(bytes));
  const bool nowhere = token.find(":NULL") != std::string_view::npos;
  private_data_.push_back(
      {nowhere ? nullptr : literals_.back().data(), static_cast<std::uint8_t>(length)});
  return &private_data_.back();
}

}  // namespace conformance
