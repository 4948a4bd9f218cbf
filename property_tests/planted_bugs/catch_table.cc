#include "property_tests/planted_bugs/catch_table.h"

#include <filesystem>
#include <fstream>

namespace conformance {

namespace {

namespace fs = std::filesystem;

fs::path FileOf(const std::string& rule) { return fs::path(CONFORMANCE_TABLE) / (rule + ".row"); }

}  // namespace

void WriteRow(const CatchRow& row) {
  std::error_code exists;
  fs::create_directories(CONFORMANCE_TABLE, exists);
  std::ofstream out(FileOf(row.rule));
  out << row.library << '\n' << row.turn << '\n' << row.caught << '\n' << row.charged << '\n';
}

std::optional<CatchRow> ReadRow(const std::string& rule) {
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(FileOf(rule), error);
  if (error || written < fs::last_write_time(CONFORMANCE_PROGRAM)) return std::nullopt;
  CatchRow row{rule, "", 0, false, ""};
  std::ifstream in(FileOf(rule));
  std::getline(in, row.library);
  in >> row.turn >> row.caught >> std::ws;
  std::getline(in, row.charged);
  return row;
}

std::string TableFile() { return std::string(CONFORMANCE_TABLE) + "/table.csv"; }

}  // namespace conformance
