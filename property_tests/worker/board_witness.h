// A witness that counts on the board what the model tells it, and keeps what the case has broken.
#pragma once

#include <optional>
#include <utility>

#include "property_tests/worker/board.h"
#include "spec/model/witness.h"

namespace conformance {

class BoardWitness : public spec::model::Witness {
 public:
  explicit BoardWitness(Board* board) : board_(board) {}

  void Tested(const spec::Rule* rule) final { Count(board_->tested[numbers_.of(rule)]); }
  bool strict() const final { return board_->strict; }

 protected:
  // The first finding ends a case. One about a should-rule does not, so that nothing hides behind
  // it, and is told if it stays the only one.
  std::optional<spec::model::Finding>& PlaceOf(const spec::model::Finding& finding) {
    return finding.blame[0]->force == spec::Force::kShould ? lesser_finding_ : finding_;
  }
  std::optional<spec::model::Finding> TakeFinding() {
    return std::exchange(finding_ ? finding_ : lesser_finding_, std::nullopt);
  }
  void ForgetFindings() {
    finding_.reset();
    lesser_finding_.reset();
  }

  Board* board_;
  RuleNumbers numbers_;
  std::optional<spec::model::Finding> finding_;

 private:
  void Noted(const spec::Rule* rule, spec::model::Sight sight) final {
    Count(board_->seen[numbers_.of(rule)][static_cast<std::size_t>(sight)]);
  }

  std::optional<spec::model::Finding> lesser_finding_;
};

}  // namespace conformance
