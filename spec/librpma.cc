#include "spec/librpma.h"

#include <algorithm>

namespace spec::librpma {

namespace {

constexpr std::string_view kWantedSoname = "librpma.so.0";
constexpr std::string_view kWantedVersion = "LIBRPMA_1.0";
constexpr std::string_view kWantedLibraries[] = {"libibverbs.so.1", "librdmacm.so.1"};

void Expect(model::Witness* witness, const Rule* rule, bool holds, const std::string& allowed,
            const std::string& seen) {
  witness->Tested(rule);
  if (!holds) witness->Broke({{rule}, allowed, seen});
}

const Export* Find(const SharedObject& library, std::string_view name) {
  const auto found = std::find_if(library.exports.begin(), library.exports.end(),
                                  [&](const Export& one) { return one.name == name; });
  return found == library.exports.end() ? nullptr : &*found;
}

std::string Versioned(const Export& symbol) {
  if (symbol.version.empty()) return symbol.name + " without a version";
  return symbol.name + (symbol.is_default ? "@@" : "@") + symbol.version;
}

void JudgeFunction(const SharedObject& library, std::string_view name, model::Witness* witness) {
  const std::string text(name);
  const Export* symbol = Find(library, name);
  const bool there = symbol != nullptr && symbol->is_function;
  Expect(witness, &kSymbols, there, "the function " + text,
         symbol == nullptr ? "no symbol of this name" : "data");
  if (there)
    Expect(witness, &kVersions, symbol->version == kWantedVersion && symbol->is_default,
           text + "@@" + std::string(kWantedVersion), Versioned(*symbol));
}

}  // namespace

void Judge(const SharedObject& library, std::span<const std::string_view> functions,
           model::Witness* witness) {
  Expect(witness, &kSoname, library.soname == kWantedSoname, std::string(kWantedSoname),
         library.soname.empty() ? "no soname" : library.soname);
  for (const std::string_view wanted : kWantedLibraries)
    Expect(witness, &kNeeded,
           std::find(library.needed.begin(), library.needed.end(), wanted) != library.needed.end(),
           "NEEDED " + std::string(wanted), "it is not there");
  for (const std::string_view name : functions) JudgeFunction(library, name, witness);
  for (const Export& symbol : library.exports) {
    const bool ours = std::find(functions.begin(), functions.end(), symbol.name) != functions.end();
    if (symbol.is_function)
      Expect(witness, &kNoExtraExports, ours, "functions of librpma.h alone", Versioned(symbol));
    else if (!ours)
      Expect(witness, &kNoData, false, "no data", Versioned(symbol));
  }
  for (const std::string_view name : {"openlog", "closelog"})
    if (witness->strict())
      Expect(
          witness, &kSyslogIdentity,
          std::find(library.imports.begin(), library.imports.end(), name) == library.imports.end(),
          "nothing of the kind", "it asks for " + std::string(name));
  witness->Tested(&kNoExtraExports);
  witness->Tested(&kNoData);
}

}  // namespace spec::librpma
