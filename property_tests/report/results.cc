#include "property_tests/report/results.h"

#include <algorithm>

namespace conformance {

void Results::Add(Charge charge) {
  const auto found = charges_.find(charge.blame);
  if (found == charges_.end())
    charges_.emplace(charge.blame, std::move(charge));
  else if (charge.text.size() < found->second.text.size())
    found->second = std::move(charge);
}

void Results::Replace(const std::vector<const spec::Rule*>& blame, Charge charge) {
  charges_.erase(blame);
  Add(std::move(charge));
}

std::set<const spec::Rule*> Results::OnTheirOwn() const {
  std::set<const spec::Rule*> own;
  for (const auto& [blame, charge] : charges_)
    if (blame.size() == 1) own.insert(blame[0]);
  return own;
}

const spec::Rule* Results::Resolve(const std::vector<const spec::Rule*>& blame) const {
  const std::set<const spec::Rule*> charged = broken();
  for (const spec::Rule* rule : blame)
    if (charged.count(rule) > 0) return nullptr;
  return blame[0];
}

const Charge* Results::Against(const spec::Rule* rule) const {
  const auto own = charges_.find({rule});
  if (own != charges_.end()) return &own->second;
  const std::set<const spec::Rule*> others = OnTheirOwn();
  const Charge* smallest = nullptr;
  for (const auto& [blame, charge] : charges_) {
    if (blame[0] != rule) continue;
    const bool explained =
        std::any_of(blame.begin(), blame.end(), [&](auto* r) { return others.count(r) > 0; });
    if (explained || (smallest != nullptr && smallest->text.size() <= charge.text.size())) continue;
    smallest = &charge;
  }
  return smallest;
}

std::set<const spec::Rule*> Results::broken() const {
  std::set<const spec::Rule*> rules;
  for (const auto& [blame, charge] : charges_)
    if (Against(blame[0]) != nullptr) rules.insert(blame[0]);
  return rules;
}

Verdict VerdictOn(const spec::Rule* rule, const Results& results, std::uint64_t tested,
                  bool function_missing) {
  if (function_missing && spec::IsDemand(*rule)) return Verdict::kMissing;
  if (const Charge* charge = results.Against(rule)) switch (charge->how) {
      case Ending::kCrashed:
        return Verdict::kCrash;
      case Ending::kExited:
        return Verdict::kExit;
      case Ending::kTimedOut:
        return Verdict::kTimeout;
      case Ending::kTooMuchMemory:
        return Verdict::kMemory;
      case Ending::kTooMuchOutput:
        return Verdict::kOutput;
      default:
        return Verdict::kFail;
    }
  if (!spec::IsDemand(*rule)) return Verdict::kSeen;
  return tested > 0 ? Verdict::kPass : Verdict::kInconclusive;
}

}  // namespace conformance
