// The steps of a program as C, one after another, and what they need around them.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "property_tests/as_c/c_program.h"
#include "property_tests/program/meaning.h"

namespace conformance {

// How a finding begins whose C program counts work requests.
inline constexpr std::string_view kPostsNothing = "posts nothing";

const char* NameOfEnd(Side side);

class StepsInC {
 public:
  StepsInC(const CaseInC& what, const Program& program) : what_(what), program_(program) {}

  void Write();

  const std::string& body() const { return body_; }
  // The steps that go before this end is connected.
  const std::string& early(Side side) const { return early_[static_cast<int>(side)]; }
  // The regions of each end that the steps name, in lower case.
  const std::set<std::pair<Side, std::string>>& regions() const { return regions_; }
  bool tells_direct_write() const { return !direct_write_.empty(); }
  // Whether what memory holds at the end follows from the steps alone.
  bool judges_bytes() const;

 private:
  void Do(const Step& step);
  void Post(const Step& step);
  void JudgeRefusals(const spec::Refusals& refusals);
  void Accept(const Step& step, const spec::model::Operation& operation, bool may_fail);
  void MessageFor(const Step& receive);
  void Alternate(const Step& step);
  void Expect(const Step& step);
  std::string Call(const Step& step);
  std::string RemoteOf(const Step& step);
  std::string LocalOf(const Step& step);
  std::string Region(Side side, const std::string& name);
  void DirectWrite(const Step& step);
  void FailNext(const Step& step);
  void Add(const std::string& text) { *out_ += "\t" + text + "\n"; }
  void Say(const Step& step);

  const CaseInC& what_;
  const Program& program_;
  std::set<std::pair<Side, std::string>> regions_;
  std::set<Side> direct_write_;
  std::set<Side> gone_;  // ends that have deregistered D
  bool bytes_known_ = true;
  int fault_ = 0;
  std::string body_;
  std::string early_[2];
  std::string* out_ = &body_;
};

}  // namespace conformance
