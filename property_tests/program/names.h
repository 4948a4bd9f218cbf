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

inline constexpr Name<StepKind> kStepNames[] = {
    {StepKind::kWrite, "write"},         {StepKind::kAtomicWrite, "atomic_write"},
    {StepKind::kPoll, "poll"},           {StepKind::kWait, "wait"},
    {StepKind::kTakeStep, "step"},       {StepKind::kRun, "run"},
    {StepKind::kFault, "fault"},         {StepKind::kDereg, "dereg"},
    {StepKind::kAlternate, "alternate"}, {StepKind::kDrain, "drain"},
};

inline constexpr Name<Target> kTargetNames[] = {
    {Target::kGood, "D"},          {Target::kNull, "NULL"},       {Target::kStale, "stale"},
    {Target::kForeign, "foreign"}, {Target::kNoWrite, "nowrite"}, {Target::kOdd, "odd"},
};

inline constexpr Name<Source> kSourceNames[] = {
    {Source::kGood, "S"}, {Source::kNull, "NULL"}, {Source::kForeign, "foreign"}};

inline constexpr Name<int> kFlagNames[] = {{0, "0"}, {1, "ON_ERROR"}, {3, "ALWAYS"}};

inline constexpr Name<std::uint64_t> kErrnoNames[] = {
    {ENOMEM, "ENOMEM"}, {EINVAL, "EINVAL"}, {EIO, "EIO"}};

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
