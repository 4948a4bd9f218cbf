#include "property_tests/script/functions.h"

#include <librpma.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <map>
#include <type_traits>
#include <utility>

#include "property_tests/script/function_list.h"

namespace conformance {

namespace {

// As C spells it; empty: T is no type of objects.
template <class T>
constexpr std::string_view kObject = "";
#define OBJECT(T) \
  template <>     \
  constexpr std::string_view kObject<T> = #T;
OBJECT(rpma_peer)
OBJECT(rpma_peer_cfg)
OBJECT(rpma_mr_local)
OBJECT(rpma_mr_remote)
OBJECT(rpma_conn_cfg)
OBJECT(rpma_srq_cfg)
OBJECT(rpma_srq)
OBJECT(rpma_ep)
OBJECT(rpma_conn_req)
OBJECT(rpma_conn)
OBJECT(rpma_cq)
OBJECT(ibv_context)
#undef OBJECT

// As C spells what a call may put somewhere, or take for a number.
template <class T>
constexpr std::string_view kPlain = "";
#define PLAIN(T, name) \
  template <>          \
  constexpr std::string_view kPlain<T> = name;
PLAIN(int, "int")
PLAIN(bool, "bool")
PLAIN(std::uint32_t, "uint32_t")
PLAIN(std::size_t, "size_t")
PLAIN(rpma_conn_event, "enum rpma_conn_event")
PLAIN(rpma_log_level, "enum rpma_log_level")
PLAIN(rpma_log_threshold, "enum rpma_log_threshold")
PLAIN(rpma_util_ibv_context_type, "enum rpma_util_ibv_context_type")
PLAIN(rpma_flush_type, "enum rpma_flush_type")
PLAIN(rpma_conn_private_data, "struct rpma_conn_private_data")
PLAIN(ibv_wc, "struct ibv_wc")
#undef PLAIN

template <class P>
constexpr Param Describe() {
  if constexpr (!std::is_pointer_v<P>) {
    return {ParamKind::kNumber, 0, std::is_enum_v<P> ? kPlain<P> : ""};
  } else {
    using Pointee = std::remove_pointer_t<P>;
    using T = std::remove_cv_t<Pointee>;
    if constexpr (std::is_function_v<Pointee>)
      return {ParamKind::kOther, 0};
    else if constexpr (std::is_same_v<Pointee, const char>)
      return {ParamKind::kText, 0};
    else if constexpr (!kObject<T>.empty())
      return {ParamKind::kHandle, 0, kObject<T>};
    else if constexpr (std::is_void_v<T>)
      return {std::is_const_v<Pointee> ? ParamKind::kBytesIn : ParamKind::kBytesOut, 0};
    else if constexpr (std::is_const_v<Pointee>)
      return {ParamKind::kBytesIn, sizeof(T)};
    else if constexpr (std::is_pointer_v<T>)
      return {ParamKind::kHandleOut, sizeof(T),
              kObject<std::remove_cv_t<std::remove_pointer_t<T>>>};
    else
      return {ParamKind::kNumberOut, std::is_same_v<T, ibv_wc> ? 0 : sizeof(T),  // wc: an array
              kPlain<T>};
  }
}

template <class P>
P From(std::uint64_t word) {
  if constexpr (std::is_pointer_v<P>)
    return reinterpret_cast<P>(word);
  else
    return static_cast<P>(word);
}

template <class Type>
struct Caller;

template <class R, class... P>
struct Caller<R (*)(P...)> {
  static std::vector<Param> Params() { return {Describe<P>()...}; }

  static std::int64_t Call(void* symbol, const std::uint64_t* arguments) {
    return Apply(symbol, arguments, std::index_sequence_for<P...>{});
  }

 private:
  template <std::size_t... I>
  static std::int64_t Apply(void* symbol, const std::uint64_t* arguments,
                            std::index_sequence<I...>) {
    const auto function = reinterpret_cast<R (*)(P...)>(symbol);
    const R result = function(From<P>(arguments[I])...);
    if constexpr (std::is_pointer_v<R>)
      return reinterpret_cast<std::int64_t>(result);
    else
      return result;
  }
};

// clang-format off
#define ERRNOS(X)                                                                                  \
  X(EPERM) X(EINTR) X(EIO) X(EBADF) X(EAGAIN) X(ENOMEM) X(EFAULT) X(EBUSY) X(ENODEV) X(EINVAL)     \
  X(ENOSPC) X(EMFILE) X(ENOENT) X(ENODATA) X(EOPNOTSUPP) X(EADDRINUSE) X(EADDRNOTAVAIL)            \
  X(ENETUNREACH) X(ECONNREFUSED) X(ETIMEDOUT)

#define CONSTANTS(X)                                                                               \
  X(RPMA_UTIL_IBV_CONTEXT_LOCAL) X(RPMA_UTIL_IBV_CONTEXT_REMOTE)                                   \
  X(RPMA_CONN_UNDEFINED) X(RPMA_CONN_ESTABLISHED) X(RPMA_CONN_CLOSED) X(RPMA_CONN_LOST)            \
  X(RPMA_CONN_REJECTED) X(RPMA_CONN_UNREACHABLE)                                                   \
  X(RPMA_MR_USAGE_READ_SRC) X(RPMA_MR_USAGE_READ_DST) X(RPMA_MR_USAGE_WRITE_SRC)                   \
  X(RPMA_MR_USAGE_WRITE_DST) X(RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY)                                \
  X(RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT) X(RPMA_MR_USAGE_SEND) X(RPMA_MR_USAGE_RECV)               \
  X(RPMA_F_COMPLETION_ON_ERROR) X(RPMA_F_COMPLETION_ALWAYS)                                        \
  X(RPMA_FLUSH_TYPE_PERSISTENT) X(RPMA_FLUSH_TYPE_VISIBILITY)                                      \
  X(RPMA_LOG_DISABLED) X(RPMA_LOG_LEVEL_FATAL) X(RPMA_LOG_LEVEL_ERROR) X(RPMA_LOG_LEVEL_WARNING)   \
  X(RPMA_LOG_LEVEL_NOTICE) X(RPMA_LOG_LEVEL_INFO) X(RPMA_LOG_LEVEL_DEBUG)                          \
  X(RPMA_LOG_THRESHOLD) X(RPMA_LOG_THRESHOLD_AUX)                                                  \
  X(RPMA_E_UNKNOWN) X(RPMA_E_NOSUPP) X(RPMA_E_PROVIDER) X(RPMA_E_NOMEM) X(RPMA_E_INVAL)            \
  X(RPMA_E_NO_COMPLETION) X(RPMA_E_NO_EVENT) X(RPMA_E_AGAIN) X(RPMA_E_SHARED_CHANNEL)              \
  X(RPMA_E_NOT_SHARED_CHNL)                                                                        \
  X(IBV_ADVISE_MR_ADVICE_PREFETCH) X(IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE)                          \
  X(IBV_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT) X(IBV_ADVISE_MR_FLAG_FLUSH)                            \
  X(INT_MIN) X(INT_MAX) X(UINT32_MAX) X(SIZE_MAX)
// clang-format on

const std::map<std::string_view, std::uint64_t>& Constants() {
  static const std::map<std::string_view, std::uint64_t> constants{{"NULL", 0},
                                                                   {"true", 1},
                                                                   {"false", 0},
#define X(name) {#name, static_cast<std::uint64_t>(static_cast<std::int64_t>(name))},
                                                                   CONSTANTS(X) ERRNOS(X)
#undef X
  };
  return constants;
}

// Where the call ends an object, the handle goes in and comes out.
void MarkConsumed(Function& function) {
  const auto ends = [&](std::string_view end) {
    return function.name.size() > end.size() &&
           function.name.substr(function.name.size() - end.size()) == end;
  };
  if (ends("_delete") || ends("_dereg") || ends("_shutdown") || ends("_req_connect"))
    function.params[0].kind = ParamKind::kHandleInOut;
}

}  // namespace

const std::vector<Function>& AllFunctions() {
  static const std::vector<Function> functions = [] {
    std::vector<Function> all{
#define X(name) {#name, Caller<decltype(&::name)>::Params(), Caller<decltype(&::name)>::Call},
        CONFORMANCE_CALLS(X) CONFORMANCE_OPERATIONS(X)
#undef X
    };
    for (Function& function : all) MarkConsumed(function);
    return all;
  }();
  return functions;
}

const Function* FindFunction(std::string_view name) {
  static const std::map<std::string_view, const Function*> by_name = [] {
    std::map<std::string_view, const Function*> map;
    for (const Function& function : AllFunctions()) map[function.name] = &function;
    return map;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

bool ReadNumber(std::string_view text, std::uint64_t& value) {
  const bool negative = text.size() > 1 && text[0] == '-';
  std::string_view digits = text.substr(negative ? 1 : 0);
  const bool hex = digits.substr(0, 2) == "0x";
  if (hex) digits.remove_prefix(2);
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, hex ? 16 : 10);
  if (error != std::errc{} || stop != end || digits.empty()) return false;
  if (negative) value = -value;
  return true;
}

bool FindConstant(std::string_view name, std::uint64_t& value) {
  value = 0;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('|', at), name.size());
    const auto found = Constants().find(name.substr(at, end - at));
    if (found == Constants().end()) return false;
    value |= found->second;
    at = end + 1;
  }
  return true;
}

}  // namespace conformance
