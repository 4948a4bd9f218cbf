#include "property_tests/worker/library.h"

#include <dlfcn.h>

namespace conformance {

LoadedLibrary LoadLibraryUnderTest(const std::string& path) {
  LoadedLibrary loaded;
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    loaded.problem = dlerror();
    return loaded;
  }
  loaded.handle = handle;
  std::string missing;
  Library& f = loaded.functions;
#define X(name)                                                      \
  f.name = reinterpret_cast<decltype(f.name)>(dlsym(handle, #name)); \
  if (f.name == nullptr) missing += " " #name;
  CONFORMANCE_NEEDED(X)
#undef X
#define X(name) f.name = reinterpret_cast<decltype(f.name)>(dlsym(handle, #name));
  CONFORMANCE_OPTIONAL(X)
#undef X
  if (!missing.empty())
    loaded.problem = path + ": the suite needs, and it does not export:" + missing;
  return loaded;
}

}  // namespace conformance
