// What the pages of endpoints, requests, connections and completion queues have in common.
#pragma once

#include <librpma.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "spec/call_families.h"

namespace spec {

// A page that asks for a descriptor: int get(const T *object, int *fd). Whether it is the right one
// shows when something is due.
template <Literal kFunction, Literal kObject, Literal kName, Literal kSentence>
struct DescriptorFamily : FunctionFamily<kFunction> {
  using F = FunctionFamily<kFunction>;
  static constexpr Rule kDescriptor{kJoined<kFunction, ".descriptor">, F::kPageName, "DESCRIPTION",
                                    Force::kMust, kJoined<kSentence>};
  static constexpr auto kRules =
      These(&kDescriptor, &F::kReturnValue, &F::kAccepted, &F::template kUntouched<"fd">,
            &F::template kNull<kObject>, &F::template kNull<"fd">);
  static constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::template kNull<kObject>),
                                             WhenNull<1>(&F::template kNull<"fd">)};

  static constexpr void Succeeded(model::Outcome& outcome) {
    model::Thing& thing = *outcome[0].thing;
    const std::uint64_t fd = outcome[1].out();
    const bool known = thing.numbers.count(kJoined<kName>) > 0;
    const bool same = !known || fd == thing.number(kJoined<kName>);
    outcome.Expect(&kDescriptor, fd <= INT32_MAX && same, "*fd is the object's descriptor",
                   same ? "it is no descriptor" : "it is another one than before");
    thing.numbers[kJoined<kName>] = fd;
    thing.setters[kJoined<kName>] = &kDescriptor;
  }
  static constexpr CallPage kPage{.function = F::kName,
                                  .rules = kRules,
                                  .errors = kErrors,
                                  .codes = kInval,
                                  .return_value = &F::kReturnValue,
                                  .accepted = &F::kAccepted,
                                  .untouched = &F::template kUntouched<"fd">,
                                  .succeeded = Succeeded};
};

// The property of a connection configuration, or its default where there is none.
inline std::uint64_t OfConfig(const Argument& cfg, std::string_view property) {
  return cfg.thing != nullptr ? cfg.thing->number(property) : 0;
}

// The shared receive queue of a configuration has a completion queue of its own.
inline bool ReceivesElsewhere(const Call& call, const Argument& cfg) {
  const std::uint64_t srq = OfConfig(cfg, "srq");
  const model::Thing* thing = srq == 0 ? nullptr : call.world->Find(srq, "rpma_srq");
  return thing != nullptr && thing->number("rcq_size") > 0;
}

// What pages that make a request share; argument `kConfig` is the configuration.
template <Literal kFunction, std::size_t kConfig>
struct RequestFamily : FunctionFamily<kFunction> {
  using F = FunctionFamily<kFunction>;
  static constexpr Rule kSharedSrq = F::template Should<"shared-channel-srq-rcq">(
      "DESCRIPTION", model::Sight::kRefusedInval,
      "A call whose configuration shares the completion channel and has a shared receive queue "
      "with a completion queue of its own is refused with RPMA_E_INVAL.");
  static constexpr OpenCase kSharesAndHasRcq{&kSharedSrq, [](const Call& call) {
                                               return OfConfig(call[kConfig], "shared") != 0 &&
                                                      ReceivesElsewhere(call, call[kConfig]);
                                             }};
};

// Gives the request, and so its connection, what the configuration says now.
inline void Configure(const Call& call, const Argument& cfg, model::Thing& request) {
  request.numbers["shared"] = OfConfig(cfg, "shared");
  if (const std::uint64_t srq = OfConfig(cfg, "srq"); srq != 0)
    request.things["rpma_srq"] = call.world->Find(srq, "rpma_srq");
  if (OfConfig(cfg, "rcq_size") > 0 && !ReceivesElsewhere(call, cfg))
    request.end->rcq = std::make_shared<model::CompletionQueue>();
  if (request.thing("rpma_srq") != nullptr && !ReceivesElsewhere(call, cfg))
    request.end->receive_queue().unclear = true;  // others' receives may complete here
}

// The endpoint that listens there, or nullptr.
inline model::Listener* FindListener(const model::World& world, std::string_view address) {
  for (const auto& thing : world.things())
    if (thing->live && thing->listener != nullptr && thing->listener->address() == address)
      return thing->listener.get();
  return nullptr;
}

inline std::string AddressOf(const Argument& addr, const Argument& port) {
  return std::string(addr.text) + " " + std::string(port.text);
}

// *pdata, argument 1, is what the other side gave; transports pad it with zeros.
inline void ExpectPrivateData(model::Outcome& outcome, const Rule* rule) {
  const model::Bytes& given = outcome[0].thing->end->data();
  rpma_conn_private_data data;
  std::memcpy(&data, outcome[1].after.data(), sizeof data);
  const auto* bytes = static_cast<const std::uint8_t*>(data.ptr);
  const bool some = outcome[1].has_value() && data.ptr != nullptr;
  bool holds = false;
  if (some)
    holds = data.len >= given.size() && std::equal(given.begin(), given.end(), bytes) &&
            std::all_of(bytes + given.size(), bytes + data.len, [](auto b) { return b == 0; });
  else
    holds = given.empty() && data.ptr == nullptr && data.len == 0;
  outcome.Expect(rule, holds,
                 "*pdata is the " + std::to_string(given.size()) +
                     " bytes that the other side gave, and zeros behind them",
                 some ? std::to_string(data.len) + " bytes that are not" : "it is not");
}

// A page that asks for private data: int get(const T *object, struct rpma_conn_private_data
// *pdata).
template <Literal kFunction, Literal kObject, Literal kSentence>
struct PrivateDataFamily : FunctionFamily<kFunction> {
  using F = FunctionFamily<kFunction>;
  static constexpr Rule kData{kJoined<kFunction, ".data">, F::kPageName, "DESCRIPTION",
                              Force::kMust, kJoined<kSentence>};
  static constexpr auto kRules =
      These(&kData, &F::kReturnValue, &F::kAccepted, &F::template kUntouched<"pdata">,
            &F::template kNull<kObject>, &F::template kNull<"pdata">);
  static constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::template kNull<kObject>),
                                             WhenNull<1>(&F::template kNull<"pdata">)};
  static constexpr CallPage kPage{
      .function = F::kName,
      .rules = kRules,
      .errors = kErrors,
      .codes = kInval,
      .return_value = &F::kReturnValue,
      .accepted = &F::kAccepted,
      .untouched = &F::template kUntouched<"pdata">,
      .succeeded = [](model::Outcome& outcome) { ExpectPrivateData(outcome, &kData); }};
};

// *argument is the handle of this completion queue of a connection, whichever call gave it first.
inline void ExpectCq(model::Outcome& outcome, const Rule* rule, std::size_t argument,
                     model::Thing& conn, std::string_view role,
                     const std::shared_ptr<model::CompletionQueue>& queue) {
  const std::uint64_t handle = outcome[argument].out();
  if (const model::Thing* known = conn.thing(role); known != nullptr) {
    outcome.Expect(rule, handle == known->handle, "it is the same queue as before",
                   handle == 0 ? "it is NULL" : "it is another one");
    return;
  }
  model::Thing* cq = outcome.Made(rule, argument, "rpma_cq");
  if (cq == nullptr) return;
  cq->things["owner"] = &conn;
  cq->queue = queue;
  cq->numbers["shared"] = conn.number("shared");
  conn.things[role] = cq;
}

}  // namespace spec
