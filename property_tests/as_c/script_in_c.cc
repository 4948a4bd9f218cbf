// A script as C: the calls that its run made, in the words of the script, each with what it owes.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>

#include "property_tests/as_c/c_program.h"
#include "property_tests/script/allocation_faults.h"
#include "property_tests/script/functions.h"
#include "property_tests/script/interpreter.h"

namespace conformance {

namespace {

// One step of the run.
struct CLine {
  ScriptCall call;
  std::string returned;
  std::vector<std::string> demands;
};

std::vector<CLine> LinesOf(const std::vector<TraceEvent>& events) {
  std::vector<CLine> lines;
  for (const TraceEvent& event : events) {
    std::string text = event.text;
    if (event.kind == event::kDemand && !lines.empty()) lines.back().demands.push_back(text);
    if (event.kind == event::kReturn && !lines.empty()) lines.back().returned = text;
    if (text.rfind(kDeletes, 0) == 0) text.erase(0, kDeletes.size());
    if (event.kind == event::kCall || event.kind == event::kSuite || event.kind == event::kNote)
      lines.push_back({MustParseScript(text).calls.at(0), "", {}});
  }
  return lines;
}

std::string Number(const std::string& text) {
  std::uint64_t value = 0;
  ReadNumber(text, value);
  return text[0] != '-' && value > INT64_MAX ? text + "u" : text;
}

class Writer {
 public:
  explicit Writer(const CaseInC& what) : what_(what) {}

  std::string Write(const std::vector<CLine>& lines);

 private:
  void Do(const CLine& line);
  bool DoOwn(const CLine& line);
  void Fault(const ScriptCall& call);
  void Call(const CLine& line);
  void Before(const CLine& line, const Function& function);
  void After(const CLine& line, const Function& function);
  void Demand(const CLine& line, const Function& function, const std::string& demand);
  std::string Argument(const std::string& token, const Param& param);
  std::string Bytes(const std::string& hex) const;
  std::string PrivateData(const std::string& token);
  void Declare(const std::string& name, const Param& param);
  std::string End() const;
  void Add(const std::string& text) { body_ += "\t" + text + "\n"; }
  bool Uses(std::string_view word) const { return body_.find(word) != std::string::npos; }

  const CaseInC& what_;
  std::map<std::string, std::string> declared_;  // variables, as C declares them
  std::set<std::string> arrays_;                 // of these, what is passed without &
  std::set<std::string> set_;
  std::string unsaid_;  // what C cannot say
  std::string body_;
};

constexpr std::string_view kArrayOfBytes = "unsigned char ";

void Writer::Declare(const std::string& name, const Param& param) {
  if (declared_.count(name) > 0) return;
  const std::string type(param.type);
  if (param.kind == ParamKind::kHandleOut || param.kind == ParamKind::kHandleInOut) {
    declared_[name] = (type.empty() ? "void" : "struct " + type) + " *" + name + " = NULL;";
  } else if (param.kind == ParamKind::kNumberOut && param.size != 0 && !type.empty()) {
    declared_[name] = type + " " + name + ";";
  } else if (type == "struct ibv_wc") {
    declared_[name] = type + " " + name + "[8];";
    arrays_.insert(name);
  } else {
    declared_[name] = std::string(kArrayOfBytes) + name + "[1024];";
    arrays_.insert(name);
  }
}

std::string Writer::Bytes(const std::string& hex) const {
  std::string text = "\"";
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2) text += "\\x" + hex.substr(at, 2);
  return text + "\"";
}

// data:N, data:N:NULL
std::string Writer::PrivateData(const std::string& token) {
  const std::size_t end = token.find(':', 5);
  const std::string length = token.substr(5, end == std::string::npos ? end : end - 5);
  const std::string name = "data_" + length + (end == std::string::npos ? "" : "_null");
  const std::string pointer = end == std::string::npos ? "private_bytes" : "NULL";
  declared_[name] =
      "struct rpma_conn_private_data " + name + " = {" + pointer + ", " + length + "};";
  return "&" + name;
}

std::string Writer::Argument(const std::string& token, const Param& param) {
  std::uint64_t value = 0;
  const bool pointer = param.kind != ParamKind::kNumber;
  if (token[0] == '&') {
    const std::string name = token.substr(1);
    Declare(name, param);
    return (arrays_.count(name) > 0 ? "" : "&") + name;
  }
  if (token == "NULL") return pointer ? "NULL" : "0";
  const std::string cast = pointer              ? "(void *)"
                           : param.type.empty() ? ""
                                                : "(" + std::string(param.type) + ")";
  if (ReadNumber(token, value)) return cast + Number(token);
  if (token.rfind("mem+", 0) == 0) return "mem + " + token.substr(4);
  if (token == "log" || token == "log2") return token + "_of_the_case";
  if (token.rfind("bytes:", 0) == 0) return Bytes(token.substr(6));
  if (token.rfind("data:", 0) == 0) return PrivateData(token);
  std::string text;
  for (const char c : token) text += c == '|' ? std::string(" | ") : std::string(1, c);
  return text;
}

bool Writer::DoOwn(const CLine& line) {
  const ScriptCall& call = line.call;
  const std::string& first = call.arguments[0];
  if (call.function == kFault) {
    Fault(call);
  } else if (call.function == kNonblock) {
    Add("fcntl(" + first + ", F_SETFL, O_NONBLOCK);");
  } else if (call.function == kReadable) {
    if (line.demands.empty()) return true;
    const bool readable = line.demands[0] == "readable";
    Add("now = " + QuotedInC(Print(call)) + ";");
    Add(readable ? "judge(readable(" + first + ", 5000), \"readable\", 0);"
                 : "judge(!readable(" + first + ", 0), \"not readable\", 1);");
  } else if (call.function == kAdvance) {
    Add("FAKENIC(fakenic_advance_time)(" + first + " * UINT64_C(1000000));");
  } else if (call.function == kNetwork) {
    Add("FAKENIC(fakenic_set_host)(addr, FAKENIC_HOST_SILENT);");
  } else if (call.function == kDevice) {
    Add("FAKENIC(fakenic_set_device_present)(0);");
  } else {
    return false;
  }
  return true;
}

void Writer::Fault(const ScriptCall& call) {
  if (!AllocationFaults::Knows(call.arguments[0])) {
    Add("FAKENIC(fakenic_clear_faults)();");
    Add("FAKENIC(fakenic_fail_call)(\"" + call.arguments[0] + "\", " + call.arguments[1] + ", " +
        call.arguments[2] + ");");
    return;
  }
  unsaid_ = Print(call);
  Add("/* " + unsaid_ + ": C cannot make this fail inside the library alone. */");
}

// Of what has to stay as it is, what it is.
void Writer::Before(const CLine& line, const Function& function) {
  for (const std::string& demand : line.demands) {
    std::istringstream in(demand);
    std::string what;
    std::size_t i = 0;
    if (!(in >> what >> i) || what != "same" || i >= line.call.arguments.size()) continue;
    const std::string name = line.call.arguments[i].substr(1);
    const std::string place = Argument(line.call.arguments[i], function.params[i]);
    if (set_.count(name) == 0) Add("memset(" + place + ", 0xa5, sizeof " + name + ");");
    Add("memcpy(before[" + std::to_string(i) + "], " + place + ", sizeof " + name + ");");
  }
}

void Writer::Demand(const CLine& line, const Function& function, const std::string& demand) {
  std::istringstream in(demand);
  std::string what;
  in >> what;
  if (what == "nothing-left" || what == "returns") return;
  std::size_t i = 0;
  std::uint64_t number = 0;
  std::size_t offset = 0;
  std::size_t size = 0;
  std::string owner;
  in >> i >> number >> offset >> size >> owner;
  const std::string name = line.call.arguments[i].substr(1);
  const std::string place = Argument(line.call.arguments[i], function.params[i]);
  const std::string argument = "*argument " + std::to_string(i + 1);
  const auto judge = [&](const std::string& holds, const std::string& allowed,
                         const std::string& seen) {
    Add((what == "same" ? "if (code != 0)\n\t\tjudge(" : "judge(") + holds + ", \"" + argument +
        " to be " + allowed + "\", " + seen + ");");
  };
  const bool handle = function.params[i].kind == ParamKind::kHandleOut;
  const std::string as_number = "(long long)(intptr_t)" + name;
  if (what == "same")
    judge("memcmp(before[" + std::to_string(i) + "], " + place + ", sizeof " + name + ") == 0",
          "what it was", "0");
  if (what == "null") judge(name + " == NULL", "NULL", as_number);
  if (what == "handle") judge(name + " != NULL", "a handle", as_number);
  if (what == "number" && handle && number == 0) judge(name + " == NULL", "NULL", as_number);
  if (what == "number" && handle && !owner.empty() && owner != name)
    judge("(void *)" + name + " == (void *)(" + owner + ")", owner, as_number);
  // Descriptors, queue pairs and addresses have other numbers each time.
  constexpr std::string_view kOfTheRun[] = {"_fd", "_qp_num"};
  for (const std::string_view end : kOfTheRun)
    if (function.name.size() > end.size() &&
        function.name.substr(function.name.size() - end.size()) == end)
      return;
  if ((what == "number" && !handle) || (what == "bytes" && number <= UINT32_MAX)) {
    const std::string bytes = what == "bytes"
                                  ? "(unsigned char *)" + place + " + " + std::to_string(offset) +
                                        ", " + std::to_string(size)
                                  : place + ", sizeof " + name;
    const std::string got = "number(" + bytes + ")";
    judge(got + " == UINT64_C(" + std::to_string(number) + ")", std::to_string(number),
          "(long long)" + got);
  }
}

void Writer::After(const CLine& line, const Function& function) {
  std::string holds;
  std::string allowed;
  for (const std::string& demand : line.demands) {
    if (demand.rfind("returns", 0) != 0) continue;
    std::istringstream in(demand.substr(7));
    for (std::string code; in >> code;) {
      holds += (holds.empty() ? "" : " || ") + ("code == " + code);
      allowed += (allowed.empty() ? "" : " or ") + code;
    }
  }
  // Without the failure it may do anything else.
  const bool failed = line.returned.find(" failed") != std::string::npos;
  if (holds.empty() || (failed && !unsaid_.empty()))
    return Add("printf(\"seen   %s: %d\\n\", now, code);");
  Add("judge(" + holds + ", \"" + allowed + "\", code);");
  for (const std::string& demand : line.demands) Demand(line, function, demand);
  for (const std::string& argument : line.call.arguments)
    if (argument[0] == '&') set_.insert(argument.substr(1));
}

void Writer::Call(const CLine& line) {
  const Function& function = *FindFunction(line.call.function);
  Before(line, function);
  std::string arguments;
  for (std::size_t i = 0; i < function.params.size(); ++i)
    arguments += (i > 0 ? ", " : "") + Argument(line.call.arguments[i], function.params[i]);
  Add("now = " + QuotedInC(Print(line.call)) + ";");
  const std::string call = line.call.function + "(" + arguments + ")";
  constexpr std::string_view kText = "2str";
  if (line.call.function.find(kText) != std::string::npos)
    return Add("printf(\"seen   %s: \\\"%s\\\"\\n\", now, " + call + ");");
  Add("code = " + call + ";");
  After(line, function);
}

void Writer::Do(const CLine& line) {
  if (!DoOwn(line)) Call(line);
}

// What the program can compare.
bool CanBeSaid(const std::string& allowed) {
  constexpr std::string_view kSaid[] = {"returns ",       "*argument ", "argument ",
                                        "bytes ",         "something ", "after everything",
                                        "the descriptor", "refused ",   "accepted"};
  return std::any_of(std::begin(kSaid), std::end(kSaid),
                     [&](std::string_view start) { return allowed.rfind(start, 0) == 0; });
}

std::string Writer::End() const {
  const bool silent = unsaid_.empty() && what_.broken && !CanBeSaid(what_.broken->allowed);
  return EndInC(silent ? Unsaid(*what_.broken) : unsaid_);
}

constexpr char kLogFunctions[] = R"(
static void log_of_the_case(enum rpma_log_level level, const char *file, int line,
		const char *function, const char *format, ...)
{
	printf("log    %d %s:%d %s: %s\n", (int)level, file, line, function, format);
}
)";

constexpr char kNumber[] = R"(
static uint64_t number(const void *bytes, size_t size)
{
	uint64_t value = 0;
	memcpy(&value, bytes, size < sizeof value ? size : sizeof value);
	return value;
}
)";

constexpr char kReadableInC[] = R"(
static int readable(int fd, int ms)
{
	struct pollfd wanted = {fd, POLLIN, 0};
	return poll(&wanted, 1, ms) == 1;
}
)";

// Everything that is alive at the NIC.
constexpr char kCounts[] = R"(
static struct fakenic_counts alive(void)
{
	struct fakenic_counts counts;
	memset(&counts, 0, sizeof counts);
	FAKENIC(fakenic_get_counts)(&counts);
	return counts;
}
)";

std::string Writer::Write(const std::vector<CLine>& lines) {
  for (const CLine& line : lines) Do(line);
  const bool leaks =
      !lines.empty() && unsaid_.empty() &&
      std::count(lines.back().demands.begin(), lines.back().demands.end(), "nothing-left") > 0 &&
      (Uses("fakenic_fail_call") ||
       (what_.broken && what_.broken->allowed.rfind("after everything", 0) == 0));
  if (leaks) {
    Add("now = \"what is alive after everything was deleted\";");
    Add("struct fakenic_counts alive_now = alive();");
    Add("judge(memcmp(&alive_before, &alive_now, offsetof(struct fakenic_counts, sends_posted)) == "
        "0, "
        "\"what was alive before\", 0);");
  }
  std::string text;
  for (const char* name : {"log", "log2"})
    if (Uses(name + std::string("_of_the_case"))) {
      std::string function = kLogFunctions;
      text += function.replace(function.find("log_of"), 3, name);
    }
  if (Uses("number(")) text += kNumber;
  if (Uses("judge(readable(") || Uses("judge(!readable(")) text += kReadableInC;
  if (leaks) text += kCounts;
  if (Uses("memcpy(before")) text += "\nstatic unsigned char before[9][1024];\n";
  text += Uses("addr") || Uses("port") ? "\nint main(int argc, char **argv)\n{\n"
                                       : "\nint main(void)\n{\n";
  const bool takes = Uses("addr") || Uses("port");
  if (takes) text += "\tconst char *addr = argc > 1 ? argv[1] : \"127.0.0.1\";\n";
  if (takes)
    text += "\tconst char *port = argc > 2 ? argv[2] : \"7471\";\n\t(void)addr;\n\t(void)port;\n";
  if (Uses(" mem"))
    text += "\tstatic uint64_t words[2048];\n\tunsigned char *mem = (unsigned char *)words;\n";
  for (const auto& [name, declaration] : declared_)
    if (declaration.find("private_bytes") != std::string::npos) {
      text +=
          "\tstatic unsigned char private_bytes[256];\n"
          "\tfor (int i = 0; i < 256; ++i)\n\t\tprivate_bytes[i] = (unsigned char)(i + 1);\n";
      break;
    }
  for (const auto& [name, declaration] : declared_) text += "\t" + declaration + "\n";
  if (Uses("code = ")) text += "\tint code;\n";
  if (leaks || Uses("FAKENIC("))
    text +=
        "\tif (FAKENIC(fakenic_fail_call) == NULL) {\n"
        "\t\tputs(\"this needs the fake NIC: fakenic run\");\n\t\treturn 3;\n\t}\n";
  if (leaks) text += "\tstruct fakenic_counts alive_before = alive();\n";
  text += "\tsignal(SIGALRM, gave_up);\n\talarm(10);\n\n";
  return text + body_ + "\n" + End();
}

}  // namespace

std::string ScriptInC(const CaseInC& what, const std::vector<TraceEvent>& events) {
  return HeadInC(what, Writer(what).Write(LinesOf(events)));
}

}  // namespace conformance
