// Judges one call of a function against its page.
#pragma once

#include <string>

#include "spec/call_page.h"
#include "spec/model/witness.h"

namespace spec::model {

// A planned failure that fired inside the call.
struct Fault {
  std::string call;
  int error = 0;
};

// What a page's `succeeded` and `failed` see and say.
class Outcome {
 public:
  Outcome(const Call& call, std::int64_t returned, const Fault* fault, Witness* witness)
      : call_(call), returned_(returned), fault_(fault), witness_(witness) {}

  const Call& call() const { return call_; }
  const Argument& operator[](std::size_t i) const { return call_[i]; }
  World& world() const { return *call_.world; }
  int code() const { return static_cast<int>(returned_); }
  std::string_view text() const { return reinterpret_cast<const char*>(returned_); }
  bool returned_null() const { return returned_ == 0; }
  // Whether this call failed inside, as planned; without a name: whether any did.
  bool faulted(std::string_view call = {}) const {
    return fault_ != nullptr && (call.empty() || fault_->call == call);
  }

  // `holds` is what the rule demands of this call. `promise`: another rule that may be the broken
  // one, or nullptr.
  void Expect(const Rule* rule, bool holds, const std::string& allowed, const std::string& seen,
              const Rule* promise = nullptr);
  // *argument is now this number.
  void ExpectOut(const Rule* rule, std::size_t argument, std::uint64_t wanted,
                 const Rule* promise = nullptr);
  // The `size` bytes from `offset` on that argument points to are this number, little-endian.
  void ExpectBytes(const Rule* rule, std::size_t argument, std::size_t offset, std::size_t size,
                   std::uint64_t wanted);
  // Of what argument points to, nothing beyond its first `size` bytes has changed.
  void ExpectBounded(const Rule* rule, std::size_t argument, std::size_t size);
  // *argument is now this property of the object behind argument 0. If a setter set the property,
  // its rule is on trial too.
  void ExpectProperty(const Rule* rule, std::size_t argument, std::string_view property);
  // *argument is now the handle of a new object, which is returned; nullptr if it is not.
  Thing* Made(const Rule* rule, std::size_t argument, std::string_view type);
  // *argument was a handle; it is NULL now and its object is gone.
  void Ended(const Rule* rule, std::size_t argument);
  // The call failed, and *argument is the handle that it was, so that it can be repeated. A handle
  // that is gone all the same takes its object along.
  void Kept(const Rule* rule, std::size_t argument);
  // What was seen where the page leaves the outcome open.
  void Saw(const Rule* rule, Sight sight);
  void Demanded(const Demand& demand) { witness_->Demanded(demand); }
  bool broke() const { return broke_; }
  bool kept() const { return kept_; }

 private:
  const Call& call_;
  std::int64_t returned_;
  const Fault* fault_;
  Witness* witness_;
  bool broke_ = false;
  bool kept_ = false;  // the object that the call did not end is as it was
};

// The rule that a call puts on trial before any other.
const Rule* RuleOnTrial(const CallPage& page, const Call& call);

// Judges what `call` returned. `fault`: nullptr if no planned failure fired inside it.
void Judge(const CallPage& page, const Call& call, std::int64_t returned, const Fault* fault,
           Witness* witness);

}  // namespace spec::model
