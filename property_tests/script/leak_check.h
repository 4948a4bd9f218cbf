// Whose rule is broken when objects are left alive after a script and its clean-up.
#pragma once

#include <vector>

#include "spec/call_page.h"

namespace conformance {

class LeakCheck {
 public:
  void Begin() { *this = {}; }

  void Called(const spec::CallPage* page) { called_.push_back(page); }  // by the script proper
  void Failed(const spec::CallPage* page) {
    failed_.push_back(page);
  }  // a failure came about in it
  void CleanedUp(const spec::CallPage* page) { cleaned_.push_back(page); }  // it deleted a leftover

  // The rule on trial: of the call that failed, or of the last one; nullptr if none promises it.
  const spec::Rule* OnTrial() const;
  // That rule, and the others that may explain what is left: those that end something, and without
  // a failure whatever the script calls, and what cleans up behind a call that ends nothing itself;
  // behind a failure that is the end of what was made later.
  std::vector<const spec::Rule*> Blame() const;

 private:
  std::vector<const spec::Rule*> Subjects() const;

  std::vector<const spec::CallPage*> failed_;
  std::vector<const spec::CallPage*> called_;
  std::vector<const spec::CallPage*> cleaned_;
};

}  // namespace conformance
