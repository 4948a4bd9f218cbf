#include "property_tests/runner/run_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "property_tests/worker/board.h"

namespace conformance {

namespace {

constexpr char kBoardEnding[] = ".board";

// The bytes of a board, or nothing if the file has none.
std::vector<char> ReadBoard(const std::filesystem::path& file) {
  std::vector<char> bytes(sizeof(Board));
  std::ifstream in(file, std::ios::binary);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) bytes.clear();
  return bytes;
}

std::string LineOf(const std::filesystem::path& file) {
  const std::vector<char> bytes = ReadBoard(file);
  if (bytes.empty()) return "";
  const Board& board = *reinterpret_cast<const Board*>(bytes.data());
  const std::size_t rule = board.rule;
  std::string line = board.part.data();
  if (board.text[0] != '\0')
    line += ", in the case " + std::string(board.text.data());
  else
    line += ", in case " + std::to_string(board.position) + " of its list";
  if (rule < spec::Catalogue().size())
    line += ", about " + std::string(spec::Catalogue()[rule]->id);
  return line;
}

}  // namespace

RunFolder::RunFolder() {
  std::string path = (std::filesystem::temp_directory_path() / "rpma-conformance.XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr)
    throw std::runtime_error("a folder for what is running: " + path + ": " + std::strerror(errno));
  path_ = path;
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string BoardOf(const std::string& folder, const Part& part) {
  if (folder.empty()) return "";
  std::string name = part.name();
  for (char& c : name)
    if (c == ' ' || c == '/') c = '_';
  return folder + "/" + name + kBoardEnding;
}

std::string ReportOf(const std::string& folder) { return folder + "/report.json"; }

const spec::Rule* RuleOnTrialOn(const std::string& board_file) {
  const std::vector<char> bytes = ReadBoard(board_file);
  if (bytes.empty()) return nullptr;
  const Board& board = *reinterpret_cast<const Board*>(bytes.data());
  const Phase phase = board.phase;
  const bool judging = phase != Phase::kIdle && phase != Phase::kSetUp;
  const std::size_t rule = board.rule;
  return judging && rule < spec::Catalogue().size() ? spec::Catalogue()[rule] : nullptr;
}

std::vector<std::string> WhatWasRunning(const std::string& folder) {
  std::vector<std::string> lines;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == kBoardEnding)
      if (std::string line = LineOf(entry.path()); !line.empty()) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace conformance
