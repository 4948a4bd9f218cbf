// What an ELF file says of itself, as far as it decides which libraries it loads.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fakenic {

struct ElfImport {
  std::string symbol, version, library;  // library: the soname that has to have the version
};

struct ElfFile {
  bool is_64_bit = false;
  uint16_t machine = 0;
  bool has_interpreter = false;
  std::string interpreter;
  bool is_dynamic = false;
  bool is_static_pie = false;
  std::string soname, rpath;
  std::vector<std::string> needed;
  std::vector<ElfImport> imports;
  std::set<std::string> exports;   // "symbol@version"
  std::set<std::string> versions;  // that it defines

  bool Imports(const std::string& symbol) const;
};

// Nothing if the file cannot be read or is no ELF file. Of a 32-bit file no more than that is told.
std::optional<ElfFile> ReadElf(const std::string& path);

}  // namespace fakenic
