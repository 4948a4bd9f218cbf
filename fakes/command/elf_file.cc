#include "command/elf_file.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace fakenic {
namespace {

class File {
 public:
  explicit File(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    if (fd_ >= 0) elf_ = elf_begin(fd_, ELF_C_READ, nullptr);
  }
  ~File() {
    elf_end(elf_);
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  Elf* elf() const { return elf_; }

 private:
  int fd_;
  Elf* elf_ = nullptr;
};

// What is damaged is left out: the loader will say so.
class Reader {
 public:
  explicit Reader(Elf* elf) : elf_(elf) {}

  ElfFile Read() {
    result_.is_64_bit = true;
    ReadSegments();
    std::map<uint32_t, Section> sections;  // the first of each type
    for (Elf_Scn* next = elf_nextscn(elf_, nullptr); next != nullptr;
         next = elf_nextscn(elf_, next)) {
      Section section;
      if (gelf_getshdr(next, &section.header) == nullptr) continue;
      section.data = elf_getdata(next, nullptr);
      sections.emplace(section.header.sh_type, section);
    }
    ReadDynamic(sections[SHT_DYNAMIC]);
    ReadNeeds(sections[SHT_GNU_verneed]);
    ReadDefinitions(sections[SHT_GNU_verdef]);
    ReadSymbols(sections[SHT_DYNSYM], sections[SHT_GNU_versym].data);
    return std::move(result_);
  }

 private:
  struct Section {
    GElf_Shdr header{};
    Elf_Data* data = nullptr;  // every libelf function takes it for an end
  };
  struct Version {
    std::string name, library;  // no library: defined here
  };

  void ReadSegments() {
    size_t count = 0;
    elf_getphdrnum(elf_, &count);
    GElf_Phdr segment;
    for (size_t i = 0; i < count && gelf_getphdr(elf_, static_cast<int>(i), &segment); ++i) {
      if (segment.p_type == PT_DYNAMIC) result_.is_dynamic = true;
      if (segment.p_type != PT_INTERP) continue;
      result_.has_interpreter = true;
      const Elf_Data* name = elf_getdata_rawchunk(elf_, static_cast<int64_t>(segment.p_offset),
                                                  segment.p_filesz, ELF_T_BYTE);
      if (name == nullptr) continue;
      const char* text = static_cast<const char*>(name->d_buf);
      result_.interpreter.assign(text, strnlen(text, name->d_size));
    }
  }

  std::string Name(const Section& section, size_t offset) const {
    const char* text = elf_strptr(elf_, section.header.sh_link, offset);
    return text != nullptr ? text : "";
  }

  void ReadDynamic(const Section& section) {
    GElf_Dyn entry;
    for (int i = 0; gelf_getdyn(section.data, i, &entry) && entry.d_tag != DT_NULL; ++i) {
      const GElf_Xword value = entry.d_un.d_val;
      if (entry.d_tag == DT_NEEDED) result_.needed.push_back(Name(section, value));
      if (entry.d_tag == DT_SONAME) result_.soname = Name(section, value);
      if (entry.d_tag == DT_RPATH) result_.rpath = Name(section, value);
      if (entry.d_tag == DT_FLAGS_1 && (value & DF_1_PIE) && !result_.has_interpreter) {
        result_.is_static_pie = true;
      }
    }
  }

  void ReadNeeds(const Section& section) {
    int at = 0;
    GElf_Verneed need;
    for (unsigned i = 0; i < section.header.sh_info; ++i) {
      if (!gelf_getverneed(section.data, at, &need)) return;
      int version_at = at + static_cast<int>(need.vn_aux);
      GElf_Vernaux version;
      for (unsigned j = 0; j < need.vn_cnt; ++j) {
        if (!gelf_getvernaux(section.data, version_at, &version)) return;
        versions_[version.vna_other] = {Name(section, version.vna_name),
                                        Name(section, need.vn_file)};
        version_at += static_cast<int>(version.vna_next);
      }
      at += static_cast<int>(need.vn_next);
    }
  }

  void ReadDefinitions(const Section& section) {
    int at = 0;
    GElf_Verdef definition;
    GElf_Verdaux name;
    for (unsigned i = 0; i < section.header.sh_info; ++i) {
      if (!gelf_getverdef(section.data, at, &definition) ||
          !gelf_getverdaux(section.data, at + static_cast<int>(definition.vd_aux), &name)) {
        return;
      }
      versions_[definition.vd_ndx] = {Name(section, name.vda_name), ""};
      result_.versions.insert(Name(section, name.vda_name));
      at += static_cast<int>(definition.vd_next);
    }
  }

  void ReadSymbols(const Section& section, Elf_Data* numbers) {
    constexpr GElf_Versym kVersionBits = 0x7fff;
    GElf_Sym symbol;
    GElf_Versym number;
    for (int i = 1; gelf_getsym(section.data, i, &symbol); ++i) {
      if (!gelf_getversym(numbers, i, &number)) return;
      const auto version = versions_.find(static_cast<uint16_t>(number & kVersionBits));
      const Version known = version == versions_.end() ? Version{} : version->second;
      const std::string name = Name(section, symbol.st_name);
      if (symbol.st_shndx == SHN_UNDEF) {
        result_.imports.push_back({name, known.name, known.library});
      } else {
        result_.exports.insert(name + "@" + known.name);
      }
    }
  }

  Elf* elf_;
  std::map<uint16_t, Version> versions_;
  ElfFile result_;
};

}  // namespace

bool ElfFile::Imports(const std::string& symbol) const {
  return std::any_of(imports.begin(), imports.end(),
                     [&](const ElfImport& import) { return import.symbol == symbol; });
}

std::optional<ElfFile> ReadElf(const std::string& path) {
  const File file(path);
  GElf_Ehdr header;
  if (elf_kind(file.elf()) != ELF_K_ELF || gelf_getehdr(file.elf(), &header) == nullptr) {
    return std::nullopt;
  }
  ElfFile result;
  if (gelf_getclass(file.elf()) == ELFCLASS64) result = Reader(file.elf()).Read();
  result.machine = header.e_machine;
  return result;
}

}  // namespace fakenic
