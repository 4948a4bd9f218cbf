#include "property_tests/script/leak_check.h"

#include <algorithm>

#include "property_tests/script/deleters.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

void Add(std::vector<const spec::Rule*>& blame, const spec::CallPage* page) {
  if (page->releases != nullptr &&
      std::find(blame.begin(), blame.end(), page->releases) == blame.end())
    blame.push_back(page->releases);
}

}  // namespace

std::vector<const spec::Rule*> LeakCheck::Subjects() const {
  std::vector<const spec::Rule*> subjects;
  for (const spec::CallPage* page : failed_) Add(subjects, page);
  for (std::size_t i = called_.size(); i-- > 0 && subjects.empty();) Add(subjects, called_[i]);
  return subjects;
}

const spec::Rule* LeakCheck::OnTrial() const {
  const std::vector<const spec::Rule*> subjects = Subjects();
  return subjects.empty() ? nullptr : subjects[0];
}

std::vector<const spec::Rule*> LeakCheck::Blame() const {
  std::vector<const spec::Rule*> blame = Subjects();
  const bool failed = !failed_.empty();
  const bool subject_ends = IsDeleter(spec::FunctionOf(blame[0]));
  for (const spec::CallPage* page : called_)
    if (!failed || IsDeleter(page->function)) Add(blame, page);
  for (const spec::CallPage* page : cleaned_)
    if (failed || !subject_ends) Add(blame, page);
  return blame;
}

}  // namespace conformance
