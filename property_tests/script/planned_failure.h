// The one failure that a script has planned: of a verb or RDMA CM function, which the fake NIC
// makes fail, or of an allocation, which fails on any NIC.
#pragma once

#include <optional>
#include <string>

#include "property_tests/script/allocation_faults.h"
#include "property_tests/worker/fake_control.h"
#include "spec/model/call_judge.h"

namespace conformance {

class PlannedFailure {
 public:
  // `library`: of dlopen. `fake`: nullptr if the NIC is not the fake.
  PlannedFailure(void* library, const FakeControl* fake) : fake_(fake), allocation_(library) {}

  // Whether this verb, RDMA CM or allocation function can be made to fail here.
  bool CanFail(const std::string& name) const;

  // Its nth call from now fails with this errno; what was planned before is forgotten. False: this
  // NIC cannot be made to fail. Throws SetUpError if the fake knows no such function.
  bool Plan(const std::string& name, unsigned nth, int error);
  // What is planned and has not come about; "" if nothing is.
  const std::string& name() const { return name_; }

  // The failure, if it has come about since it was planned; once.
  std::optional<spec::model::Fault> TakeFired();

  // The nth call from now fails; 0: none does.
  unsigned left() const;

  void Clear();

 private:
  unsigned Fired() const;

  const FakeControl* fake_;
  AllocationFaults allocation_;
  std::string name_;
  int error_ = 0;
  unsigned fired_before_ = 0;
};

}  // namespace conformance
