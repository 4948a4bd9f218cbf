#include "property_tests/commands/corpus.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "property_tests/commands/cases.h"
#include "property_tests/commands/selection.h"

namespace conformance {

namespace {

// What librpma 1.2.0 and ports have failed by; the rule is the one that it showed.
constexpr const char* kPastFailures[] = {
    // rpma_write.length-whole: the length was cut to 32 bits
    "write dst=D+0 src=S+0 len=0x100000000 flags=ALWAYS ctx=0x7",
    // rpma_mr_advise.mr-null: a crash
    "rpma_mr_advise(NULL, 0, 8, IBV_ADVISE_MR_ADVICE_PREFETCH, 0)",
    // rpma_srq_cfg_get_rq_size.value: another default than the page's
    "rpma_srq_cfg_new(&cfg); rpma_srq_cfg_get_rq_size(cfg, &size)",
};

std::string CaseIn(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw UsageError(file.string() + ": cannot be read");
  std::string text;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (!text.empty()) throw UsageError(file.string() + ": expected one case, on one line");
    text = line;
  }
  const std::variant<std::string, ParseError> normal = Normalised(text);
  if (const ParseError* error = std::get_if<ParseError>(&normal))
    throw UsageError(file.string() + ": " + error->sentence);
  return std::get<std::string>(normal);
}

}  // namespace

std::vector<std::string> Corpus(const std::string& folder) {
  std::vector<std::string> cases(std::begin(kPastFailures), std::end(kPastFailures));
  if (folder.empty() || !std::filesystem::exists(folder)) return cases;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".case") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) cases.push_back(CaseIn(file));
  return cases;
}

void AddToCorpus(const std::string& folder, const RunResult& run) {
  std::filesystem::create_directories(folder);
  for (const StackResult& stack : run.stacks)
    for (const RuleResult& rule : stack.rules) {
      const std::string& text = rule.counterexample.text;
      if (!rule.was_broken || text.empty()) continue;
      const std::filesystem::path file = std::filesystem::path(folder) / (rule.rule + ".case");
      if (std::filesystem::exists(file) && CaseIn(file).size() <= text.size()) continue;
      std::ofstream out(file);
      out << "# " << rule.rule << ": " << rule.counterexample.seen << '\n' << text << '\n';
      if (!out.flush()) throw std::runtime_error(file.string() + ": cannot be written");
    }
}

}  // namespace conformance
