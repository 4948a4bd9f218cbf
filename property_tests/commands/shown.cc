#include "property_tests/commands/shown.h"

#include <cstdlib>
#include <iostream>

#include "spec/catalogue.h"

namespace conformance {

void Shown::Add(const TraceEvent& e) {
  if (called_ && e.kind == event::kReturn) {
    std::cout << " -> " << e.text << std::endl;
    called_ = false;
    return;
  }
  End();
  std::cout << Line(e);
  called_ = e.kind == event::kCall || e.kind == event::kSuite;
  if (!called_) std::cout << '\n';
  std::cout << std::flush;
}

void Shown::End() {
  if (called_) std::cout << std::endl;
  called_ = false;
}

void ShowPass() { std::cout << "verdict PASS: every outcome is allowed" << std::endl; }

void ShowRule(const char* verdict, const spec::Rule& rule) {
  std::cout << "verdict " << verdict << ' ' << rule.id << '\n'
            << "rule    " << rule.page << ", " << rule.section
            << (rule.force == spec::Force::kShould ? ", should" : "") << ": " << rule.sentence
            << std::endl;
}

void ShowFinding(const std::vector<std::string>& finding) {
  ShowRule("FAIL", *spec::Catalogue()[std::strtoul(finding[1].c_str(), nullptr, 10)]);
  std::cout << "allowed " << finding[3] << "\nseen    " << finding[4] << std::endl;
}

}  // namespace conformance
