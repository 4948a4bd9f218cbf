#include "property_tests/planted_bugs/call_bugs.h"

#include <dlfcn.h>
#include <librpma.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "property_tests/script/function_list.h"
#include "spec/catalogue.h"

namespace planted {

using conformance::FindFunction;
using conformance::Function;
using conformance::Param;
using conformance::ParamKind;

namespace {

std::string_view Bug() {
  static const char* const kBug = std::getenv("PLANTED_BUG");
  return kBug != nullptr ? kBug : "";
}

bool Ends(const PassingCall& call) {
  return call.function->params[0].kind == ParamKind::kHandleInOut && call.arguments[0] != 0;
}

std::uint64_t& HandleOf(const PassingCall& call) {
  return *reinterpret_cast<std::uint64_t*>(call.arguments[0]);
}

// How often a planned failure of this name, a literal, has fired in the fake.
unsigned Fired(std::string_view name) {
  static const auto fired =
      reinterpret_cast<unsigned (*)(const char*)>(dlsym(RTLD_NEXT, "fakenic_fault_fired"));
  return fired != nullptr ? fired(name.data()) : 0;
}

unsigned FiredOf(const spec::CallPage& page) {
  unsigned fired = 0;
  for (const spec::FaultClause& clause : page.faults) fired += Fired(clause.call);
  return fired;
}

const spec::Clause<spec::Call>* ClauseOfBug(const spec::CallPage& page) {
  for (const spec::Clause<spec::Call>& clause : page.errors)
    if (clause.rule->id == Bug()) return &clause;
  return nullptr;
}

bool Forbids(const spec::Clause<spec::Call>& clause, const PassingCall& passing) {
  spec::Call call;
  call.function = passing.function->name;
  call.count = passing.function->params.size();
  for (std::size_t i = 0; i < call.count; ++i) {
    const Param& param = passing.function->params[i];
    call.arguments[i].word = passing.arguments[i];
    if (param.kind == ParamKind::kText && passing.arguments[i] != 0)
      call.arguments[i].text = reinterpret_cast<const char*>(passing.arguments[i]);
    if (param.kind == ParamKind::kHandleInOut && passing.arguments[i] != 0)
      call.arguments[i].holds_null = *reinterpret_cast<std::uint64_t*>(passing.arguments[i]) == 0;
  }
  return clause.forbids(call);
}

// A failure that the page names is answered with another code than its own.
std::int64_t MisreportFault(const PassingCall& call) {
  unsigned before = 0;
  unsigned ours = 0;
  bool allocation = false;
  for (const spec::FaultClause& clause : call.page->faults) {
    before += Fired(clause.call);
    if (clause.rule->id != Bug()) continue;
    ours += Fired(clause.call);
    allocation = allocation || clause.call == "malloc" || clause.call == "mmap";
  }
  const std::int64_t code = call.Real();
  unsigned ours_after = 0;
  int wanted = 0;
  for (const spec::FaultClause& clause : call.page->faults)
    if (clause.rule->id == Bug()) {
      ours_after += Fired(clause.call);
      wanted = clause.code;
    }
  const bool fired = allocation ? FiredOf(*call.page) == before && code == wanted
                                : ours_after != ours && code == wanted;
  return fired ? (wanted == RPMA_E_PROVIDER ? RPMA_E_NOMEM : RPMA_E_PROVIDER) : code;
}

// Where the bug's rule is about calls that no page promises anything of, one such call gets another
// code than the rule wants.
std::int64_t AnswerOpenCall(const spec::OpenCase& open, const PassingCall& call) {
  const spec::Clause<spec::Call> clause{open.rule, open.applies, 0};
  if (!Forbids(clause, call) || !ItsTurn()) return call.Real();
  if (open.rule->wanted == spec::model::Sight::kAccepted) return call.page->codes[0];
  const std::int64_t code = call.Real();
  for (const int other : call.page->codes)
    if (other != code) return other;
  return 1;
}

const spec::OpenCase* OpenCaseOfBug(const spec::CallPage& page) {
  for (const spec::OpenCase& open : page.open)
    if (open.rule->id == Bug()) return &open;
  return nullptr;
}

bool IsFaultRule(const spec::CallPage& page) {
  for (const spec::FaultClause& clause : page.faults)
    if (clause.rule->id == Bug()) return true;
  return false;
}

std::int64_t Unreleased(const PassingCall& call) {
  const unsigned fired = FiredOf(*call.page);
  const std::int64_t code = call.Real();
  if (FiredOf(*call.page) != fired || (Ends(call) && code == 0 && ItsTurn())) Leak();
  return code;
}

// What goes wrong in calls that the reference lets succeed, by the last part of the rule's id.
std::int64_t AfterSuccess(const PassingCall& call, std::string_view words, std::uint64_t handle) {
  std::size_t size = 0;
  unsigned char* out = call.out(&size);
  if (!ItsTurn()) return 0;
  if (words == "return-value") return 1;
  if (words == "accepted") return call.page->codes.empty() ? RPMA_E_INVAL : call.page->codes[0];
  if (words == "made" && out != nullptr) std::memset(out, 0, size);
  if (words == "value" && out != nullptr) out[0] ^= 1;
  if (words == "nulled" && Ends(call)) HandleOf(call) = handle;
  return 0;
}

std::int64_t AfterFailure(const PassingCall& call, std::string_view words, std::int64_t code) {
  std::size_t size = 0;
  unsigned char* out = call.out(&size);
  if (words == "untouched" && out != nullptr) std::memset(out, 0x5a, size);
  if (words == "kept" && Ends(call)) HandleOf(call) = 0;
  return code;
}

std::int64_t GoWrong(const PassingCall& call, std::string_view words) {
  if (const SpecialBug* special = FindSpecialBug(Bug())) return special->call(call);
  if (const auto* clause = ClauseOfBug(*call.page)) return Forbids(*clause, call) ? 0 : call.Real();
  if (const auto* open = OpenCaseOfBug(*call.page)) return AnswerOpenCall(*open, call);
  if (IsFaultRule(*call.page)) return MisreportFault(call);
  if (words == "releases") return Unreleased(call);
  if (words == "stored" && ItsTurn()) return 0;
  const std::uint64_t handle = Ends(call) ? HandleOf(call) : 0;
  const std::int64_t code = call.Real();
  return code == 0 ? AfterSuccess(call, words, handle) : AfterFailure(call, words, code);
}

// The reference's function of this name. All are looked up at once: later allocations may be made
// to fail.
void* SymbolOf(const Function& function) {
  static const std::map<const Function*, void*> symbols = [] {
    std::map<const Function*, void*> map;
    for (const Function& one : conformance::AllFunctions())
      map[&one] = dlsym(RTLD_NEXT, one.name.data());
    return map;
  }();
  return symbols.at(&function);
}

std::int64_t Pass(const char* name, std::array<std::uint64_t, 6> arguments) {
  const Function* function = FindFunction(name);
  const PassingCall call{function, spec::FindCallPage(name), arguments, [](const PassingCall& c) {
                           return c.function->call(SymbolOf(*c.function), c.arguments.data());
                         }};
  static const SpecialBug* const kSpecial = FindSpecialBug(Bug());
  if (kSpecial != nullptr && kSpecial->everywhere) return kSpecial->call(call);
  const std::size_t dot = Bug().find('.');
  if (call.page == nullptr || Bug().substr(0, dot) != name) return call.Real();
  return GoWrong(call, Bug().substr(dot + 1));
}

}  // namespace

unsigned char* PassingCall::out(std::size_t* size) const {
  // Bytes come last: they may be memory that the call only takes note of.
  for (const bool bytes : {false, true})
    for (std::size_t i = 0; i < function->params.size(); ++i) {
      const Param& param = function->params[i];
      const bool is_out =
          bytes ? param.kind == ParamKind::kBytesOut
                : param.kind == ParamKind::kHandleOut || param.kind == ParamKind::kNumberOut;
      if (!is_out || arguments[i] == 0) continue;
      if (size != nullptr) *size = param.size != 0 ? param.size : 1;
      return reinterpret_cast<unsigned char*>(arguments[i]);
    }
  return nullptr;
}

bool ItsTurn() {
  static const char* const kCall = std::getenv("PLANTED_CALL");
  static const unsigned kTurn = kCall != nullptr ? std::strtoul(kCall, nullptr, 10) : 1;
  static unsigned calls = 0;
  return ++calls == kTurn;
}

void Leak() {
  static const auto create =
      reinterpret_cast<void* (*)()>(dlsym(RTLD_NEXT, "rdma_create_event_channel"));
  if (create != nullptr) create();
}

}  // namespace planted

// The functions as the loader sees them. No call has more than six arguments, and those that it has
// travel in the same registers whatever their types.
// clang-format off
#define PASS(name)                                                                              \
  extern "C" std::int64_t Passing_##name(std::uint64_t a, std::uint64_t b, std::uint64_t c,     \
                                         std::uint64_t d, std::uint64_t e, std::uint64_t f)     \
      __asm__(#name) __attribute__((visibility("default")));                                    \
  std::int64_t Passing_##name(std::uint64_t a, std::uint64_t b, std::uint64_t c,                \
                              std::uint64_t d, std::uint64_t e, std::uint64_t f) {              \
    return planted::Pass(#name, {a, b, c, d, e, f});                                            \
  }
CONFORMANCE_CALLS(PASS)
