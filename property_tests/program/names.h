// How the text form spells each value: one table per type, used for printing and for parsing.
#pragma once

#include <cerrno>
#include <optional>
#include <string_view>

#include "property_tests/program/program.h"

namespace conformance {

template <class Value>
struct Name {
  Value value;
  std::string_view text;
};

inline constexpr Name<Remote> kRemoteNames[] = {
    {Remote::kGood, "D"},          {Remote::kNull, "NULL"},       {Remote::kStale, "stale"},
    {Remote::kForeign, "foreign"}, {Remote::kNoWrite, "nowrite"}, {Remote::kNoRead, "noread"},
    {Remote::kOdd, "odd"},
};

// The good one has a name of its own for each kind of step.
inline constexpr Name<Local> kLocalNames[] = {
    {Local::kNull, "NULL"}, {Local::kForeign, "foreign"}, {Local::kNoUsage, "nousage"}};

inline constexpr Name<int> kFlushTypeNames[] = {{0, "PERSISTENT"}, {1, "VISIBILITY"}};

inline constexpr Name<int> kFlagNames[] = {{0, "0"}, {1, "ON_ERROR"}, {3, "ALWAYS"}};

inline constexpr Name<std::uint64_t> kErrnoNames[] = {
    {ENOMEM, "ENOMEM"}, {EINVAL, "EINVAL"}, {EIO, "EIO"}};

struct ConfigNumber {
  const char* name;
  std::uint32_t Config::*field;
};
inline constexpr ConfigNumber kConfigNumbers[] = {{"sq", &Config::sq},   {"rq", &Config::rq},
                                                  {"cq", &Config::cq},   {"rcq", &Config::rcq},
                                                  {"srq", &Config::srq}, {"srcq", &Config::srcq}};

template <class Table, class Value>
constexpr std::string_view NameOf(const Table& table, Value value) {
  for (const auto& name : table)
    if (name.value == value) return name.text;
  return "?";
}

template <class Value, std::size_t size>
constexpr std::optional<Value> ValueOf(const Name<Value> (&table)[size], std::string_view text) {
  for (const Name<Value>& name : table)
    if (name.text == text) return name.value;
  return std::nullopt;
}

}  // namespace conformance
