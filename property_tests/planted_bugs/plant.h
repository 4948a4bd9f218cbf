// A library that is right but for one planted bug, which the environment variable PLANTED_BUG
// names. It is linked to the reference library and exports only the functions that some bug
// changes; the loader finds the others behind it.
#pragma once

#include <dlfcn.h>
#include <librpma.h>

#include <cstdint>
#include <string_view>

namespace planted {

// The bug of this process, as the id of the rule that it breaks; empty: none.
std::string_view Bug();

// The reference's function behind the one of ours that has its name.
template <class Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// The contexts of what the suite posts for its own purposes. It is spared: a library that breaks
// everything leaves nothing to learn from.
inline constexpr std::uintptr_t kMarkerContext = 0x6d61726b;
inline constexpr std::uintptr_t kOwnContext = 0x6f776e;
// The context of the suite's argument products. No random program uses it, so a bug that is planted
// there alone cannot be seen as something else in a longer program.
inline constexpr std::uintptr_t kTableContext = 0x7;

enum class Function {
  kWrite,
  kAtomicWrite,
  kRead,
  kWriteImm,
  kSend,
  kSendImm,
  kFlush,
  kRecv,
  kSrqRecv,
  kReqRecv,
};

// A call of a function that posts; it leaves empty what the function has not.
struct PostCall {
  Function function;
  void* handle;  // the connection, request or shared receive queue
  rpma_mr_remote* remote = nullptr;
  size_t remote_offset = 0;
  const rpma_mr_local* local = nullptr;
  size_t local_offset = 0;
  const char* word = nullptr;  // of an atomic write
  size_t len = 0;
  int flags = RPMA_F_COMPLETION_ALWAYS;
  const void* op_context = nullptr;
  std::uint32_t imm = 0;
  int type = RPMA_FLUSH_TYPE_VISIBILITY;

  int Post() const;  // by the reference
  std::string_view name() const;
  rpma_conn* conn() const { return static_cast<rpma_conn*>(handle); }
  bool receives() const { return function >= Function::kRecv; }
  bool has_remote() const { return !receives() && !sends(); }
  bool has_local() const {
    return function != Function::kAtomicWrite && function != Function::kFlush;
  }
  bool sends() const { return function == Function::kSend || function == Function::kSendImm; }
  bool no_numbers() const { return remote_offset == 0 && local_offset == 0 && len == 0; }
  // The form without a region.
  bool zero_byte() const {
    return has_local() && remote == nullptr && local == nullptr && no_numbers();
  }
  // No clause of ERRORS forbids it, and it has its regions.
  bool plain() const;
  bool table() const { return plain() && context() == kTableContext; }
  // The simplest case of the argument products.
  bool simplest() const { return table() && len == 8 && remote_offset == 0 && local_offset == 0; }
  std::uintptr_t context() const { return reinterpret_cast<std::uintptr_t>(op_context); }
};

// What a bug does with a call of its function; the result is the library's.
struct PlantedBug {
  std::string_view rule;  // the rule's id, or what stands in it behind the function
  int (*call)(PostCall c);
};

// A call as the planted library answers it.
int Answer(const PostCall& call);
// The bugs that are alike for all functions, and those that one function alone has; nullptr: none
// has this name.
const PlantedBug* FindBugOfAll(std::string_view words);
const PlantedBug* FindBugOfOne(std::string_view id);

inline const void* Cut(const void* op_context) {
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(op_context) & 0xffffffff);
}

// Remembers an operation whose completion the bug concerns, by its context; a new post with that
// context forgets it.
void Remember(const void* op_context);
void Forget(const void* op_context);
// For the queue-depth bugs: more than two posts without a completion in between are too many.
bool TooManyOutstanding(const void* handle);
int CountPosted(const void* handle, int result);  // gives `result` back
// Does what was put off; for bugs that act late.
void CatchUp();
// Puts off an atomic write until the library is next called.
void PutOff(const PostCall& call);
// Posts an atomic write as the writes of its halves.
int PostInHalves(const PostCall& call);
// Changes a byte that is in no region.
void ChangeStrayByte();
// A region that reads and receives may land in, of the end that registered first.
rpma_mr_local* SomeLandingRegion();
// The next receive of the suite's own, or the next connection, does not work.
void BreakNextReceive();
bool ReceiveIsToBreak();
void BreakNextConnection();

}  // namespace planted
