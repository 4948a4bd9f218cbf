#include "property_tests/script/interpreter.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "property_tests/script/givens.h"
#include "property_tests/worker/rig.h"
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

constexpr std::uint8_t kCanary = 0xa5;

// What deletes an object of which type.
const std::map<std::string_view, const char*>& Deleters() {
  static const std::map<std::string_view, const char*> deleters{
      {"rpma_peer", "rpma_peer_delete"},         {"rpma_peer_cfg", "rpma_peer_cfg_delete"},
      {"rpma_mr_local", "rpma_mr_dereg"},        {"rpma_mr_remote", "rpma_mr_remote_delete"},
      {"rpma_conn_cfg", "rpma_conn_cfg_delete"}, {"rpma_srq_cfg", "rpma_srq_cfg_delete"},
      {"rpma_srq", "rpma_srq_delete"},           {"rpma_ep", "rpma_ep_shutdown"},
      {"rpma_conn_req", "rpma_conn_req_delete"}, {"rpma_conn", "rpma_conn_delete"}};
  return deleters;
}

// nullptr: nobody may.
const char* DeleterOf(std::string_view type) {
  const auto found = Deleters().find(type);
  return found == Deleters().end() ? nullptr : found->second;
}

bool IsDeleter(std::string_view function) {
  return std::any_of(Deleters().begin(), Deleters().end(),
                     [&](const auto& entry) { return entry.second == function; });
}

// The function that gives the descriptor on which a call waits.
const char* DescriptorOf(std::string_view function) {
  if (function == "rpma_ep_next_conn_req") return "rpma_ep_get_fd";
  if (function == "rpma_conn_next_event") return "rpma_conn_get_event_fd";
  if (function == "rpma_conn_wait") return "rpma_conn_get_compl_fd";
  return "rpma_cq_get_fd";
}

bool ReadNumber(std::string_view text, std::uint64_t& value) {
  const bool negative = text.size() > 1 && text[0] == '-';
  std::string_view digits = text.substr(negative ? 1 : 0);
  const bool hex = digits.substr(0, 2) == "0x";
  if (hex) digits.remove_prefix(2);
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, hex ? 16 : 10);
  if (error != std::errc{} || stop != end || digits.empty()) return false;
  if (negative) value = -value;
  return true;
}

std::string Answer(const CallPage* page, std::int64_t returned) {
  if (page == nullptr || page->return_value != nullptr)
    return spec::model::NameOfCode(static_cast<int>(returned));
  if (returned == 0) return "NULL";
  return "\"" + std::string(reinterpret_cast<const char*>(returned)) + "\"";
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

std::uint64_t Interpreter::Cell::word() const {
  std::uint64_t word;
  std::memcpy(&word, bytes.data(), sizeof word);
  return word;
}

Interpreter::Interpreter(void* library, const FakeControl* fake, std::string address,
                         std::string port, Board* board)
    : library_(library),
      fake_(fake),
      address_(std::move(address)),
      port_(std::move(port)),
      board_(board),
      allocation_(library),
      log_(library),
      memory_(kMemorySize, /*seed=*/3),
      before_(std::make_unique<std::array<std::array<std::uint8_t, kCellSize>, 9>>()) {}

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
  LeavePort();
  Count(board_->calls);
  return std::move(finding_);
}

void Interpreter::Begin() {
  finding_.reset();
  world_ = {};
  world_.instant = fake_ != nullptr;
  cells_used_ = 0;
  literals_.clear();
  private_data_.clear();
  planned_.clear();
  failed_pages_.clear();
  cleaned_pages_.clear();
  first_suspect_ = 0;
  called_pages_.clear();
  abandoned_ = failed_on_demand_ = false;
  alive_before_ = Alive();
}

std::uint64_t Interpreter::Alive() const { return fake_ == nullptr ? 0 : fake_->Alive(); }

void Interpreter::Do(const ScriptCall& call) {
  Count(board_->beat);
  if (DoOwn(call)) return;
  Prepared prepared;
  prepared.before = before_.get();
  if (!Prepare(call, prepared) || !MayRun(prepared)) return;
  constexpr std::string_view kLog = "rpma_log_";
  if (call.function.compare(0, kLog.size(), kLog) == 0) log_.Begin();
  const std::int64_t returned = Make(prepared);
  const std::optional<Fault> fault = Fired();
  if (fault && prepared.page != nullptr) {
    failed_pages_.push_back(prepared.page);
    if (first_suspect_ == 0) first_suspect_ = world_.things().size();
  }
  if (prepared.page != nullptr && !given_) called_pages_.push_back(prepared.page);
  if (trace_)
    trace_("call    " + Print(call) + " -> " + Answer(prepared.page, returned) +
           (fault ? ", " + fault->call + " failed" : ""));
  if (prepared.page == nullptr) return Remember(prepared, static_cast<int>(returned));
  spec::model::Judge(*prepared.page, prepared.call, returned, fault ? &*fault : nullptr, this);
  if (log_.running())
    spec::model::JudgeLog(prepared.call, static_cast<int>(returned), log_.Take(), this);
  for (const auto& thing : world_.things())
    if (thing->type == "ibv_context" && thing->numbers.empty()) Describe(*thing);
}

bool Interpreter::DoOwn(const ScriptCall& step) {
  if (step.function == kFault) {
    Plan(step);
    return true;
  }
  if (step.function == kAdvance) {
    std::uint64_t ms = 0;
    ReadNumber(step.arguments[0], ms);
    abandoned_ = abandoned_ || fake_ == nullptr;
    if (fake_ != nullptr) fake_->AdvanceTime(ms * 1000000);
    return true;
  }
  if (step.function != kNonblock && step.function != kReadable) return false;
  const Cell& cell = CellOf(step.arguments[0]);
  const int fd = static_cast<int>(cell.word());
  if (cell.set) step.function == kNonblock ? Nonblock(fd) : ExpectReadable(fd);
  return true;
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
      if (readable != *due)
        Broke({{rule},
               *due ? "the descriptor can be read" : "the descriptor cannot be read",
               readable ? "it can" : "it cannot"});
      return;
    }
}

bool Interpreter::CanFail(const std::string& name) const {
  if (AllocationFaults::Knows(name)) return true;
  if (fake_ == nullptr || !fake_->FailCall(name, 1, EIO)) return false;
  fake_->ClearFaults();
  return true;
}

// Where the NIC cannot be made to fail, the script is left out.
void Interpreter::Plan(const ScriptCall& call) {
  const std::string& name = call.arguments[0];
  std::uint64_t nth = 0;
  std::uint64_t error = 0;
  ReadNumber(call.arguments[1], nth);
  if (!ReadNumber(call.arguments[2], error)) FindConstant(call.arguments[2], error);
  if (fake_ != nullptr) fake_->ClearFaults();
  allocation_.Clear();
  if (AllocationFaults::Knows(name)) {
    allocation_.Plan(name, static_cast<unsigned>(nth));
  } else if (fake_ == nullptr) {
    abandoned_ = true;
    return;
  } else if (!fake_->FailCall(name, static_cast<unsigned>(nth), static_cast<int>(error))) {
    throw SetUpError("fault '" + name + "': the fake NIC cannot make it fail");
  }
  planned_ = name;
  planned_error_ = static_cast<int>(error);
  fired_before_ = AllocationFaults::Knows(name) ? allocation_.fired() : fake_->Fired(name);
}

std::optional<Fault> Interpreter::Fired() {
  if (planned_.empty()) return std::nullopt;
  const bool allocation = AllocationFaults::Knows(planned_);
  const unsigned fired = allocation ? allocation_.fired() : fake_->Fired(planned_);
  if (fired == fired_before_) return std::nullopt;
  const Fault fault{planned_, planned_error_};
  planned_.clear();
  failed_on_demand_ = true;
  return fault;
}

void* Interpreter::Symbol(std::string_view name) {
  const auto found = symbols_.find(name);
  if (found != symbols_.end()) return found->second;
  const Function* function = FindFunction(name);
  return symbols_[function->name] = dlsym(library_, std::string(name).c_str());
}

Interpreter::Cell& Interpreter::CellOf(const std::string& name) {
  for (std::size_t i = 0; i < cells_used_; ++i)
    if (cells_[i].name == name) return cells_[i];
  if (cells_used_ == cells_.size()) cells_.emplace_back();
  Cell& cell = cells_[cells_used_++];
  cell.name = name;
  cell.set = false;
  cell.bytes.fill(kCanary);
  return cell;
}

// A call whose function the library lacks, or whose arguments earlier calls have not made, is not
// made.
bool Interpreter::Prepare(const ScriptCall& call, Prepared& prepared) {
  prepared.function = FindFunction(call.function);
  prepared.page = spec::FindCallPage(call.function);
  if (Symbol(call.function) == nullptr) return false;
  prepared.call.function = prepared.function->name;
  prepared.call.count = prepared.function->params.size();
  prepared.call.world = &world_;
  for (std::size_t i = 0; i < prepared.call.count; ++i)
    if (!Resolve(call.arguments[i], prepared.function->params[i], prepared, i)) return false;
  return true;
}

bool Interpreter::Resolve(const std::string& token, const Param& param, Prepared& prepared,
                          std::size_t i) {
  spec::Argument& argument = prepared.call.arguments[i];
  std::uint64_t& word = prepared.words[i];
  constexpr std::string_view kBytes = "bytes:";
  constexpr std::string_view kData = "data:";
  constexpr std::string_view kMem = "mem";
  if (token[0] == '&') return ResolveCell(token.substr(1), /*address=*/true, param, prepared, i);
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
    return ResolveCell(token, /*address=*/false, param, prepared, i);
  }
  argument.word = word;
  return true;
}

bool Interpreter::ResolveCell(const std::string& name, bool address, const Param& param,
                              Prepared& prepared, std::size_t i) {
  Cell& cell = CellOf(name);
  spec::Argument& argument = prepared.call.arguments[i];
  if (!address) {
    argument.word = prepared.words[i] = cell.word();
    if (param.kind == ParamKind::kNumber) return cell.set;
    argument.thing = world_.Find(cell.word(), param.type);
    return cell.set && (argument.thing != nullptr || cell.word() == 0);
  }
  argument.word = prepared.words[i] = reinterpret_cast<std::uint64_t>(cell.bytes.data());
  if (param.kind == ParamKind::kBytesIn) {
    argument.before = cell.bytes;
    return cell.set;
  }
  if (param.kind == ParamKind::kHandleInOut) {
    if (!cell.set) return false;
    argument.thing = world_.Find(cell.word(), param.type);
    argument.holds_null = cell.word() == 0;
    if (argument.thing == nullptr && !argument.holds_null) return false;
  }
  const std::size_t size = param.size != 0 ? param.size : kCellSize;
  std::memcpy((*prepared.before)[i].data(), cell.bytes.data(), size);
  argument.before = {(*prepared.before)[i].data(), size};
  argument.after = {cell.bytes.data(), size};
  argument.had_value = cell.set;
  prepared.cells[i] = &cell;
  return true;
}

// Literal bytes, as pairs of hexadecimal digits.
std::uint64_t Interpreter::BytesOf(const std::string& literal) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < literal.size(); at += 2)
    bytes.push_back(static_cast<char>(std::stoi(literal.substr(at, 2), nullptr, 16)));
  literals_.push_back(std::move(bytes));
  return reinterpret_cast<std::uint64_t>(literals_.back().data());
}

// data:N is N bytes 1, 2, 3 ...; data:N:NULL says N and points nowhere.
const void* Interpreter::PrivateData(std::string_view token) {
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

bool Interpreter::MayRun(Prepared& prepared) {
  if (prepared.page == nullptr) return true;
  const spec::Rule* rule = spec::model::RuleOnTrial(*prepared.page, prepared.call);
  for (const spec::FaultClause& clause : prepared.page->faults)
    if (clause.call == planned_) rule = clause.rule;
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
  const auto get_fd = reinterpret_cast<int (*)(const void*, int*)>(Symbol(getter));
  int fd = -1;
  if (get_fd == nullptr || get_fd(reinterpret_cast<const void*>(call[0].word), &fd) != 0)
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
    if (prepared.cells[i] != nullptr && prepared.call[i].written()) prepared.cells[i]->set = true;
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
  if (fake_ != nullptr) fake_->ClearFaults();
  allocation_.Clear();
  planned_.clear();
  log_.End();
  const auto& things = world_.things();
  for (std::size_t i = things.size(); i-- > 0;)
    if (things[i]->live) Delete(*things[i], /*suspect=*/i >= first_suspect_);
  if (!finding_ && !abandoned_) CheckLeaks();
}

void Interpreter::Delete(Thing& thing, bool suspect) {
  const char* deleter = DeleterOf(thing.type);
  if (deleter == nullptr) return;
  Cell& cell = CellOf("(" + std::to_string(thing.handle) + ")");
  std::memcpy(cell.bytes.data(), &thing.handle, sizeof thing.handle);
  cell.set = true;
  const ScriptCall call{deleter, {"&" + cell.name}};
  Prepared prepared;
  prepared.before = before_.get();
  if (!Prepare(call, prepared)) return;
  if (prepared.page == nullptr) {
    Make(prepared);
    return world_.Remove(&thing);
  }
  if (suspect) cleaned_pages_.push_back(prepared.page);
  const bool may_run = MayRun(prepared);
  if (may_run) {
    const std::int64_t returned = Make(prepared);
    if (!finding_) spec::model::Judge(*prepared.page, prepared.call, returned, nullptr, this);
  }
  world_.Remove(&thing);
}

// What is left is charged to the call that failed, or to the last one. Others may explain it: those
// that end something, and without a failure whatever the script calls, and what cleans up behind a
// call that ends nothing itself; behind a failure that is the end of what was made later.
void Interpreter::CheckLeaks() {
  if (fake_ == nullptr) return;
  std::vector<const spec::Rule*> blame;
  const auto add = [&](const CallPage* page) {
    if (page->releases != nullptr &&
        std::find(blame.begin(), blame.end(), page->releases) == blame.end())
      blame.push_back(page->releases);
  };
  for (const CallPage* page : failed_pages_) add(page);
  for (std::size_t i = called_pages_.size(); i-- > 0 && blame.empty();) add(called_pages_[i]);
  if (blame.empty()) return;
  Tested(blame[0]);
  if (Alive() == alive_before_) return;
  const bool failed = !failed_pages_.empty();
  const bool subject_ends = IsDeleter(spec::FunctionOf(blame[0]));
  for (const CallPage* page : called_pages_)
    if (!failed || IsDeleter(page->function)) add(page);
  for (const CallPage* page : cleaned_pages_)
    if (failed || !subject_ends) add(page);
  Broke({std::move(blame), "after everything was deleted nothing is alive",
         spec::model::Text("alive: ", fake_->DescribeAlive())});
}

// What was left alive may still listen there.
void Interpreter::LeavePort() {
  if (fake_ == nullptr || Alive() == alive_before_) return;
  port_ = std::to_string(std::stoi(port_) % 0xffff + 1);
}

}  // namespace conformance
