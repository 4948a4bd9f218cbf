#include "property_tests/script/interpreter.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "property_tests/script/deleters.h"
#include "property_tests/script/givens.h"
#include "spec/catalogue.h"
#include "spec/model/log_judge.h"
#include "spec/model/posted.h"
#include "spec/model/send_queue.h"
#include "spec/model/text.h"

namespace conformance {

using spec::CallPage;
using spec::model::Fault;
using spec::model::Finding;
using spec::model::Thing;

namespace {

// The function that gives the descriptor on which a call waits.
const char* DescriptorOf(std::string_view function) {
  if (function == "rpma_ep_next_conn_req") return "rpma_ep_get_fd";
  if (function == "rpma_conn_next_event") return "rpma_conn_get_event_fd";
  if (function == "rpma_conn_wait") return "rpma_conn_get_compl_fd";
  return "rpma_cq_get_fd";
}

template <typename Object>
int GetDescriptorOf(void* getter, std::uint64_t object, int& fd) {
  return reinterpret_cast<int (*)(const Object*, int*)>(getter)(
      reinterpret_cast<const Object*>(object), &fd);
}

int GetDescriptor(std::string_view name, void* getter, std::uint64_t object, int& fd) {
  if (name == "rpma_ep_get_fd") return GetDescriptorOf<rpma_ep>(getter, object, fd);
  if (name == "rpma_cq_get_fd") return GetDescriptorOf<rpma_cq>(getter, object, fd);
  return GetDescriptorOf<rpma_conn>(getter, object, fd);
}

std::string Answer(const CallPage* page, std::int64_t returned) {
  if (page == nullptr || page->return_value != nullptr)
    return spec::model::NameOfCode(static_cast<int>(returned));
  if (returned == 0) return "NULL";
  return "\"" + std::string(reinterpret_cast<const char*>(returned)) + "\"";
}

// The end at which a call is made, by the names that all scripts use; nowhere if neither is named.
std::string_view EndOf(const ScriptCall& call) {
  for (const std::string& argument : call.arguments) {
    const std::string name = argument.substr(argument[0] == '&' ? 1 : 0);
    if (name.rfind("client", 0) == 0 || name.rfind("creq", 0) == 0) return at::kClient;
    if (name.rfind("server", 0) == 0 || name.rfind("sreq", 0) == 0 || name == "ep")
      return at::kServer;
  }
  return at::kNowhere;
}

std::string Print(const spec::model::Demand& demand) {
  constexpr std::string_view kWhat[] = {"returns", "number", "bytes", "null", "handle", "same"};
  std::string text(kWhat[static_cast<std::size_t>(demand.what)]);
  if (demand.what == spec::model::Demand::What::kReturns) {
    for (std::size_t i = 0; i < demand.code_count; ++i)
      text += " " + std::to_string(demand.codes[i]);
    return text;
  }
  return spec::model::Text(text, " ", demand.argument, " ", demand.number, " ", demand.offset, " ",
                           demand.size);
}

// Asks the device behind a context itself what it can.
void Describe(Thing& context) {
  constexpr std::uint32_t kBoth = IBV_ODP_SUPPORT_WRITE | IBV_ODP_SUPPORT_READ;
  ibv_device_attr_ex attr{};
  auto* const device = reinterpret_cast<ibv_context*>(context.handle);
  const verbs_context* verbs = verbs_get_ctx_op(device, query_device_ex);
  const bool answers = verbs != nullptr &&
                       verbs->query_device_ex(device, /*input=*/nullptr, &attr, sizeof attr) == 0;
  const bool capable = answers && (attr.odp_caps.general_caps & IBV_ODP_SUPPORT) != 0 &&
                       (attr.odp_caps.per_transport_caps.rc_odp_caps & kBoth) == kBoth;
  context.numbers["is_odp_capable"] = capable ? 1 : 0;
}

}  // namespace

Interpreter::Interpreter(void* library, const FakeControl* fake, std::string address,
                         std::string port, Board* board)
    : library_(library),
      fake_(fake),
      board_(board),
      arguments_(std::move(address), std::move(port)),
      failure_(library, fake),
      log_(library) {}

void Interpreter::Tested(const spec::Rule* rule) { Count(board_->tested[numbers_.of(rule)]); }

void Interpreter::Saw(const spec::Rule* rule, spec::model::Sight sight) {
  Count(board_->seen[numbers_.of(rule)][static_cast<std::size_t>(sight)]);
}

void Interpreter::Broke(Finding finding) {
  if (!finding_) finding_ = std::move(finding);
}

std::optional<Finding> Interpreter::Run(const Script& script, Trace trace) {
  trace_ = std::move(trace);
  Begin();
  given_ = true;
  if (const Script* given = FindGiven(script.given); given != nullptr)
    for (const ScriptCall& call : given->calls)
      if (!finding_ && !abandoned_) Do(call);
  given_ = false;
  for (const ScriptCall& call : script.calls)
    if (!finding_ && !abandoned_) Do(call);
  CleanUp();
  if (!Left().empty()) arguments_.NextPort();
  Count(board_->calls);
  return std::move(finding_);
}

void Interpreter::Begin() {
  finding_.reset();
  world_ = {};
  world_.instant = fake_ != nullptr;
  arguments_.Begin();
  leaks_.Begin();
  first_suspect_ = 0;
  abandoned_ = failed_on_demand_ = false;
  if (fake_ != nullptr) alive_before_ = fake_->Counts();
}

// What is alive and was not before the script, or the other way round.
std::string Interpreter::Left() const {
  return fake_ == nullptr ? "" : ObjectsThatDiffer(alive_before_, fake_->Counts());
}

void Interpreter::Do(const ScriptCall& call) {
  Count(board_->beat);
  if (DoOwn(call)) return;
  Prepared prepared;
  if (!Prepare(call, prepared)) return;
  if (!MayRun(prepared)) {
    if (trace_ && finding_) TellOfWaiting(call);
    return;
  }
  constexpr std::string_view kLog = "rpma_log_";
  if (call.function.compare(0, kLog.size(), kLog) == 0) log_.Begin();
  const std::uint64_t posted_before = trace_ && fake_ != nullptr ? fake_->Posted() : 0;
  if (trace_) TellOf(call);
  const std::int64_t returned = Make(prepared);
  const std::optional<Fault> fault = failure_.TakeFired();
  failed_on_demand_ = failed_on_demand_ || fault.has_value();
  if (fault && prepared.page != nullptr) {
    leaks_.Failed(prepared.page);
    if (first_suspect_ == 0) first_suspect_ = world_.things().size();
  }
  if (prepared.page != nullptr && !given_) leaks_.Called(prepared.page);
  if (trace_)
    TellOf(call, Answer(prepared.page, returned) + (fault ? ", " + fault->call + " failed" : ""),
           posted_before);
  if (prepared.page == nullptr) return Remember(prepared, static_cast<int>(returned));
  spec::model::Judge(*prepared.page, prepared.call, returned, fault ? &*fault : nullptr, this);
  if (log_.running())
    spec::model::JudgeLog(prepared.call, static_cast<int>(returned), log_.Take(), this);
  for (const auto& thing : world_.things())
    if (thing->type == "ibv_context" && thing->numbers.empty()) Describe(*thing);
}

// Before the call is made: it may not come back.
void Interpreter::TellOf(const ScriptCall& call) const {
  trace_({std::string(EndOf(call)), std::string(event::kCall), Print(call)});
}

// A call for something that is due and does not come.
void Interpreter::TellOfWaiting(const ScriptCall& call) const {
  TellOf(call);
  trace_(
      {std::string(EndOf(call)), std::string(event::kReturn), "not made, it would wait for ever"});
}

void Interpreter::Tell(const std::string& demand) const {
  if (trace_ && tell_demands_) trace_({"", std::string(event::kDemand), demand});
}

void Interpreter::Demanded(const spec::model::Demand& demand) {
  if (!trace_ || !tell_demands_) return;
  const bool value = demand.what == spec::model::Demand::What::kNumber;
  Tell(Print(demand) + (value ? " " + arguments_.NameOf(demand.number) : ""));
}

void Interpreter::TellOfDeletion(const ScriptCall& call) const {
  trace_(
      {std::string(EndOf(call)), std::string(event::kSuite), std::string(kDeletes) + Print(call)});
}

void Interpreter::TellOf(const ScriptCall& call, const std::string& answer,
                         std::uint64_t posted_before) const {
  const std::string who(EndOf(call));
  trace_({who, std::string(event::kReturn), answer});
  const std::uint64_t posted = fake_ != nullptr ? fake_->Posted() - posted_before : 0;
  if (posted > 0)
    trace_({who, std::string(event::kPosted),
            spec::model::Text(posted, posted == 1 ? " work request" : " work requests")});
}

bool Interpreter::DoOwn(const ScriptCall& step) {
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
  const Variable& variable = arguments_.Find(step.arguments[0]);
  const int fd = static_cast<int>(variable.word());
  if (variable.set) step.function == kNonblock ? Nonblock(fd) : ExpectReadable(fd);
  return true;
}

void Interpreter::ChangeNic(const ScriptCall& step) {
  if (step.function == kAdvance) {
    std::uint64_t ms = 0;
    ReadNumber(step.arguments[0], ms);
    fake_->AdvanceTime(ms * 1000000);
    world_.TimePasses(ms);
  } else if (step.function == kNetwork) {
    world_.network_silent = true;
    fake_->SetSilent(arguments_.address(), true);
  } else {
    fake_->SetDevicePresent(false);
    world_.DeviceIsGone();
    device_gone_ = device_was_gone_ = true;
  }
}

// What of it outlives a script would change the next.
void Interpreter::RestoreNic() {
  if (world_.network_silent) fake_->SetSilent(arguments_.address(), false);
  if (std::exchange(device_gone_, false)) fake_->SetDevicePresent(true);
}

void Interpreter::Nonblock(int fd) {
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  for (const auto& thing : world_.things())
    for (const std::string_view name : spec::model::kDescriptors)
      if (thing->live && spec::model::HasDescriptor(*thing, name, fd))
        thing->nonblocking.insert(name);
}

void Interpreter::ExpectReadable(int fd) {
  for (const auto& thing : world_.things())
    for (const std::string_view name : spec::model::kDescriptors) {
      if (!thing->live || !spec::model::HasDescriptor(*thing, name, fd)) continue;
      const std::optional<bool> due = spec::model::IsDue(*thing, name);
      if (!due) return;
      const spec::Rule* rule = thing->setters.at(name);
      pollfd wanted{fd, POLLIN, 0};
      const bool readable = poll(&wanted, 1, *due ? patience_ms() : 0) == 1;
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
  abandoned_ =
      !failure_.Plan(step.arguments[0], static_cast<unsigned>(nth), static_cast<int>(error));
}

void* Interpreter::Symbol(std::string_view name) {
  const auto found = symbols_.find(name);
  if (found != symbols_.end()) return found->second;
  const Function* function = FindFunction(name);
  return symbols_[function->name] = dlsym(library_, std::string(name).c_str());
}

// A call whose function the library lacks, or whose arguments earlier calls have not made, is not
// made.
bool Interpreter::Prepare(const ScriptCall& call, Prepared& prepared) {
  if (Symbol(call.function) == nullptr) return false;
  prepared.page = spec::FindCallPage(call.function);
  return arguments_.Prepare(call, world_, prepared);
}

bool Interpreter::MayRun(Prepared& prepared) {
  if (prepared.page == nullptr) return true;
  const spec::Rule* rule = spec::model::RuleOnTrial(*prepared.page, prepared.call);
  for (const spec::FaultClause& clause : prepared.page->faults)
    if (clause.call == failure_.name()) rule = clause.rule;
  board_->rule.store(static_cast<std::uint32_t>(numbers_.of(rule)), std::memory_order_relaxed);
  if (left_out_.count(rule) > 0) {
    abandoned_ = true;
    return false;
  }
  if (prepared.page->waits == nullptr ||
      !spec::Forbidden(prepared.page->errors, prepared.call).empty())
    return true;
  switch (prepared.page->waits(prepared.call)) {
    case CallPage::Wait::kNever:
      return false;
    case CallPage::Wait::kDue:
      return Arrives(*prepared.page, prepared.call);
    case CallPage::Wait::kNone:
      break;
  }
  return true;
}

// Looks at the descriptor before the call, so that what never comes is a verdict and not a hang.
bool Interpreter::Arrives(const CallPage& page, const spec::Call& call) {
  const char* getter = DescriptorOf(page.function);
  int fd = -1;
  if (Symbol(getter) == nullptr || GetDescriptor(getter, Symbol(getter), call[0].word, fd) != 0)
    return true;
  std::vector<const spec::Rule*> blame{page.due};
  if (const spec::Rule* promise = page.promise ? page.promise(call) : nullptr)
    blame.insert(blame.begin(), promise);
  for (const spec::Rule* rule : blame) Tested(rule);
  pollfd wanted{fd, POLLIN, 0};
  if (poll(&wanted, 1, patience_ms()) == 1) return true;
  Count(board_->waits_in_vain);
  blame.push_back(spec::FindCallPage(getter)->rules[0]);
  Broke({std::move(blame), "something arrives",
         spec::model::Text("nothing in ", patience_ms(), " ms")});
  return false;
}

std::int64_t Interpreter::Make(Prepared& prepared) {
  const std::int64_t returned =
      prepared.function->call(Symbol(prepared.function->name), prepared.words.data());
  for (std::size_t i = 0; i < prepared.call.count; ++i)
    if (prepared.variables[i] != nullptr && prepared.call[i].written())
      prepared.variables[i]->set = true;
  return returned;
}

// A function without a page of its own is not judged, but what it makes and ends counts.
void Interpreter::Remember(const Prepared& prepared, int code) {
  const spec::Call& call = prepared.call;
  for (std::size_t i = 0; i < call.count; ++i) {
    const Param& param = prepared.function->params[i];
    const std::uint64_t handle = call[i].after.empty() ? 0 : call[i].out();
    if (param.kind == ParamKind::kHandleInOut && call[i].thing != nullptr && handle == 0)
      world_.Remove(call[i].thing);
    if (param.kind != ParamKind::kHandleOut || code != 0 || handle == 0) continue;
    Thing* made = world_.Make(param.type, handle);
    for (std::size_t j = 0; j < call.count; ++j)
      if (call[j].thing != nullptr) made->things[call[j].thing->type] = call[j].thing;
  }
  spec::model::Posted(call, code, this);
}

// Deletes what lives, the youngest first; while nothing is broken that is judged too.
void Interpreter::CleanUp() {
  failure_.Clear();
  log_.End();
  const auto& things = world_.things();
  for (std::size_t i = things.size(); i-- > 0;)
    if (things[i]->live) Delete(*things[i], /*suspect=*/i >= first_suspect_);
  RestoreNic();
  if (!finding_ && !abandoned_) CheckLeaks();
}

void Interpreter::Delete(Thing& thing, bool suspect) {
  const char* deleter = DeleterOf(thing.type);
  if (deleter == nullptr) return;
  Variable& variable = arguments_.Find("(" + std::to_string(thing.handle) + ")");
  std::memcpy(variable.bytes.data(), &thing.handle, sizeof thing.handle);
  variable.set = true;
  const ScriptCall call{deleter, {"&" + variable.name}};
  Prepared prepared;
  if (!Prepare(call, prepared)) return;
  const std::string name = trace_ ? arguments_.NameOf(thing.handle) : "";
  if (!name.empty()) TellOfDeletion({deleter, {"&" + name}});
  if (prepared.page == nullptr) {
    Make(prepared);
    return world_.Remove(&thing);
  }
  if (suspect) leaks_.CleanedUp(prepared.page);
  const bool may_run = MayRun(prepared);
  if (may_run) {
    const std::int64_t returned = Make(prepared);
    if (!name.empty())
      trace_({std::string(EndOf({"", {name}})), std::string(event::kReturn),
              spec::model::NameOfCode(static_cast<int>(returned))});
    if (!finding_) spec::model::Judge(*prepared.page, prepared.call, returned, nullptr, this);
  }
  world_.Remove(&thing);
}

void Interpreter::CheckLeaks() {
  const spec::Rule* rule = leaks_.OnTrial();
  if (fake_ == nullptr || rule == nullptr) return;
  Tested(rule);
  Tell("nothing-left");
  const std::string left = Left();
  if (left.empty()) return;
  Broke({leaks_.Blame(), "after everything was deleted as much is alive as before",
         spec::model::Text("alive: ", left)});
}

}  // namespace conformance
