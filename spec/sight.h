// What a library may be seen to do where its page leaves the outcome open.
#pragma once

#include <cstddef>
#include <string_view>

namespace spec::model {

enum class Sight {
  kRefusedInval,
  kRefusedProvider,
  kRefusedNosupp,
  kRefusedNoEvent,
  kRefusedOtherwise,
  kSucceeded,  // accepted, completed with status success
  kFailed,     // accepted, completed with an error status
  kSilent,     // accepted, no completion
  kInOrder,
  kOutOfOrder,
  kAccepted,  // returned 0; nothing more can be seen of it
};
inline constexpr std::size_t kSightCount = 11;

constexpr std::string_view NameOf(Sight sight) {
  constexpr std::string_view kNames[kSightCount] = {"refused with RPMA_E_INVAL",
                                                    "refused with RPMA_E_PROVIDER",
                                                    "refused with RPMA_E_NOSUPP",
                                                    "refused with RPMA_E_NO_EVENT",
                                                    "refused with another code",
                                                    "accepted, completed with success",
                                                    "accepted, completed with an error",
                                                    "accepted, no completion",
                                                    "in posting order",
                                                    "out of posting order",
                                                    "accepted"};
  return kNames[static_cast<std::size_t>(sight)];
}

}  // namespace spec::model
