#include "property_tests/elf/shared_object.h"

#include <elf.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <vector>

namespace conformance {

namespace {

using spec::librpma::Export;
using spec::librpma::SharedObject;

// What a file that lies about itself runs into.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Reader {
 public:
  explicit Reader(std::span<const char> file) : file_(file) {}

  SharedObject Read() {
    ReadHeader();
    ReadDynamic();
    ReadVersions();
    ReadSymbols();
    return std::move(object_);
  }

 private:
  // The structure at this place in the file; the place need not be aligned.
  template <class T>
  T At(std::uint64_t offset) const {
    T value;
    if (offset > file_.size() || file_.size() - offset < sizeof value)
      throw Malformed("refers to bytes beyond its end");
    std::memcpy(&value, file_.data() + offset, sizeof value);
    return value;
  }

  std::string TextAt(const Elf64_Shdr& strings, std::uint64_t offset) const {
    std::string text;
    for (std::uint64_t at = strings.sh_offset + offset;; ++at) {
      const char c = At<char>(at);
      if (c == '\0') return text;
      text += c;
    }
  }

  void ReadHeader() {
    const auto header = At<Elf64_Ehdr>(0);
    constexpr unsigned char kOrder =
        std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != kOrder ||
        header.e_type != ET_DYN)
      throw Malformed("is no 64-bit shared object");
    for (std::uint64_t i = 0; i < header.e_shnum; ++i)
      sections_.push_back(At<Elf64_Shdr>(header.e_shoff + i * header.e_shentsize));
  }

  const Elf64_Shdr* Section(std::uint32_t type) const {
    for (const Elf64_Shdr& section : sections_)
      if (section.sh_type == type) return &section;
    return nullptr;
  }
  const Elf64_Shdr& StringsOf(const Elf64_Shdr& section) const {
    if (section.sh_link >= sections_.size()) throw Malformed("has no strings where it says");
    return sections_[section.sh_link];
  }

  void ReadDynamic() {
    const Elf64_Shdr* dynamic = Section(SHT_DYNAMIC);
    if (dynamic == nullptr) throw Malformed("has no dynamic section");
    for (std::uint64_t at = 0; at < dynamic->sh_size; at += sizeof(Elf64_Dyn)) {
      const auto entry = At<Elf64_Dyn>(dynamic->sh_offset + at);
      if (entry.d_tag == DT_NULL) return;
      if (entry.d_tag == DT_SONAME) object_.soname = TextAt(StringsOf(*dynamic), entry.d_un.d_val);
      if (entry.d_tag == DT_NEEDED)
        object_.needed.push_back(TextAt(StringsOf(*dynamic), entry.d_un.d_val));
    }
  }

  void ReadVersions() {
    const Elf64_Shdr* section = Section(SHT_GNU_verdef);
    if (section == nullptr) return;
    std::uint64_t at = section->sh_offset;
    for (std::uint32_t i = 0; i < section->sh_info; ++i) {
      const auto version = At<Elf64_Verdef>(at);
      const auto name = At<Elf64_Verdaux>(at + version.vd_aux);
      // The base version is the name of the file itself.
      if ((version.vd_flags & VER_FLG_BASE) == 0)
        versions_[version.vd_ndx] = TextAt(StringsOf(*section), name.vda_name);
      at += version.vd_next;
    }
  }

  void ReadSymbols() {
    const Elf64_Shdr* symbols = Section(SHT_DYNSYM);
    const Elf64_Shdr* indices = Section(SHT_GNU_versym);
    if (symbols == nullptr) throw Malformed("has no dynamic symbols");
    for (std::uint64_t i = 1; i < symbols->sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = At<Elf64_Sym>(symbols->sh_offset + i * sizeof(Elf64_Sym));
      const auto index = indices == nullptr
                             ? std::uint16_t{VER_NDX_GLOBAL}
                             : At<std::uint16_t>(indices->sh_offset + i * sizeof(std::uint16_t));
      Add(symbol, TextAt(StringsOf(*symbols), symbol.st_name), index);
    }
  }

  void Add(const Elf64_Sym& symbol, std::string name, std::uint16_t index) {
    constexpr std::uint16_t kHidden = 0x8000;  // not the default version
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    const bool defined = symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL;
    const auto version = versions_.find(index & ~kHidden);
    const bool versioned = version != versions_.end();
    // The linker makes a symbol of each version's own name.
    const bool is_node = symbol.st_shndx == SHN_ABS && versioned && version->second == name;
    if (symbol.st_shndx == SHN_UNDEF) object_.imports.push_back(name);
    if (!defined || is_node) return;
    object_.exports.push_back({std::move(name), versioned ? version->second : "",
                               (index & kHidden) == 0, type == STT_FUNC || type == STT_GNU_IFUNC});
  }

  std::span<const char> file_;
  std::vector<Elf64_Shdr> sections_;
  std::map<unsigned, std::string> versions_;
  SharedObject object_;
};

}  // namespace

std::optional<SharedObject> ReadSharedObject(const std::string& path, std::string& problem) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> file{std::istreambuf_iterator<char>(in), {}};
  if (!in || file.empty()) {
    problem = path + ": cannot be read";
    return std::nullopt;
  }
  try {
    return Reader(file).Read();
  } catch (const Malformed& reason) {
    problem = path + ": " + reason.what();
    return std::nullopt;
  }
}

}  // namespace conformance
