// What the model tells while it watches a connection: which rules a case put to the test, what it
// saw where a page is silent, and which rule was broken.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "spec/rule.h"

namespace spec::model {

// What a library may be seen to do where its page leaves the outcome open.
enum class Sight {
  kRefusedInval,
  kRefusedProvider,
  kRefusedNosupp,
  kRefusedOtherwise,
  kSucceeded,  // accepted, completed with status success
  kFailed,     // accepted, completed with an error status
  kSilent,     // accepted, no completion
  kInOrder,
  kOutOfOrder,
  kAccepted,  // returned 0; nothing more can be seen of it
};
inline constexpr std::size_t kSightCount = 10;

constexpr std::string_view NameOf(Sight sight) {
  constexpr std::string_view kNames[kSightCount] = {"refused with RPMA_E_INVAL",
                                                    "refused with RPMA_E_PROVIDER",
                                                    "refused with RPMA_E_NOSUPP",
                                                    "refused with another code",
                                                    "accepted, completed with success",
                                                    "accepted, completed with an error",
                                                    "accepted, no completion",
                                                    "in posting order",
                                                    "out of posting order",
                                                    "accepted"};
  return kNames[static_cast<std::size_t>(sight)];
}

// A broken rule. The first of `blame` is charged, unless one of the others fails by a case of its
// own.
struct Finding {
  std::vector<const Rule*> blame;
  std::string allowed;  // every allowed outcome
  std::string seen;     // what happened
};

class Witness {
 public:
  virtual ~Witness() = default;
  virtual void Tested(const Rule* rule) = 0;
  virtual void Saw(const Rule* rule, Sight sight) = 0;
  virtual void Broke(Finding finding) = 0;
};

}  // namespace spec::model
