// A witness for tests: keeps what the model says.
#pragma once

#include <string>
#include <vector>

#include "spec/model/witness.h"

namespace spec::model {

class Recorder final : public Witness {
 public:
  void Tested(const Rule* rule) override { tested.push_back(rule); }
  void Broke(Finding finding) override { findings.push_back(std::move(finding)); }
  bool strict() const override { return judges_should_rules; }

  // The rule that the first finding charges, without its page; "" if all is well.
  std::string broken() const {
    if (findings.empty()) return "";
    const std::string id(findings[0].blame[0]->id);
    return id.substr(id.find('.') + 1);
  }

  bool judges_should_rules = false;
  std::vector<const Rule*> tested;
  std::vector<std::pair<const Rule*, Sight>> seen;
  std::vector<Finding> findings;

 private:
  void Noted(const Rule* rule, Sight sight) override { seen.emplace_back(rule, sight); }
};

}  // namespace spec::model
