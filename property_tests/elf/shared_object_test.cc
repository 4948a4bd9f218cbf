#include "property_tests/elf/shared_object.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "property_tests/testing/temp_folder.h"

namespace conformance {

namespace {

using spec::librpma::Export;
using spec::librpma::SharedObject;

// This program is a shared object too, as the loader sees it.
constexpr char kThisProgram[] = "/proc/self/exe";

std::string Problem(const std::string& path) {
  std::string problem;
  EXPECT_FALSE(ReadSharedObject(path, problem).has_value());
  return problem;
}

// Why a file of this content cannot be read, without its name.
std::string ProblemOfContent(const std::string& content) {
  const TempFolder folder;
  const std::string path = folder.file("shared_object");
  std::ofstream(path, std::ios::binary) << content;
  const std::string problem = Problem(path);
  EXPECT_EQ(problem.rfind(path, 0), 0u) << problem;
  return problem.substr(std::min(path.size(), problem.size()));
}

TEST(SharedObject, TellsWhatItNeeds) {
  std::string problem;
  const auto object = ReadSharedObject(kThisProgram, problem);

  ASSERT_TRUE(object) << problem;
  EXPECT_EQ(object->soname, "");
  EXPECT_EQ(std::count(object->needed.begin(), object->needed.end(), "libc.so.6"), 1);
}

TEST(SharedObject, TellsFunctionsDataAndVersions) {
  std::string problem;
  const auto libc = ReadSharedObject("/lib/x86_64-linux-gnu/libc.so.6", problem);
  ASSERT_TRUE(libc) << problem;
  const auto find = [&](const std::string& name) {
    return *std::find_if(libc->exports.begin(), libc->exports.end(),
                         [&](const Export& one) { return one.name == name && one.is_default; });
  };

  EXPECT_EQ(libc->soname, "libc.so.6");
  EXPECT_TRUE(find("printf").is_function);
  EXPECT_EQ(find("printf").version, "GLIBC_2.2.5");
  EXPECT_FALSE(find("stdout").is_function);
}

TEST(SharedObject, WhatCannotBeReadIsAProblem) {
  EXPECT_EQ(Problem("/nonexistent"), "/nonexistent: cannot be read");
  EXPECT_EQ(ProblemOfContent("no library"), ": is no 64-bit shared object");
  const std::string text(100, 'x');
  EXPECT_EQ(ProblemOfContent(text), ": is no 64-bit shared object");
}

// Wherever it ends, a part of a file is a problem and no crash: the section headers come last.
TEST(SharedObject, APartOfAFileIsAProblem) {
  std::ifstream in(CONFORMANCE_ALLOCATING, std::ios::binary);  // a small one
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  ASSERT_FALSE(whole.empty());

  constexpr std::size_t kParts = 20;
  for (std::size_t part = 1; part < kParts; ++part)
    EXPECT_NE(ProblemOfContent(whole.substr(0, whole.size() * part / kParts)), "");
}

}  // namespace

}  // namespace conformance
