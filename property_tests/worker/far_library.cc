#include "property_tests/worker/far_library.h"

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace conformance {

namespace {

FarEnd* g_far = nullptr;

// Where a call puts a handle or a number.
template <class P>
constexpr bool IsOut() {
  using T = std::remove_pointer_t<P>;
  return std::is_pointer_v<P> && !std::is_const_v<T> &&
         (std::is_pointer_v<T> || std::is_arithmetic_v<T> || std::is_enum_v<T>);
}

// By its bytes: a case may give an enumeration a value that it does not have.
template <class P>
std::uint64_t ToWord(const P& value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

template <class P>
P FromWord(std::uint64_t word) {
  if constexpr (std::is_pointer_v<P>)
    return reinterpret_cast<P>(word);
  else
    return static_cast<P>(word);
}

template <auto kFunction, class Type>
struct Forward;

template <auto kFunction, class R, class... P>
struct Forward<kFunction, R (*)(P...)> {
  static constexpr std::size_t kCount = sizeof...(P);

  struct Job {
    std::array<std::uint64_t, kCount> words;
    std::array<std::uint64_t, kCount> outs{};  // what the words of out-parameters point to
    R returned{};
    int error = 0;

    void operator()() { Apply(std::index_sequence_for<P...>{}); }

    template <std::size_t... I>
    void Apply(std::index_sequence<I...>) {
      ((words[I] = IsOut<P>() && words[I] != 0 ? ToWord(&outs[I]) : words[I]), ...);
      returned = (AtFarEnd().library.*kFunction)(FromWord<P>(words[I])...);
      error = errno;
    }
  };

  static R Call(P... arguments) { return Pass(std::index_sequence_for<P...>{}, arguments...); }

 private:
  template <std::size_t... I>
  static R Pass(std::index_sequence<I...>, const P&... arguments) {
    Job job{{ToWord(arguments)...}};
    (CopyIn(arguments, job.outs[I]), ...);
    const Job done = g_far->Do(job);
    (CopyOut(arguments, done.outs[I]), ...);
    errno = done.error;
    return done.returned;
  }

  template <class Q>
  static void CopyIn(const Q& argument, std::uint64_t& out) {
    if constexpr (IsOut<Q>())
      if (argument != nullptr) std::memcpy(&out, argument, sizeof *argument);
  }

  template <class Q>
  static void CopyOut(const Q& argument, std::uint64_t out) {
    if constexpr (IsOut<Q>())
      if (argument != nullptr) std::memcpy(argument, &out, sizeof *argument);
  }
};

}  // namespace

Far& AtFarEnd() {
  static Far far;
  return far;
}

bool LoadAtFarEnd(FarEnd* far, const std::string& path, Library& functions) {
  struct Load {
    std::array<char, 400> path{};
    Library* found = nullptr;
    bool loaded = false;

    void operator()() {
      const LoadedLibrary library = LoadLibraryUnderTest(path.data());
      AtFarEnd().handle = library.handle;
      AtFarEnd().library = *found = library.functions;
      AtFarEnd().fake = new FakeControl;  // as long as the process
      loaded = library.handle != nullptr;
    }
  } load;
  if (path.size() >= load.path.size()) return false;
  path.copy(load.path.data(), path.size());
  load.found = static_cast<Library*>(far->Allocate(sizeof(Library)));
  if (load.found == nullptr || !far->Do(load).loaded) return false;
  g_far = far;
#define X(name)                    \
  if (load.found->name != nullptr) \
    functions.name = &Forward<&Library::name, decltype(Library::name)>::Call;
  CONFORMANCE_NEEDED(X)
  CONFORMANCE_OPTIONAL(X)
#undef X
  far->FreeAll();
  return true;
}

}  // namespace conformance
