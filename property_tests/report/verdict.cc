#include "property_tests/report/verdict.h"

namespace conformance {

namespace {

enum class Sense { kGood, kBroken, kSkip };

struct Row {
  std::string_view name;
  Sense sense;
};

// In the order of the verdicts.
constexpr Row kRows[kVerdictCount] = {
    {"PASS", Sense::kGood},         {"FAIL", Sense::kBroken},      {"CRASH", Sense::kBroken},
    {"TIMEOUT", Sense::kBroken},    {"EXIT", Sense::kBroken},      {"MEMORY", Sense::kBroken},
    {"OUTPUT", Sense::kBroken},     {"MISSING", Sense::kBroken},   {"FLAKY", Sense::kBroken},
    {"INCONCLUSIVE", Sense::kSkip}, {"UNSUPPORTED", Sense::kSkip}, {"MOOT", Sense::kGood},
    {"DISABLED", Sense::kSkip},     {"XFAIL", Sense::kGood},       {"XPASS", Sense::kBroken},
    {"SEEN", Sense::kGood},         {"ENVIRONMENT", Sense::kSkip}, {"INTERNAL", Sense::kSkip}};

const Row& RowOf(Verdict verdict) { return kRows[static_cast<int>(verdict)]; }

}  // namespace

std::string_view NameOf(Verdict verdict) { return RowOf(verdict).name; }

std::optional<Verdict> FindVerdict(std::string_view name) {
  for (int i = 0; i < kVerdictCount; ++i)
    if (kRows[i].name == name) return static_cast<Verdict>(i);
  return std::nullopt;
}

bool IsBroken(Verdict verdict) { return RowOf(verdict).sense == Sense::kBroken; }
bool IsSkip(Verdict verdict) { return RowOf(verdict).sense == Sense::kSkip; }

}  // namespace conformance
