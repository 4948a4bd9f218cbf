#include "property_tests/script/script_ends.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>

#include <array>
#include <cstring>

namespace conformance {

namespace {

constexpr std::size_t kPrivateDataBytes = 256;

// A name, for a job.
struct Name {
  std::array<char, 64> text{};

  explicit Name(std::string_view name) { name.copy(text.data(), text.size() - 1); }
  operator std::string() const { return text.data(); }
};

}  // namespace

AtThisEnd& AtThisEnd::Get() {
  static AtThisEnd here;
  return here;
}

ScriptEnds::ScriptEnds(void* library, const FakeControl* fake, FarEnd* far, Board* board)
    : fake_(fake), far_(far), nics_(fake, far, board), failure_(library, fake) {
  AtThisEnd::Get() = {library, fake, &failure_};
  if (far_ == nullptr) return;
  private_data_ = far_->Keep(kPrivateDataBytes);
  far_->Do([with_fake = fake != nullptr] {
    const Far& its = AtFarEnd();
    const FakeControl* fake = with_fake ? its.fake : nullptr;
    AtThisEnd::Get() = {its.handle, fake, new PlannedFailure(its.handle, fake)};  // for good
  });
}

void* ScriptEnds::Symbol(Side side, std::string_view name) {
  if (!parted_) side = Side::kClient;
  const auto found = symbols_.find({side, name});
  if (found != symbols_.end()) return found->second;
  struct Find {
    Name name;
    void* symbol = nullptr;
    void operator()() { symbol = dlsym(AtThisEnd::Get().library, name.text.data()); }
  };
  const Function* function = FindFunction(name);
  return symbols_[{side, function->name}] = At(side, Find{Name(name)}).symbol;
}

std::int64_t ScriptEnds::Make(Side side, const Function& function, const std::uint64_t* words) {
  struct Call {
    decltype(Function::call) call;
    void* symbol;
    std::array<std::uint64_t, kMostArguments> words{};
    std::int64_t returned = 0;
    void operator()() { returned = call(symbol, words.data()); }
  };
  struct CallForData {
    Call call;
    void* seen_by_both;
    void operator()() {
      auto* data = reinterpret_cast<rpma_conn_private_data*>(call.words[1]);
      const void* before = data != nullptr ? data->ptr : nullptr;
      call();
      if (call.returned != 0 || data == nullptr || data->ptr == nullptr || data->ptr == before)
        return;
      std::memcpy(seen_by_both, data->ptr, data->len);
      data->ptr = seen_by_both;
    }
  };
  if (!planned_.empty() && planned_at_ != side && parted_) PlanAt(side);
  Call call{function.call, Symbol(side, function.name)};
  std::memcpy(call.words.data(), words, function.params.size() * sizeof *words);
  if (!parted_) return At(side, call).returned;
  const bool for_data = side == Side::kServer && function.params.size() == 2 &&
                        function.params[1].type == "struct rpma_conn_private_data";
  const std::int64_t returned =
      for_data ? At(side, CallForData{call, private_data_}).call.returned : At(side, call).returned;
  AwaitArrivals();
  return returned;
}

std::optional<int> ScriptEnds::Descriptor(Side side, std::string_view getter,
                                          std::uint64_t object) {
  struct Ask {
    decltype(Function::call) call;
    void* symbol;
    std::uint64_t object;
    int fd = -1;
    std::int64_t code = 0;
    void operator()() {
      const std::uint64_t words[] = {object, reinterpret_cast<std::uint64_t>(&fd)};
      code = call(symbol, words);
    }
  };
  Ask ask{FindFunction(getter)->call, Symbol(side, getter), object & ~kFarHandle};
  if (ask.symbol == nullptr) return std::nullopt;
  ask = At(side, ask);
  return ask.code == 0 ? std::optional(ask.fd) : std::nullopt;
}

bool ScriptEnds::Readable(Side side, int fd, int patience_ms) const {
  fd &= ~kFarDescriptor;
  struct Look {
    pollfd wanted;
    int patience_ms;
    bool readable = false;
    void operator()() { readable = poll(&wanted, 1, patience_ms) == 1; }
  };
  return At(side, Look{{fd, POLLIN, 0}, patience_ms}).readable;
}

void ScriptEnds::Nonblock(Side side, int fd) const {
  fd &= ~kFarDescriptor;
  At(side, [fd] { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); });
}

bool ScriptEnds::IsOdpCapable(std::uint64_t context) const {
  struct Query {
    std::uint64_t context;
    bool capable = false;
    void operator()() {
      constexpr std::uint32_t kBoth = IBV_ODP_SUPPORT_WRITE | IBV_ODP_SUPPORT_READ;
      ibv_device_attr_ex attr{};
      auto* const device = reinterpret_cast<ibv_context*>(context);
      const verbs_context* verbs = verbs_get_ctx_op(device, query_device_ex);
      const bool answers = verbs != nullptr && verbs->query_device_ex(device, /*input=*/nullptr,
                                                                      &attr, sizeof attr) == 0;
      capable = answers && (attr.odp_caps.general_caps & IBV_ODP_SUPPORT) != 0 &&
                (attr.odp_caps.per_transport_caps.rc_odp_caps & kBoth) == kBoth;
    }
  };
  return At(SideOf(context), Query{context & ~kFarHandle}).capable;
}

bool ScriptEnds::Plan(const std::string& name, unsigned nth, int error) {
  ClearFailure();
  if (!failure_.Plan(name, nth, error)) return false;
  planned_ = name;
  error_ = error;
  return true;
}

// What is left of the plan goes on at this end.
void ScriptEnds::PlanAt(Side side) {
  struct Leave {
    unsigned left = 0;
    void operator()() {
      left = AtThisEnd::Get().failure->left();
      AtThisEnd::Get().failure->Clear();
    }
  };
  struct Enter {
    Name name;
    unsigned left;
    int error;
    void operator()() { AtThisEnd::Get().failure->Plan(name, left, error); }
  };
  const unsigned left = At(planned_at_, Leave()).left;
  At(side, Enter{Name(planned_), left, error_});
  planned_at_ = side;
}

std::optional<spec::model::Fault> ScriptEnds::TakeFired() {
  struct Look {
    bool fired = false;
    void operator()() { fired = AtThisEnd::Get().failure->TakeFired().has_value(); }
  };
  if (planned_.empty() || !At(planned_at_, Look()).fired) return std::nullopt;
  return spec::model::Fault{std::exchange(planned_, {}), error_};
}

void ScriptEnds::ClearFailure() {
  AtBoth([] { AtThisEnd::Get().failure->Clear(); });
  planned_.clear();
  planned_at_ = Side::kClient;
}

fakenic_counts ScriptEnds::Alive() const {
  struct Count {
    fakenic_counts counts{};
    void operator()() { counts = AtThisEnd::Get().fake->Counts(); }
  };
  const fakenic_counts here = At(Side::kClient, Count()).counts;
  return parted_ ? Together(here, At(Side::kServer, Count()).counts) : here;
}

std::uint64_t ScriptEnds::Posted() const {
  const fakenic_counts both = Alive();
  return both.sends_posted + both.recvs_posted;
}

void ScriptEnds::AdvanceTime(std::uint64_t nanoseconds) const {
  AtBoth([nanoseconds] { AtThisEnd::Get().fake->AdvanceTime(nanoseconds); });
  if (parted_) AwaitArrivals();
}

void ScriptEnds::SetSilent(const std::string& address, bool silent) const {
  AtBoth([address = Name(address), silent] { AtThisEnd::Get().fake->SetSilent(address, silent); });
}

void ScriptEnds::SetDevicePresent(bool present) const {
  AtBoth([present] { AtThisEnd::Get().fake->SetDevicePresent(present); });
  if (parted_) AwaitArrivals();
}

// What one end has done has reached the other, as it has between two ends of one NIC.
void ScriptEnds::AwaitArrivals() const {
  if (fake_ != nullptr) nics_.AwaitArrivals();
}

}  // namespace conformance
