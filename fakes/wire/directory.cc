#include "wire/directory.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace fakenic {

std::optional<std::string> FabricPath() {
  const char* given = std::getenv("FAKENIC_FABRIC");
  if (given != nullptr && std::strcmp(given, "off") == 0) return std::nullopt;
  if (given != nullptr && *given != '\0') return given;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  struct stat status {};
  if (runtime != nullptr && *runtime == '/' && stat(runtime, &status) == 0 &&
      status.st_uid == geteuid()) {
    return std::string(runtime).append("/fakenic");
  }
  return std::string("/tmp/fakenic-").append(std::to_string(geteuid()));
}

File OpenFabricDirectory(const std::string& path, std::string& why) {
  const auto failed = [&](const std::string& reason) {
    why = std::string("the fabric's directory ").append(path).append(": ").append(reason);
    return File();
  };
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return failed(strerror(errno));
  File directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!directory.open() || fstat(directory.get(), &status) != 0) return failed(strerror(errno));
  if (status.st_uid != geteuid()) {
    return failed(std::string("belongs to user ")
                      .append(std::to_string(status.st_uid))
                      .append(", expected ")
                      .append(std::to_string(geteuid())));
  }
  if ((status.st_mode & 077) != 0) {
    char mode[8];
    std::snprintf(mode, sizeof mode, "%04o", status.st_mode & 07777u);
    return failed(
        std::string("has mode ").append(mode).append(", expected 0700: others may enter"));
  }
  return directory;
}

}  // namespace fakenic
