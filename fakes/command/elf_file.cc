#include "command/elf_file.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

namespace fakenic {
namespace {

class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}

  template <typename T>
  T At(uint64_t offset) const {
    T value{};
    if (offset <= bytes_.size() && bytes_.size() - offset >= sizeof(T)) {
      std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    }
    return value;
  }

  std::string Text(uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const size_t end = std::min(bytes_.find('\0', offset), bytes_.size());
    return bytes_.substr(offset, end - offset);
  }

  size_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
};

class Parser {
 public:
  explicit Parser(const Reader& file) : file_(file), header_(file.At<Elf64_Ehdr>(0)) {}

  ElfFile Parse() {
    result_.is_64_bit = true;
    result_.machine = header_.e_machine;
    for (unsigned i = 0; i < header_.e_phnum; ++i) {
      const auto segment = file_.At<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr));
      if (segment.p_type == PT_DYNAMIC) result_.is_dynamic = true;
      if (segment.p_type != PT_INTERP) continue;
      result_.has_interpreter = true;
      result_.interpreter = file_.Text(segment.p_offset);
    }
    if (const auto dynamic = Section(SHT_DYNAMIC)) ReadDynamic(*dynamic);
    if (const auto needs = Section(SHT_GNU_verneed)) ReadNeeds(*needs);
    if (const auto definitions = Section(SHT_GNU_verdef)) ReadDefinitions(*definitions);
    if (const auto symbols = Section(SHT_DYNSYM)) ReadSymbols(*symbols);
    return std::move(result_);
  }

 private:
  struct Version {
    std::string name, library;  // no library: defined here
  };

  Elf64_Shdr SectionAt(unsigned index) const {
    return file_.At<Elf64_Shdr>(header_.e_shoff + index * sizeof(Elf64_Shdr));
  }
  std::optional<Elf64_Shdr> Section(uint32_t type) const {
    for (unsigned i = 0; i < header_.e_shnum; ++i) {
      const Elf64_Shdr section = SectionAt(i);
      if (section.sh_type == type) return section;
    }
    return std::nullopt;
  }
  std::string Name(const Elf64_Shdr& section, uint64_t offset) const {
    return file_.Text(SectionAt(section.sh_link).sh_offset + offset);
  }

  void ReadDynamic(const Elf64_Shdr& section) {
    for (uint64_t at = 0; at < section.sh_size; at += sizeof(Elf64_Dyn)) {
      const auto entry = file_.At<Elf64_Dyn>(section.sh_offset + at);
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) result_.needed.push_back(Name(section, entry.d_un.d_val));
      if (entry.d_tag == DT_SONAME) result_.soname = Name(section, entry.d_un.d_val);
      if (entry.d_tag == DT_RPATH) result_.rpath = Name(section, entry.d_un.d_val);
      if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) && !result_.has_interpreter) {
        result_.is_static_pie = true;
      }
    }
  }

  void ReadNeeds(const Elf64_Shdr& section) {
    uint64_t at = section.sh_offset;
    for (unsigned i = 0; i < section.sh_info; ++i) {
      const auto need = file_.At<Elf64_Verneed>(at);
      uint64_t version_at = at + need.vn_aux;
      for (unsigned j = 0; j < need.vn_cnt; ++j) {
        const auto version = file_.At<Elf64_Vernaux>(version_at);
        versions_[version.vna_other] = {Name(section, version.vna_name),
                                        Name(section, need.vn_file)};
        version_at += version.vna_next;
      }
      at += need.vn_next;
    }
  }

  void ReadDefinitions(const Elf64_Shdr& section) {
    uint64_t at = section.sh_offset;
    for (unsigned i = 0; i < section.sh_info; ++i) {
      const auto definition = file_.At<Elf64_Verdef>(at);
      const auto name = file_.At<Elf64_Verdaux>(at + definition.vd_aux);
      versions_[definition.vd_ndx] = {Name(section, name.vda_name), ""};
      result_.versions.insert(Name(section, name.vda_name));
      at += definition.vd_next;
    }
  }

  void ReadSymbols(const Elf64_Shdr& section) {
    constexpr uint16_t kVersionBits = 0x7fff;
    const auto numbers = Section(SHT_GNU_versym);
    const uint64_t count = section.sh_size / sizeof(Elf64_Sym);
    for (uint64_t i = 1; i < count && numbers; ++i) {
      const auto symbol = file_.At<Elf64_Sym>(section.sh_offset + i * sizeof(Elf64_Sym));
      const auto number =
          file_.At<uint16_t>(numbers->sh_offset + i * sizeof(uint16_t)) & kVersionBits;
      const auto version = versions_.find(static_cast<uint16_t>(number));
      const Version known = version == versions_.end() ? Version{} : version->second;
      const std::string name = Name(section, symbol.st_name);
      if (symbol.st_shndx == SHN_UNDEF) {
        result_.imports.push_back({name, known.name, known.library});
      } else {
        result_.exports.insert(name + "@" + known.name);
      }
    }
  }

  const Reader& file_;
  Elf64_Ehdr header_;
  std::map<uint16_t, Version> versions_;
  ElfFile result_;
};

}  // namespace

bool ElfFile::Imports(const std::string& symbol) const {
  return std::any_of(imports.begin(), imports.end(),
                     [&](const ElfImport& import) { return import.symbol == symbol; });
}

std::optional<ElfFile> ReadElf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const Reader file(std::string(std::istreambuf_iterator<char>(in), {}));
  if (file.size() < EI_NIDENT || file.Text(0).compare(0, SELFMAG, ELFMAG) != 0) {
    return std::nullopt;
  }
  if (file.At<unsigned char>(EI_CLASS) != ELFCLASS64) {
    ElfFile other;
    other.machine = file.At<Elf32_Ehdr>(0).e_machine;
    return other;
  }
  return Parser(file).Parse();
}

}  // namespace fakenic
