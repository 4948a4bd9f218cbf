#include "property_tests/elf/shared_object.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <map>
#include <stdexcept>

namespace conformance {

namespace {

using spec::librpma::Export;
using spec::librpma::SharedObject;

// What a file that lies about itself runs into.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class File {
 public:
  explicit File(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    if (fd_ < 0) throw Malformed("cannot be read");
    elf_ = elf_begin(fd_, ELF_C_READ, nullptr);
  }
  ~File() {
    elf_end(elf_);
    close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  Elf* elf() const { return elf_; }

 private:
  int fd_;
  Elf* elf_ = nullptr;
};

struct Section {
  GElf_Shdr header;
  Elf_Data* data;
};

class Reader {
 public:
  explicit Reader(Elf* elf) : elf_(elf) {}

  SharedObject Read() {
    ReadSections();
    ReadDynamic(Get(SHT_DYNAMIC, "dynamic section"));
    if (const auto versions = sections_.find(SHT_GNU_verdef); versions != sections_.end())
      ReadVersions(versions->second);
    ReadSymbols(Get(SHT_DYNSYM, "dynamic symbols"));
    return std::move(object_);
  }

 private:
  void ReadSections() {
    GElf_Ehdr header;
    if (elf_kind(elf_) != ELF_K_ELF || gelf_getclass(elf_) != ELFCLASS64 ||
        gelf_getehdr(elf_, &header) == nullptr || header.e_type != ET_DYN)
      throw Malformed("is no 64-bit shared object");
    Elf_Scn* next = nullptr;
    while ((next = elf_nextscn(elf_, next)) != nullptr) {
      Section section;
      if (gelf_getshdr(next, &section.header) == nullptr) throw Malformed(elf_errmsg(-1));
      section.data = elf_getdata(next, nullptr);
      if (section.data != nullptr) sections_.emplace(section.header.sh_type, section);
    }
  }

  const Section& Get(std::uint32_t type, const std::string& name) const {
    const auto found = sections_.find(type);
    if (found == sections_.end()) throw Malformed("has no " + name);
    return found->second;
  }

  std::string TextAt(const Section& section, std::size_t offset) const {
    const char* text = elf_strptr(elf_, section.header.sh_link, offset);
    if (text == nullptr) throw Malformed(elf_errmsg(-1));
    return text;
  }

  void ReadDynamic(const Section& section) {
    GElf_Dyn entry;
    for (int i = 0; gelf_getdyn(section.data, i, &entry) != nullptr && entry.d_tag != DT_NULL;
         ++i) {
      if (entry.d_tag == DT_SONAME) object_.soname = TextAt(section, entry.d_un.d_val);
      if (entry.d_tag == DT_NEEDED) object_.needed.push_back(TextAt(section, entry.d_un.d_val));
    }
  }

  void ReadVersions(const Section& section) {
    int at = 0;
    for (std::uint32_t i = 0; i < section.header.sh_info; ++i) {
      GElf_Verdef version;
      GElf_Verdaux name;
      if (gelf_getverdef(section.data, at, &version) == nullptr ||
          gelf_getverdaux(section.data, at + static_cast<int>(version.vd_aux), &name) == nullptr)
        throw Malformed(elf_errmsg(-1));
      // The base version is the name of the file itself.
      if ((version.vd_flags & VER_FLG_BASE) == 0)
        versions_[version.vd_ndx] = TextAt(section, name.vda_name);
      at += static_cast<int>(version.vd_next);
    }
  }

  void ReadSymbols(const Section& section) {
    const auto indices = sections_.find(SHT_GNU_versym);
    Elf_Data* versions = indices == sections_.end() ? nullptr : indices->second.data;
    GElf_Sym symbol;
    GElf_Versym index = VER_NDX_GLOBAL;
    for (int i = 1; gelf_getsym(section.data, i, &symbol) != nullptr; ++i) {
      if (versions != nullptr && gelf_getversym(versions, i, &index) == nullptr)
        throw Malformed(elf_errmsg(-1));
      Add(symbol, TextAt(section, symbol.st_name), index);
    }
  }

  void Add(const GElf_Sym& symbol, std::string name, GElf_Versym index) {
    constexpr GElf_Versym kHidden = 0x8000;  // not the default version
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    const bool defined = symbol.st_shndx != SHN_UNDEF && GELF_ST_BIND(symbol.st_info) != STB_LOCAL;
    const auto version = versions_.find(index & ~kHidden);
    const bool versioned = version != versions_.end();
    // The linker makes a symbol of each version's own name.
    const bool is_node = symbol.st_shndx == SHN_ABS && versioned && version->second == name;
    if (symbol.st_shndx == SHN_UNDEF) object_.imports.push_back(name);
    if (!defined || is_node) return;
    object_.exports.push_back({std::move(name), versioned ? version->second : "",
                               (index & kHidden) == 0, type == STT_FUNC || type == STT_GNU_IFUNC});
  }

  Elf* elf_;
  std::map<std::uint32_t, Section> sections_;  // the first of each type
  std::map<unsigned, std::string> versions_;
  SharedObject object_;
};

}  // namespace

std::optional<SharedObject> ReadSharedObject(const std::string& path, std::string& problem) {
  try {
    return Reader(File(path).elf()).Read();
  } catch (const Malformed& reason) {
    problem = path + ": " + reason.what();
    return std::nullopt;
  }
}

}  // namespace conformance
