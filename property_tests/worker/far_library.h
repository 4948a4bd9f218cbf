// The library under test as the far end has it loaded: a table whose functions run there.
#pragma once

#include <string>

#include "property_tests/worker/fake_control.h"
#include "property_tests/worker/far_end.h"
#include "property_tests/worker/library.h"

namespace conformance {

// What the far end has of its own. Only its jobs look at it.
struct Far {
  void* handle = nullptr;  // of dlopen
  Library library;
  const FakeControl* fake = nullptr;
};
Far& AtFarEnd();

// Has the far end load the library at `path`; functions that it lacks are null here too. What a
// call's handles, text and buffers point to has to be in shared memory; where it puts a handle or a
// number may be anywhere. There is one far end in a process. False: it cannot load it.
bool LoadAtFarEnd(FarEnd* far, const std::string& path, Library& functions);

}  // namespace conformance
