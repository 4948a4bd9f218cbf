// The ERRORS oracles of both pages against a truth written down by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "spec/catalogue.h"
#include "spec/rpma_atomic_write.h"
#include "spec/rpma_write.h"
#include "spec/test_handles.h"

namespace spec {

namespace {

std::set<std::string> Ids(const Refusals& refusals) {
  std::set<std::string> ids;
  for (std::size_t i = 0; i < refusals.size(); ++i) {
    EXPECT_EQ(refusals.error(i), RPMA_E_INVAL);
    const std::string id(refusals.rule(i)->id);
    ids.insert(id.substr(id.find('.') + 1));
  }
  return ids;
}

std::set<std::string> Write(bool conn, bool dst, size_t dst_offset, bool src, size_t src_offset,
                            size_t len, int flags) {
  return Ids(
      Forbidden(rpma_write::kErrors,
                rpma_write::Arguments{Some<rpma_conn>(conn), Some<rpma_mr_remote>(dst), dst_offset,
                                      Some<rpma_mr_local>(src), src_offset, len, flags}));
}

std::set<std::string> AtomicWrite(bool conn, bool dst, size_t dst_offset, bool src, int flags) {
  return Ids(
      Forbidden(rpma_atomic_write::kErrors,
                rpma_atomic_write::Arguments{Some<rpma_conn>(conn), Some<rpma_mr_remote>(dst),
                                             dst_offset, Some<char>(src), flags}));
}

using Set = std::set<std::string>;

TEST(WriteOracle, ForbidsWhatThePageLists) {
  EXPECT_EQ(Write(true, true, 0, true, 0, 8, 3), Set{});
  EXPECT_EQ(Write(true, true, SIZE_MAX, true, SIZE_MAX, SIZE_MAX, -1), Set{});
  EXPECT_EQ(Write(false, true, 0, true, 0, 8, 3), Set{"conn-null"});
  EXPECT_EQ(Write(true, true, 0, true, 0, 8, 0), Set{"flags-zero"});
  EXPECT_EQ(Write(true, false, 0, true, 0, 8, 3), Set{"dst-null"});
  EXPECT_EQ(Write(true, false, 0, true, 0, 0, 3), Set{"dst-null"});
  EXPECT_EQ(Write(true, true, 0, false, 0, 8, 3), Set{"src-null"});
  EXPECT_EQ(Write(true, true, 0, false, 0, 0, 3), Set{"src-null"});
  EXPECT_EQ(Write(false, false, 0, true, 0, 8, 0), (Set{"conn-null", "flags-zero", "dst-null"}));
}

TEST(WriteOracle, AllowsTheZeroByteFormOnlyWithAllNumbersZero) {
  EXPECT_EQ(Write(true, false, 0, false, 0, 0, 3), Set{});
  EXPECT_EQ(Write(true, false, 0, false, 0, 0, 1), Set{});
  EXPECT_EQ(Write(true, false, 1, false, 0, 0, 3), (Set{"dst-null", "src-null"}));
  EXPECT_EQ(Write(true, false, 0, false, 1, 0, 3), (Set{"dst-null", "src-null"}));
  EXPECT_EQ(Write(true, false, 0, false, 0, 1, 3), (Set{"dst-null", "src-null"}));
  EXPECT_EQ(Write(true, false, 0, false, 0, 0, 0), Set{"flags-zero"});
}

TEST(AtomicWriteOracle, ForbidsWhatThePageLists) {
  EXPECT_EQ(AtomicWrite(true, true, 0, true, 3), Set{});
  EXPECT_EQ(AtomicWrite(true, true, 8, true, 1), Set{});
  EXPECT_EQ(AtomicWrite(true, true, SIZE_MAX - 7, true, -1), Set{});
  EXPECT_EQ(AtomicWrite(false, true, 0, true, 3), Set{"conn-null"});
  EXPECT_EQ(AtomicWrite(true, false, 0, true, 3), Set{"dst-null"});
  EXPECT_EQ(AtomicWrite(true, true, 0, false, 3), Set{"src-null"});
  EXPECT_EQ(AtomicWrite(true, true, 0, true, 0), Set{"flags-zero"});
  for (size_t offset = 1; offset < 8; ++offset)
    EXPECT_EQ(AtomicWrite(true, true, offset, true, 3), Set{"dst-offset-unaligned"}) << offset;
  EXPECT_EQ(AtomicWrite(false, false, 4, false, 0),
            (Set{"conn-null", "dst-null", "src-null", "flags-zero", "dst-offset-unaligned"}));
}

TEST(Catalogue, IdsAreUniqueAndNameTheirPage) {
  std::set<std::string_view> ids;
  EXPECT_LE(Catalogue().size(), kMostRules);
  for (const Rule* rule : Catalogue()) {
    EXPECT_TRUE(ids.insert(rule->id).second) << rule->id;
    const bool of_data_path =
        std::any_of(DataPages().begin(), DataPages().end(),
                    [&](const Page* page) { return page->function == FunctionOf(rule); });
    const bool of_the_library = FunctionOf(rule) == "librpma";
    EXPECT_TRUE(of_data_path || of_the_library || FindCallPage(FunctionOf(rule)) != nullptr)
        << rule->id;
    EXPECT_FALSE(rule->sentence.empty()) << rule->id;
    EXPECT_EQ(FindRule(rule->id), rule);
  }
}

}  // namespace

}  // namespace spec
