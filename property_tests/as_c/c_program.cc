#include "property_tests/as_c/c_program.h"

namespace conformance {

namespace {

struct Include {
  const char* header;
  const char* needed_for;  // what of it the program's text has; nullptr: always included
};
constexpr Include kIncludes[] = {
    {"dlfcn.h", "FAKENIC("}, {"errno.h", "(E"},        {"fakenic.h", "FAKENIC("},
    {"fcntl.h", "fcntl("},   {"librpma.h", nullptr},   {"poll.h", "poll("},
    {"signal.h", nullptr},   {"stdbool.h", nullptr},   {"stddef.h", "offsetof("},
    {"stdint.h", nullptr},   {"stdio.h", nullptr},     {"stdlib.h", nullptr},
    {"string.h", nullptr},   {"time.h", "nanosleep("}, {"unistd.h", nullptr}};

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

constexpr char kFakeNic[] = R"(
/* The control functions of the fake NIC; other NICs have none. */
#define FAKENIC(function) ((__typeof__(&function))dlsym(RTLD_DEFAULT, #function))
)";

constexpr char kNow[] = R"(
static const char *now = "set-up"; /* what is being done */
)";

constexpr char kJudge[] = R"(
static void judge(int holds, const char *allowed, long long seen)
{
	printf("%s %s: allowed %s, seen %lld\n", holds ? "ok    " : "BROKEN", now, allowed, seen);
	if (!holds)
		exit(1);
}
)";

constexpr char kGaveUp[] = R"(
/* Of a call that does not come back. */
static void gave_up(int signal_number)
{
	(void)signal_number;
	printf("BROKEN %s: allowed to come back, seen to wait for 10 s\n", now);
	fflush(stdout);
	_exit(1);
}
)";

}  // namespace

std::string QuotedInC(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string CommentInC(std::string_view text) {
  std::string comment;
  for (std::size_t i = 0; i < text.size(); ++i) {
    comment += text[i];
    if (text[i] == '*' && i + 1 < text.size() && text[i + 1] == '/') comment += ' ';
    if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '*') comment += ' ';
  }
  return comment;
}

std::string EndInC(const std::string& unsaid) {
  if (unsaid.empty()) return "\tputs(\"every outcome is allowed\");\n\treturn 0;\n}\n";
  return "\tprintf(\"open   %s\\n\", " + QuotedInC("not judged here: " + unsaid) +
         ");\n\treturn 2;\n}\n";
}

std::string Unsaid(const Broken& broken) {
  return "allowed " + broken.allowed + ", seen " + broken.seen;
}

std::string HeadInC(const CaseInC& what, const std::string& body) {
  const bool fake = Has(body, "FAKENIC(");
  std::string head = "/*\n * " + CommentInC(what.text) + "\n *\n";
  if (what.broken) {
    const spec::Rule& rule = *what.broken->rule;
    head.append(" * rule     ").append(rule.page).append(", ").append(rule.section);
    head += rule.force == spec::Force::kShould ? ", should: " : ": ";
    head += CommentInC(rule.sentence) + "\n * allowed  " + CommentInC(what.broken->allowed);
    head += "\n * seen     " + CommentInC(what.broken->seen) + "\n *\n";
  }
  head += " * cc -o case case.c $(pkg-config --cflags --libs librpma";
  head += fake ? " fakenic)\n" : ")\n";
  head += " * fakenic run -- ./case\n *\n";
  head += fake ? " * It tells the fake NIC what to do, so it needs that one.\n"
               : " * On a machine with an RDMA device: ./case ADDRESS PORT\n";
  head +=
      " * Exit status: 0 every outcome is allowed, 1 one is not, 2 not all of it can be said in "
      "C,\n"
      " * 3 the NIC cannot do it.\n */\n";
  // g++ defines it by itself.
  head += fake ? "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n"
               : "#define _POSIX_C_SOURCE 200809L\n";
  for (const Include& include : kIncludes)
    if (include.needed_for == nullptr || Has(body, include.needed_for))
      head += std::string("#include <").append(include.header).append(">\n");
  if (fake) head += kFakeNic;
  head += kNow;
  if (Has(body, "judge(")) head += kJudge;
  return head + kGaveUp + body;
}

}  // namespace conformance
