// Every form of report, of one small run in which each kind of verdict occurs.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>

#include "property_tests/report/text_report.h"
#include "property_tests/report/writers.h"

namespace conformance {

namespace {

RuleResult Rule(const char* id, Verdict verdict, const char* reason = "") {
  RuleResult rule;
  rule.rule = id;
  rule.page = "rpma_write(3)";
  rule.section = "ERRORS";
  rule.force = "must";
  rule.sentence = "A write <without> a connection is refused & nothing else.";
  rule.verdict = verdict;
  rule.reason = reason;
  rule.cases = 7;
  return rule;
}

RunResult SmallRun() {
  RuleResult broken = Rule("rpma_write.conn-null", Verdict::kCrash);
  broken.was_broken = true;
  broken.counterexample = {"write conn=NULL",
                           "RPMA_E_INVAL",
                           "crashed </script> #1 | \x01\xff",
                           "rpma_write+0x1 in librpma.so.0\n",
                           "assertion\n",
                           "rpma-conformance replay 'write conn=NULL'",
                           1,
                           1,
                           {{"client", "call", "write conn=NULL"}}};
  RuleResult seen = Rule("rpma_write.zero", Verdict::kSeen);
  seen.sightings = {{3, "accepted"}};
  StackResult stack;
  stack.library = "/lib/librpma.so.0";
  stack.nic = "fake";
  stack.rules = {Rule("rpma_write.dst-null", Verdict::kPass), broken,
                 Rule("rpma_read.kept", Verdict::kUnsupported, "only the fake # has it"),
                 Rule("rpma_read.held", Verdict::kExpected, "expected: known"), seen};
  RunResult run;
  run.suite = "1";
  run.mode = "ci";
  run.seed = 7;
  run.selection = "all rules";
  run.environment = {{"system", "Linux"}};
  run.stacks = {stack};
  run.seconds = 1.5;
  return run;
}

using Json = nlohmann::json;

std::set<std::string> Keys(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

// The small run with every field that may be left out.
RunResult FullRun() {
  RunResult run = SmallRun();
  StackResult& stack = run.stacks[0];
  stack.sentence = "interrupted";
  stack.unfinished = {"lives"};
  stack.rules[1].reason = "known";
  stack.rules[1].link = "issue 12";
  stack.rules[1].sightings = {{3, "accepted"}};
  return run;
}

TEST(Reports, JsonHasTheFieldsOfItsSchemaAndNoOthers) {
  const Json schema = Json::parse(std::ifstream(CONFORMANCE_REPORT_SCHEMA));
  const Json run = Json::parse(ToJson(FullRun()));
  const Json& stack = run["stacks"][0];
  const Json& rule = stack["rules"][1];
  const Json& definitions = schema["$defs"];
  const auto expect_same = [](const Json& object, const Json& description) {
    EXPECT_EQ(Keys(object), Keys(description["properties"]));
  };
  expect_same(run, schema);
  expect_same(run["times"], schema["properties"]["times"]);
  expect_same(stack, definitions["stack"]);
  expect_same(rule, definitions["rule"]);
  expect_same(rule["seen"][0], definitions["rule"]["properties"]["seen"]["items"]);
  expect_same(rule["counterexample"], definitions["counterexample"]);
  expect_same(rule["counterexample"]["replays"],
              definitions["counterexample"]["properties"]["replays"]);
  EXPECT_EQ(ToJson(RunResultOf(run.dump())), ToJson(FullRun()));
}

// Reports of before have neither of these.
TEST(Reports, OlderJsonCanBeRead) {
  Json old = Json::parse(ToJson(SmallRun()));
  old.erase("strict");
  old.erase("should_rules_left_out");
  old["stacks"][0].erase("ends");
  old["stacks"][0].erase("in_one_process");
  EXPECT_EQ(RunResultOf(old.dump()).stacks[0].ends, "one process");
  EXPECT_FALSE(RunResultOf(old.dump()).strict);
}

TEST(Reports, JsonKeepsTheWholeValue) {
  const std::string json = ToJson(SmallRun());
  EXPECT_EQ(ToJson(RunResultOf(json)), json);
  EXPECT_EQ(RunResultOf(json).stacks[0].rules[1].counterexample.trace,
            SmallRun().stacks[0].rules[1].counterexample.trace);
}

TEST(Reports, AJsonTextThatIsNoReportIsToldSo) {
  EXPECT_THROW(RunResultOf("{}"), std::runtime_error);
  EXPECT_THROW(RunResultOf("no json"), std::runtime_error);
  std::string other = ToJson(SmallRun());
  other.replace(other.find("\"CRASH\",\n"), 7, "\"CRUSH\"");
  EXPECT_THROW(RunResultOf(other), std::runtime_error);
}

TEST(Reports, JunitHasASuiteAPageAndACaseARule) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(ToJunit(SmallRun()).c_str()));
  const pugi::xml_node root = document.child("testsuites");
  const pugi::xml_node write = root.child("testsuite");

  EXPECT_EQ(root.attribute("tests").as_int(), 5);
  EXPECT_EQ(root.attribute("errors").as_int(), 1);
  EXPECT_STREQ(write.attribute("name").value(), "rpma_write: /lib/librpma.so.0 on fake");
  EXPECT_EQ(write.attribute("tests").as_int(), 3);
  const pugi::xml_node crashed = write.find_child_by_attribute("testcase", "name", "conn-null");
  EXPECT_STREQ(crashed.attribute("classname").value(), "rpma_write");
  EXPECT_STREQ(crashed.child("error").attribute("type").value(), "CRASH");
  EXPECT_NE(std::string(crashed.child("error").text().get()).find("replay: rpma-conformance"),
            std::string::npos);
  EXPECT_EQ(write.next_sibling("testsuite").attribute("skipped").as_int(), 2);
}

TEST(Reports, TapHasADirectiveForWhatIsNoPlainVerdict) {
  const std::string tap = ToTap(SmallRun());
  EXPECT_EQ(tap.rfind("TAP version 14\n1..5\n", 0), 0u) << tap;
  for (const char* line :
       {"ok 1 - rpma_write.dst-null\n", "not ok 2 - rpma_write.conn-null\n  ---\n",
        "ok 3 - rpma_read.kept # SKIP UNSUPPORTED: only the fake \\# has it\n",
        "not ok 4 - rpma_read.held # TODO expected: known\n", "ok 5 - rpma_write.zero\n"})
    EXPECT_NE(tap.find(line), std::string::npos) << line << tap;
}

TEST(Reports, MarkdownNamesWhatIsBrokenAndWhatWasSkippedAndWhy) {
  const std::string text = ToMarkdown(SmallRun());
  for (const char* part :
       {"1 rule is broken", "| CRASH | 1 |", "<code>rpma\x5fwrite.conn-null</code>",
        "| `rpma_read.kept` | UNSUPPORTED | only the fake # has it |"})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
}

TEST(Reports, NothingInTheDataCanEndTheScriptOfTheHtmlPage) {
  const std::string page = ToHtml(SmallRun());
  const std::size_t data = page.find("id=\"data\">");
  const std::size_t end = page.find("</script>", data);
  EXPECT_NE(page.substr(data, end - data).find("crashed \\u003c/script>"), std::string::npos);
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org/2000/svg"));
  EXPECT_EQ(page.find("https://"), std::string::npos);
}

TEST(Reports, TheExitStatusSaysWhatNeedsAttentionFirst) {
  RunResult run = SmallRun();
  EXPECT_EQ(ExitStatusOf(run, false), kExitBroken);
  run.stacks.push_back(run.stacks[0]);
  run.stacks[1].ending = "environment";
  EXPECT_EQ(ExitStatusOf(run, false), kExitEnvironment);
  run.stacks[1].ending = "internal";
  EXPECT_EQ(ExitStatusOf(run, false), kExitInternal);
  EXPECT_EQ(Conclusion(run.stacks[1]).rfind("internal error: ", 0), 0u);
  EXPECT_NE(Conclusion(run.stacks[1]).find("1 rule is broken: rpma_write.conn-null"),
            std::string::npos);
  run.stacks.pop_back();
  run.stacks[0].rules.erase(run.stacks[0].rules.begin() + 1);
  EXPECT_EQ(ExitStatusOf(run, false), kExitHolds);
  EXPECT_EQ(ExitStatusOf(run, true), kExitInconclusive);
}

TEST(Reports, EveryVerdictHasANameOfItsOwn) {
  for (int i = 0; i < kVerdictCount; ++i)
    EXPECT_EQ(FindVerdict(NameOf(static_cast<Verdict>(i))), static_cast<Verdict>(i));
  EXPECT_EQ(FindVerdict("GOOD"), std::nullopt);
}

}  // namespace

}  // namespace conformance
