// The library as a file: what a program that was linked to any librpma.so.0 finds when it starts.
// Pinned to librpma 1.3.0.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/families.h"
#include "spec/model/witness.h"

namespace spec::librpma {

// What a shared object tells the loader.
struct Export {
  std::string name;
  std::string version;  // "": none
  bool is_default;      // of a version: what a program gets that names none
  bool is_function;
};
struct SharedObject {
  std::string soname;
  std::vector<std::string> needed;
  std::vector<Export> exports;
  std::vector<std::string> imports;
};

template <Literal kId>
constexpr Rule Must(std::string_view sentence) {
  return {kJoined<"librpma.", kId>, "librpma(7)", "the library file", Force::kMust, sentence};
}

inline constexpr Rule kSoname = Must<"soname">("The soname is librpma.so.0.");
inline constexpr Rule kNeeded =
    Must<"needed">("The library asks for libibverbs.so.1 and librdmacm.so.1 itself.");
inline constexpr Rule kSymbols =
    Must<"symbols">("Every function of librpma.h is exported, and it is a function.");
inline constexpr Rule kVersions = Must<"versions">(
    "Every function of librpma.h has the version LIBRPMA_1.0, which is its default.");
inline constexpr Rule kNoExtraExports =
    Must<"no-extra-exports">("No function is exported that librpma.h does not have.");
inline constexpr Rule kNoData = Must<"no-data">("No data is exported.");

inline constexpr Rule kSyslogIdentity{
    "librpma.syslog-identity", "librpma(7)", "the library file", Force::kShould,
    "The library asks for neither openlog nor closelog: how syslog names a program is the "
    "program's own business."};

inline constexpr auto kRules =
    These(&kSoname, &kNeeded, &kSymbols, &kVersions, &kNoExtraExports, &kNoData, &kSyslogIdentity);

inline constexpr std::string_view kName = "librpma";

// `functions`: those of librpma.h.
void Judge(const SharedObject& library, std::span<const std::string_view> functions,
           model::Witness* witness);

}  // namespace spec::librpma
