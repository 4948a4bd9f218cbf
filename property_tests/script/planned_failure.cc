#include "property_tests/script/planned_failure.h"

#include <cerrno>

#include "property_tests/worker/rig.h"

namespace conformance {

bool PlannedFailure::CanFail(const std::string& name) const {
  if (AllocationFaults::Knows(name)) return true;
  if (fake_ == nullptr || !fake_->FailCall(name, 1, EIO)) return false;
  fake_->ClearFaults();
  return true;
}

bool PlannedFailure::Plan(const std::string& name, unsigned nth, int error) {
  Clear();
  if (AllocationFaults::Knows(name))
    allocation_.Plan(name, nth);
  else if (fake_ == nullptr)
    return false;
  else if (!fake_->FailCall(name, nth, error))
    throw SetUpError("fault '" + name + "': the fake NIC cannot make it fail");
  name_ = name;
  error_ = error;
  fired_before_ = Fired();
  return true;
}

unsigned PlannedFailure::Fired() const {
  return AllocationFaults::Knows(name_) ? allocation_.fired() : fake_->Fired(name_);
}

unsigned PlannedFailure::left() const {
  if (name_.empty()) return 0;
  return AllocationFaults::Knows(name_) ? allocation_.left(name_) : fake_->FaultLeft(name_);
}

std::optional<spec::model::Fault> PlannedFailure::TakeFired() {
  if (name_.empty() || Fired() == fired_before_) return std::nullopt;
  const spec::model::Fault fault{name_, error_};
  name_.clear();
  return fault;
}

void PlannedFailure::Clear() {
  if (fake_ != nullptr) fake_->ClearFaults();
  allocation_.Clear();
  name_.clear();
}

}  // namespace conformance
