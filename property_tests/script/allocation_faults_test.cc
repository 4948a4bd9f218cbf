#include "property_tests/script/allocation_faults.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>

namespace conformance {

namespace {

class AllocationFaultsTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(library_, nullptr) << dlerror(); }
  void TearDown() override { faults_.Clear(); }

  // Whether the library's function of this name got its memory.
  bool Gets(const char* name) { return reinterpret_cast<bool (*)()>(dlsym(library_, name))(); }

  void* library_ = dlopen(CONFORMANCE_ALLOCATING, RTLD_NOW | RTLD_LOCAL);
  AllocationFaults faults_{library_};
};

constexpr const char* kHeapFunctions[] = {"GetsMalloc",       "GetsCalloc",    "GetsRealloc",
                                          "GetsAlignedAlloc", "GetsStrdup",    "GetsPosixMemalign",
                                          "GetsNew",          "GetsNewNothrow"};

TEST_F(AllocationFaultsTest, WithoutAPlanNothingFails) {
  for (const char* name : kHeapFunctions) EXPECT_TRUE(Gets(name)) << name;
  EXPECT_TRUE(Gets("GetsMmap"));
  EXPECT_EQ(faults_.fired(), 0u);
}

TEST_F(AllocationFaultsTest, EveryWayToTheHeapFailsOnceAsPlanned) {
  for (const char* name : kHeapFunctions) {
    faults_.Plan("malloc", 1);

    errno = 0;
    EXPECT_FALSE(Gets(name)) << name;
    EXPECT_TRUE(Gets(name)) << name;
  }
  EXPECT_EQ(faults_.fired(), std::size(kHeapFunctions));
}

TEST_F(AllocationFaultsTest, TheNthCallFailsAndNoOther) {
  faults_.Plan("malloc", 3);

  EXPECT_TRUE(Gets("GetsMalloc"));
  EXPECT_TRUE(Gets("GetsCalloc"));
  EXPECT_FALSE(Gets("GetsMalloc"));
  EXPECT_TRUE(Gets("GetsMalloc"));
}

TEST_F(AllocationFaultsTest, MmapHasAPlanOfItsOwn) {
  faults_.Plan("mmap", 1);

  EXPECT_TRUE(Gets("GetsMalloc"));
  EXPECT_FALSE(Gets("GetsMmap"));
  EXPECT_TRUE(Gets("GetsMmap"));
}

TEST_F(AllocationFaultsTest, NobodyElseIsHit) {
  faults_.Plan("malloc", 1);

  void* ours = std::malloc(1);
  EXPECT_NE(ours, nullptr);
  std::free(ours);
  EXPECT_FALSE(Gets("GetsMalloc"));
}

TEST_F(AllocationFaultsTest, WhatWasClearedDoesNotFail) {
  faults_.Plan("malloc", 1);
  faults_.Clear();

  EXPECT_TRUE(Gets("GetsMalloc"));
  EXPECT_EQ(faults_.fired(), 0u);
}

}  // namespace

}  // namespace conformance
