#include "command/doctor.h"

#include <elf.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "command/elf_file.h"
#include "command/loader.h"

namespace fakenic {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLoader = "/lib64/ld-linux-x86-64.so.2";
constexpr const char* kSonames[] = {"libibverbs.so.1", "librdmacm.so.1"};

bool StartsWith(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

bool IsOurs(const std::string& path, const std::string& fake_dir) {
  std::error_code error;
  return fs::equivalent(fs::path(path).parent_path(), fake_dir, error);
}

// "libibverbs.so.2" for a library of another version than the fake's; empty for all else.
bool IsOtherVersion(const std::string& name) {
  for (const std::string soname : kSonames) {
    const std::string stem = soname.substr(0, soname.find('.'));
    if (StartsWith(name, stem + ".so") && name != soname) return true;
  }
  return false;
}

class Examination {
 public:
  Examination(const std::string& program, const std::string& fake_dir)
      : program_(program), fake_dir_(fake_dir) {}

  std::vector<Finding> Run() {
    const auto elf = ReadElf(program_);
    if (!elf) {
      NoElf();
    } else if (CheckKind(*elf)) {
      CheckPrivilege();
      libraries_ =
          TraceLoad(elf->has_interpreter ? elf->interpreter : kLoader, program_, fake_dir_);
      CheckLibraries(*elf);
      CheckImports(program_, *elf);
      for (const LoadedLibrary& library : libraries_) {
        if (library.path.empty() || IsOurs(library.path, fake_dir_)) continue;
        if (const auto loaded = ReadElf(library.path)) CheckImports(library.path, *loaded);
      }
    }
    return std::move(findings_);
  }

 private:
  void Found(std::string cause, std::string fix) {
    findings_.push_back({std::move(cause), std::move(fix)});
  }

  void NoElf() {
    std::ifstream in(program_);
    std::string line;
    if (!in) return Found(program_ + ": cannot be read", "name a file that you may read");
    std::getline(in, line);
    if (!StartsWith(line, "#!")) {
      return Found(program_ + ": is neither a program nor a library", "name an ELF file");
    }
    Found(program_ + ": is a script, run by" + line.substr(2),
          "examine that program, or the library that the script loads; `fakenic run` runs scripts");
  }

  // False: there is no use in looking further.
  bool CheckKind(const ElfFile& elf) {
    if (!elf.is_64_bit) {
      Found(program_ + ": is a 32-bit program, and the fake is a 64-bit library",
            "build it for 64 bits");
    } else if (elf.machine != EM_X86_64) {
      Found(program_ + ": is built for machine " + std::to_string(elf.machine) + ", the fake for " +
                std::to_string(EM_X86_64) + " (x86-64)",
            "build it for this machine");
    } else if (!elf.is_dynamic || elf.is_static_pie) {
      Found(program_ + ": is linked statically, so it loads no library when it starts",
            "link it with -libverbs and -lrdmacm and without -static");
    } else {
      return true;
    }
    return false;
  }

  void CheckPrivilege() {
    struct stat file;
    if (stat(program_.c_str(), &file) != 0) return;
    if (RunsPrivileged(file, getuid(), getgid())) {
      Found(program_ + ": is set-user-id or set-group-id, so the loader ignores LD_LIBRARY_PATH",
            "run a copy of it without that bit");
    }
    const bool capable = getxattr(program_.c_str(), "security.capability", nullptr, 0) > 0;
    if (capable && getuid() != 0) {
      Found(program_ + ": has file capabilities, so the loader ignores LD_LIBRARY_PATH",
            "run a copy of it, which has none");
    }
  }

  void CheckLibraries(const ElfFile& elf) {
    bool meets = false;
    for (const LoadedLibrary& library : libraries_) {
      const bool expected =
          std::find(std::begin(kSonames), std::end(kSonames), library.name) != std::end(kSonames);
      if (IsOtherVersion(library.name)) {
        Found(program_ + ": needs " + library.name + ", the fake is libibverbs.so.1 and " +
                  "librdmacm.so.1",
              "build it with rdma-core's libraries of those names");
        meets = true;
      } else if (library.path.empty()) {
        Found(program_ + ": needs " + library.name + ", which the loader does not find",
              "install it, or add its directory to LD_LIBRARY_PATH");
      } else if (expected && !IsOurs(library.path, fake_dir_)) {
        FoundReal(elf, library);
        meets = true;
      } else if (expected) {
        meets = true;
      }
    }
    if (!meets && !elf.Imports("dlopen")) {
      Found(program_ + ": loads neither libibverbs.so.1 nor librdmacm.so.1, and opens no library",
            "there is nothing here for the fake to do");
    }
  }

  void FoundReal(const ElfFile& elf, const LoadedLibrary& library) {
    const std::string cause = program_ + ": loads " + library.path + " and not the fake";
    const char* preload = std::getenv("LD_PRELOAD");
    if (preload != nullptr && std::string(preload).find(library.path) != std::string::npos) {
      Found(cause + ", because LD_PRELOAD names it", "unset LD_PRELOAD");
    } else if (!elf.rpath.empty()) {
      Found(cause + "; its RPATH, " + elf.rpath + ", is searched before LD_LIBRARY_PATH",
            "remove it (patchelf --remove-rpath), or link with --enable-new-dtags");
    } else {
      Found(cause, "see the order of search in ld.so(8)");
    }
  }

  // What a file wants from the fake's libraries is there.
  void CheckImports(const std::string& path, const ElfFile& elf) {
    std::set<std::string> missing_versions;
    for (const ElfImport& import : elf.imports) {
      const ElfFile* library = FakeLibrary(import.library);
      if (library == nullptr || library->exports.contains(import.symbol + "@" + import.version)) {
        continue;
      }
      if (library->versions.contains(import.version)) {
        Found(path + ": imports " + import.symbol + "@" + import.version + ", which the fake's " +
                  import.library + " lacks",
              "build it with the headers of rdma-core 44");
      } else if (missing_versions.insert(import.version).second) {
        Found(path + ": needs version " + import.version + " of " + import.library + " (for " +
                  import.symbol + "), and the fake ends with rdma-core 44's",
              "build it with the headers of rdma-core 44");
      }
    }
  }

  // The fake's library of this name; null if it has none.
  const ElfFile* FakeLibrary(const std::string& name) {
    if (name.empty()) return nullptr;
    const auto known = fakes_.find(name);
    if (known != fakes_.end()) return known->second ? &*known->second : nullptr;
    const auto& read = fakes_[name] = ReadElf(fake_dir_ + "/" + name);
    return read ? &*read : nullptr;
  }

  const std::string program_, fake_dir_;
  std::vector<LoadedLibrary> libraries_;
  std::map<std::string, std::optional<ElfFile>> fakes_;
  std::vector<Finding> findings_;
};

}  // namespace

bool RunsPrivileged(const struct stat& file, uid_t user, gid_t group) {
  const bool user_changes = (file.st_mode & S_ISUID) != 0 && file.st_uid != user;
  const bool group_changes = (file.st_mode & S_ISGID) != 0 && file.st_gid != group;
  return user_changes || group_changes;
}

std::vector<Finding> Examine(const std::string& program, const std::string& fake_dir) {
  return Examination(program, fake_dir).Run();
}

}  // namespace fakenic
