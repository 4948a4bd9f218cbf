// Every function of librpma.h: its parameters, and a way to call it with arguments that are only
// known at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace conformance {

enum class ParamKind {
  kNumber,       // an integer, bool or enum
  kText,         // const char*
  kBytesIn,      // memory that is only read
  kBytesOut,     // memory whose size the page says
  kHandle,       // of an object
  kHandleOut,    // where a handle goes
  kHandleInOut,  // where the handle of an object that the call ends is
  kNumberOut,    // where a number or a struct goes
  kOther,        // a function
};

struct Param {
  ParamKind kind;
  std::size_t size;  // bytes of what it points to; 0: not said by its type
  // Of the object behind a handle: "rpma_peer". Of a number or struct that comes out, and of an
  // enum that goes in, as C has it.
  std::string_view type = {};
};

inline constexpr std::size_t kMostArguments = 9;

struct Function {
  std::string_view name;
  std::vector<Param> params;
  // Calls `symbol`, which has this function's type. Text comes back as its address.
  std::int64_t (*call)(void* symbol, const std::uint64_t* arguments);
};

const std::vector<Function>& AllFunctions();
const Function* FindFunction(std::string_view name);

// A decimal or hexadecimal number, perhaps with a minus. False: it is none.
bool ReadNumber(std::string_view text, std::uint64_t& value);

// The value of a constant of librpma.h or errno.h, or of several joined with |. False: unknown.
bool FindConstant(std::string_view name, std::uint64_t& value);

}  // namespace conformance
