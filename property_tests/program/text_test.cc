#include "property_tests/program/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "property_tests/page_checks.h"
#include "property_tests/program/generator.h"

namespace conformance {

std::ostream& operator<<(std::ostream& out, const Program& program) {
  return out << Print(program);
}

namespace {

std::string ErrorOf(std::string_view text) {
  const std::variant<Program, ParseError> parsed = Parse(text);
  const ParseError* error = std::get_if<ParseError>(&parsed);
  return error != nullptr ? error->sentence : "";
}

RC_GTEST_PROP(Text, ParsingUndoesPrinting, ()) {
  const Program program = *ArbitraryText();
  const std::variant<Program, ParseError> parsed = Parse(Print(program));
  RC_ASSERT(std::holds_alternative<Program>(parsed));
  RC_ASSERT(std::get<Program>(parsed) == program);
}

TEST(Text, ReadsWhatAHumanWrites) {
  const std::variant<Program, ParseError> parsed = Parse(
      "sq=4 schedule=manual ; write dst=D+8 len=16 flags=ON_ERROR ctx=0x7;poll 2; server.dereg "
      "D;drain");

  ASSERT_TRUE(std::holds_alternative<Program>(parsed)) << std::get<ParseError>(parsed).sentence;
  const Program& program = std::get<Program>(parsed);
  EXPECT_EQ(program.config.sq, 4u);
  EXPECT_EQ(program.config.schedule, Schedule::kManual);
  ASSERT_EQ(program.steps.size(), 4u);
  EXPECT_EQ(program.steps[0].remote_offset, 8u);
  EXPECT_EQ(program.steps[0].len, 16u);
  EXPECT_EQ(program.steps[0].flags, 1);
  EXPECT_EQ(program.steps[1].number, 2u);
  EXPECT_EQ(program.steps[2].side, Side::kServer);
}

TEST(Text, ASeededScheduleHasItsSeed) {
  const std::variant<Program, ParseError> parsed = Parse("schedule=seeded:0xabc; drain");

  ASSERT_TRUE(std::holds_alternative<Program>(parsed)) << std::get<ParseError>(parsed).sentence;
  const Config& config = std::get<Program>(parsed).config;
  EXPECT_EQ(config.schedule, Schedule::kSeeded);
  EXPECT_EQ(config.seed, 0xabcu);
  EXPECT_EQ(Print(std::get<Program>(parsed)), "schedule=seeded:2748; drain");
  for (const char* bad : {"seeded", "seeded:", "seeded:0x100000000", "manual:1", "lazy"})
    EXPECT_NE(ErrorOf(std::string("schedule=").append(bad).append("; drain")), "") << bad;
}

TEST(Text, NamesTheWordItCannotRead) {
  EXPECT_EQ(ErrorOf("write dst=E+8"), "case: 'write dst=E+8': cannot read 'dst=E+8'");
  EXPECT_EQ(ErrorOf("wrote"), "case: 'wrote': cannot read 'wrote'");
  EXPECT_EQ(ErrorOf("poll; write len=1x"), "case: 'write len=1x': cannot read 'len=1x'");
  EXPECT_EQ(ErrorOf("sq=0; poll"), "case: 'sq=0': cannot read 'sq=0'");
  EXPECT_EQ(ErrorOf(""), "case: no step");
}

// What one page runs by default.
TEST(ArbitraryProgram, MeetsManySeedsOfTheNicsSchedule) {
  std::set<std::uint32_t> seeds;
  int by_hand = 0;
  for (int i = 0; i < 3000; ++i) {
    const rc::Random random(i);
    const Config config = ArbitraryProgram(ProgramShape())(random, 50).value().config;
    if (config.schedule == Schedule::kSeeded) seeds.insert(config.seed);
    if (config.schedule == Schedule::kManual) ++by_hand;
  }

  EXPECT_GT(seeds.size(), 500u);
  EXPECT_GT(by_hand, 1000);
}

TEST(Text, EveryRegisteredSequenceCanBeRead) {
  for (const PageChecks* checks : kAllChecks)
    for (const char* text : checks->sequences) EXPECT_EQ(ErrorOf(text), "") << text;
}

}  // namespace

}  // namespace conformance
