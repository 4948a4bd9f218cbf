#include "property_tests/worker/board.h"

#include <algorithm>
#include <functional>

namespace conformance {

void Write(std::array<char, kBoardText>& field, std::string_view text) {
  const std::size_t size = std::min(text.size(), field.size() - 1);
  std::copy_n(text.begin(), size, field.begin());
  std::fill(field.begin() + static_cast<std::ptrdiff_t>(size), field.end(), '\0');
}

RuleNumbers::RuleNumbers() {
  for (std::size_t i = 0; i < spec::Catalogue().size(); ++i)
    sorted_.emplace_back(spec::Catalogue()[i], i);
  std::sort(sorted_.begin(), sorted_.end(),
            [](const auto& a, const auto& b) { return std::less<>{}(a.first, b.first); });
}

std::size_t RuleNumbers::of(const spec::Rule* rule) const {
  const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), rule,
                                      [](const auto& entry, const auto* wanted) {
                                        return std::less<const spec::Rule*>{}(entry.first, wanted);
                                      });
  return found->second;
}

}  // namespace conformance
