// The table of rule, planted bug, and whether the suite caught it. The tests of single bugs write
// its rows, each into a file of its own, as they may run side by side.
#pragma once

#include <optional>
#include <string>

namespace conformance {

struct CatchRow {
  std::string rule;
  std::string library;  // which has the bug planted
  int turn = 0;         // the call at which it acts, as PLANTED_CALL; 0: all of them
  bool caught = false;  // the suite charges it to the rule, and to no other
  std::string charged;  // what the suite says: verdicts and rules
};

void WriteRow(const CatchRow& row);

// The row of a rule; nothing if its bug was not judged by the program as it is now.
std::optional<CatchRow> ReadRow(const std::string& rule);

// Where the table is, as a file of comma-separated values.
std::string TableFile();

}  // namespace conformance
