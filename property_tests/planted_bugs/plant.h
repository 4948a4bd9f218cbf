// A library that is right but for one planted bug, which the environment variable PLANTED_BUG
// names. It is linked to the reference library and exports only the functions that some bug
// changes; the loader finds the others behind it.
#pragma once

#include <dlfcn.h>
#include <librpma.h>

#include <cstdint>
#include <string_view>

namespace planted {

// The bug of this process; empty: none.
std::string_view Bug();

// The reference's function behind the one of ours that has its name.
template <class Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// The suite's own writes, with which it asks whether a connection still works, are spared: a
// library that breaks every write leaves nothing to learn from.
inline constexpr std::uintptr_t kMarkerContext = 0x6d61726b;
// The context of the suite's argument products. No random program uses it, so a bug that is planted
// there alone cannot be seen as something else in a longer program.
inline constexpr std::uintptr_t kTableContext = 0x7;

struct WriteCall {
  rpma_conn* conn;
  rpma_mr_remote* dst;
  size_t dst_offset;
  const rpma_mr_local* src;
  size_t src_offset;
  size_t len;
  int flags;
  const void* op_context;

  int Post() const;  // by the reference
  bool plain() const { return conn != nullptr && dst != nullptr && src != nullptr && flags != 0; }
  bool table() const {
    return plain() && op_context == reinterpret_cast<const void*>(kTableContext);
  }
};

struct AtomicWriteCall {
  rpma_conn* conn;
  rpma_mr_remote* dst;
  size_t dst_offset;
  const char* src;
  int flags;
  const void* op_context;

  int Post() const;  // by the reference
  bool plain() const {
    return conn != nullptr && dst != nullptr && src != nullptr && flags != 0 && dst_offset % 8 == 0;
  }
  bool table() const {
    return plain() && op_context == reinterpret_cast<const void*>(kTableContext);
  }
};

inline const void* Cut(const void* op_context) {
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(op_context) & 0xffffffff);
}

// Remembers an operation whose completion the bug concerns, by its context; a new post with that
// context forgets it.
void Remember(const void* op_context);
void Forget(const void* op_context);
// For the queue-depth bugs: more than two posts on a connection without a completion in between are
// too many.
bool TooManyOutstanding(const rpma_conn* conn);
int CountPosted(const rpma_conn* conn, int result);  // gives `result` back
// Does what was put off; for bugs that act late.
void CatchUp();
// The write that an atomic write becomes in two halves.
int PostInHalves(const AtomicWriteCall& call);
// Puts off an atomic write until the library is next called.
void PutOff(const AtomicWriteCall& call);

}  // namespace planted
