// Runs behind the tests of single bugs, and makes the table of what they wrote.
#include "property_tests/planted_bugs/catch_table.h"

#include <gtest/gtest.h>

#include <fstream>

#include "spec/catalogue.h"

namespace conformance {

namespace {

TEST(PlantedTable, EveryRuleThatCanBeBrokenHasABugThatIsCaught) {
  std::ofstream table(TableFile());
  table << "rule,library,turn,caught,charged\n";
  int caught = 0;
  for (const spec::Rule* rule : spec::Catalogue()) {
    if (!spec::IsDemand(*rule)) continue;
    const std::optional<CatchRow> row = ReadRow(std::string(rule->id));
    EXPECT_TRUE(row.has_value()) << rule->id
                                 << ": no bug of it was judged since the suite was built";
    if (!row) continue;
    EXPECT_TRUE(row->caught) << rule->id << ": its bug is not caught, charged is: " << row->charged;
    table << row->rule << ',' << row->library << ',' << row->turn << ','
          << (row->caught ? "yes" : "no") << ',' << row->charged << '\n';
    caught += row->caught ? 1 : 0;
  }
  std::cout << caught << " rules, each with a bug that is caught: " << TableFile() << '\n';
}

TEST(PlantedTable, ARuleWithoutARowIsNoticed) {
  EXPECT_FALSE(ReadRow("rpma_write.no-such-rule").has_value());
}

}  // namespace

}  // namespace conformance
