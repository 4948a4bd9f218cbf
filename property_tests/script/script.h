// The second kind of case: calls of any of the library's functions, as a C program would write
// them, on objects that earlier calls have made.
//
//   given peer; rpma_conn_cfg_new(&cfg); rpma_conn_cfg_set_sq_size(cfg, 7);
//   rpma_conn_cfg_get_sq_size(cfg, &size)
//
// A first `given NAME` stands for the calls that bring the world there (givens.h). An argument is
// NULL, a number, a constant of librpma.h or several joined with |, a variable, or & and a
// variable. Variables need no declaration. `addr` and `port` are the device's address and a port of
// the case's own, `mem` is memory of kMemorySize bytes, mem+8 its ninth byte, `log` and `log2` are
// log functions of the caller's. What is left alive at the end is deleted. Steps of the
// environment's own: see kFault and what follows it.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "property_tests/program/text.h"

namespace conformance {

inline constexpr std::size_t kMemorySize = 4 * 4096;

// fault(NAME, n, ERRNO): the nth call from now of this verb, RDMA CM or allocation function fails.
// Takes the place of a failure that was planned before and has not come about.
inline constexpr std::string_view kFault = "fault";
// nonblock(fd): sets O_NONBLOCK on the descriptor that this variable holds.
inline constexpr std::string_view kNonblock = "nonblock";
// readable(fd): judges whether the descriptor can be read exactly while something is due on it.
inline constexpr std::string_view kReadable = "readable";
// advance(ms): the fake NIC's clock moves on.
inline constexpr std::string_view kAdvance = "advance";
// network(silent): what is sent to the device's address is lost, until the script ends.
inline constexpr std::string_view kNetwork = "network";
// device(gone): the device is taken away, until what the script has made is deleted.
inline constexpr std::string_view kDevice = "device";
// All of these.
inline constexpr std::string_view kOwnSteps[] = {kFault,   kNonblock, kReadable,
                                                 kAdvance, kNetwork,  kDevice};

struct ScriptCall {
  std::string function;
  std::vector<std::string> arguments;

  bool operator==(const ScriptCall&) const = default;
};

// The variable that an argument names, without its &.
inline std::string_view Bare(std::string_view argument) {
  return argument.substr(argument.rfind('&', 0) == 0 ? 1 : 0);
}

struct Script {
  std::string given;  // "" : nothing
  std::vector<ScriptCall> calls;

  bool operator==(const Script&) const = default;
};

bool IsScript(std::string_view text);
std::string Print(const ScriptCall& call);
std::string Print(const Script& script);
// Knows the functions, and how many arguments each takes.
std::variant<Script, ParseError> ParseScript(std::string_view text);
// For texts that are part of this program.
Script MustParseScript(std::string_view text);

}  // namespace conformance
