#include "property_tests/script/interpreter.h"

#include <cstring>
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

}  // namespace

Interpreter::Interpreter(void* library, const FakeControl* fake, std::string address,
                         std::string port, FarEnd* far, Board* board)
    : BoardWitness(board),
      fake_(fake),
      arguments_(std::move(address), std::move(port), far),
      ends_(library, fake, far, board),
      log_(library) {}

void Interpreter::Broke(Finding finding) {
  std::optional<Finding>& place = PlaceOf(finding);
  if (!place) place = std::move(finding);
}

std::optional<Finding> Interpreter::Run(const Script& script, Trace trace) {
  std::optional<Finding> finding = RunOnce(script, std::move(trace));
  if (leaked_ && !failed_calls_.empty()) finding->blame = BlameFor(script, finding->blame);
  return finding;
}

// What is left without the failure too is not its doing.
std::vector<const spec::Rule*> Interpreter::BlameFor(const Script& script,
                                                     std::vector<const spec::Rule*> blame) {
  Script without{script.given, {}};
  for (const ScriptCall& call : script.calls)
    if (call.function != kFault && failed_calls_.count(&call) == 0) without.calls.push_back(call);
  const bool abandoned = abandoned_;
  const std::optional<Finding> finding = RunOnce(without, /*trace=*/{});
  abandoned_ = abandoned;
  failed_on_demand_ = true;
  return leaked_ ? finding->blame : blame;
}

std::optional<Finding> Interpreter::RunOnce(const Script& script, Trace trace) {
  trace_ = std::move(trace);
  Begin(script);
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
  return TakeFinding();
}

void Interpreter::Begin(const Script& script) {
  ForgetFindings();
  ends_.Part(HasTwoEnds(script));
  placement_ = {};
  both_ = false;
  world_ = {};
  world_.instant = fake_ != nullptr;
  arguments_.Begin();
  leaks_.Begin();
  first_suspect_ = 0;
  failed_calls_.clear();
  abandoned_ = failed_on_demand_ = leaked_ = false;
  if (fake_ != nullptr) alive_before_ = ends_.Alive();
}

// What is alive and was not before the script, or the other way round.
std::string Interpreter::Left() const {
  return fake_ == nullptr ? "" : ObjectsThatDiffer(alive_before_, ends_.Alive());
}

void Interpreter::Do(const ScriptCall& call) {
  if (!ends_.parted()) return DoAt(Side::kClient, call);
  const std::vector<Side>& ends = placement_.Of(call);
  both_ = ends.size() > 1;
  for (const Side side : ends)
    if (!finding_ && !abandoned_) DoAt(side, call);
}

void Interpreter::DoAt(Side side, const ScriptCall& call) {
  Count(board_->beat);
  if (DoOwn(side, call)) return;
  Prepared prepared;
  prepared.side = side;
  if (!Prepare(call, prepared)) return;
  if (!MayRun(prepared)) {
    if (trace_ && finding_) TellOfWaiting(side, call);
    return;
  }
  constexpr std::string_view kLog = "rpma_log_";
  if (call.function.compare(0, kLog.size(), kLog) == 0) log_.Begin();
  const std::uint64_t posted_before = trace_ && fake_ != nullptr ? ends_.Posted() : 0;
  if (trace_) TellOf(side, call);
  const std::int64_t returned = Make(prepared);
  const std::optional<Fault> fault = ends_.TakeFired();
  failed_on_demand_ = failed_on_demand_ || fault.has_value();
  if (fault && prepared.page != nullptr) {
    leaks_.Failed(prepared.page);
    failed_calls_.insert(&call);
    if (first_suspect_ == 0) first_suspect_ = world_.things().size();
  }
  if (prepared.page != nullptr && !given_) leaks_.Called(prepared.page);
  if (trace_)
    TellOf(side, call,
           Answer(prepared.page, returned) + (fault ? ", " + fault->call + " failed" : ""),
           posted_before);
  if (prepared.page == nullptr) return Remember(prepared, static_cast<int>(returned));
  spec::model::Judge(*prepared.page, prepared.call, returned, fault ? &*fault : nullptr, this);
  if (log_.running())
    spec::model::JudgeLog(prepared.call, static_cast<int>(returned), log_.Take(), this);
  for (const auto& thing : world_.things())
    if (thing->type == "ibv_context" && thing->numbers.empty())
      thing->numbers["is_odp_capable"] = ends_.IsOdpCapable(thing->handle) ? 1 : 0;
}

std::string Interpreter::WhoCalls(Side side, const ScriptCall& call) const {
  if (!ends_.parted()) return std::string(EndOf(call));
  return std::string(side == Side::kClient ? at::kClient : at::kServer);
}

// Before the call is made: it may not come back.
void Interpreter::TellOf(Side side, const ScriptCall& call) const {
  const std::string who = WhoCalls(side, call);
  trace_({who, std::string(event::kCall), (both_ ? who + "." : "").append(Print(call))});
}

// A call for something that is due and does not come.
void Interpreter::TellOfWaiting(Side side, const ScriptCall& call) const {
  TellOf(side, call);
  trace_({WhoCalls(side, call), std::string(event::kReturn), "not made, it would wait for ever"});
}

void Interpreter::Tell(const std::string& demand) const {
  if (trace_ && tell_demands_) trace_({"", std::string(event::kDemand), demand});
}

void Interpreter::Demanded(const spec::model::Demand& demand) {
  if (!trace_ || !tell_demands_) return;
  const bool value = demand.what == spec::model::Demand::What::kNumber;
  Tell(Print(demand) + (value ? " " + arguments_.NameOf(demand.number) : ""));
}

void Interpreter::TellOfDeletion(Side side, const ScriptCall& call) const {
  trace_({WhoCalls(side, call), std::string(event::kSuite), std::string(kDeletes) + Print(call)});
}

void Interpreter::TellOf(Side side, const ScriptCall& call, const std::string& answer,
                         std::uint64_t posted_before) const {
  const std::string who = WhoCalls(side, call);
  trace_({who, std::string(event::kReturn), answer});
  const std::uint64_t posted = fake_ != nullptr ? ends_.Posted() - posted_before : 0;
  if (posted > 0)
    trace_({who, std::string(event::kPosted),
            spec::model::Text(posted, posted == 1 ? " work request" : " work requests")});
}

// A call whose function the library lacks, or whose arguments earlier calls have not made, is not
// made.
bool Interpreter::Prepare(const ScriptCall& call, Prepared& prepared) {
  if (ends_.Symbol(prepared.side, call.function) == nullptr) return false;
  prepared.page = spec::FindCallPage(call.function);
  return arguments_.Prepare(call, world_, prepared);
}

bool Interpreter::MayRun(Prepared& prepared) {
  if (prepared.page == nullptr) return true;
  const spec::Rule* rule = spec::model::RuleOnTrial(*prepared.page, prepared.call);
  for (const spec::FaultClause& clause : prepared.page->faults)
    if (clause.call == ends_.planned()) rule = clause.rule;
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
      return Arrives(prepared.side, *prepared.page, prepared.call);
    case CallPage::Wait::kNone:
      break;
  }
  return true;
}

// Looks at the descriptor before the call, so that what never comes is a verdict and not a hang.
bool Interpreter::Arrives(Side side, const CallPage& page, const spec::Call& call) {
  const char* getter = DescriptorOf(page.function);
  const std::optional<int> fd = ends_.Descriptor(side, getter, call[0].word);
  if (!fd) return true;
  std::vector<const spec::Rule*> blame{page.due};
  if (const spec::Rule* promise = page.promise ? page.promise(call) : nullptr)
    blame.insert(blame.begin(), promise);
  for (const spec::Rule* rule : blame) Tested(rule);
  if (ends_.Readable(side, *fd, patience_ms())) return true;
  Count(board_->waits_in_vain);
  blame.push_back(spec::FindCallPage(getter)->rules[0]);
  Broke({std::move(blame), "something arrives",
         spec::model::Text("nothing in ", patience_ms(), " ms")});
  return false;
}

std::int64_t Interpreter::Make(Prepared& prepared) {
  const bool far = prepared.side == Side::kServer;
  if (far) arguments_.TakeMarks(prepared);
  const std::int64_t returned =
      ends_.Make(prepared.side, *prepared.function, prepared.words.data());
  if (far) arguments_.PutMarks(prepared);
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
  ends_.ClearFailure();
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
  Prepared prepared;
  prepared.side = SideOf(thing.handle);
  Variable& variable = arguments_.Find("(" + std::to_string(thing.handle) + ")", prepared.side);
  std::memcpy(variable.bytes.data(), &thing.handle, sizeof thing.handle);
  variable.set = true;
  const ScriptCall call{deleter, {"&" + variable.name}};
  if (!Prepare(call, prepared)) return;
  const std::string name = trace_ ? arguments_.NameOf(thing.handle) : "";
  if (!name.empty()) TellOfDeletion(prepared.side, {deleter, {"&" + name}});
  if (prepared.page == nullptr) {
    Make(prepared);
    return world_.Remove(&thing);
  }
  if (suspect) leaks_.CleanedUp(prepared.page);
  const bool may_run = MayRun(prepared);
  if (may_run) {
    const std::int64_t returned = Make(prepared);
    if (!name.empty())
      trace_({WhoCalls(prepared.side, {"", {name}}), std::string(event::kReturn),
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
  leaked_ = true;
  Broke({leaks_.Blame(), "after everything was deleted as much is alive as before",
         spec::model::Text("alive: ", left)});
}

}  // namespace conformance
