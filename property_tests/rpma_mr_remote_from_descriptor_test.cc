// The checks of rpma_mr_remote_from_descriptor(3), beside its page in spec/.
#include "spec/rpma_mr_remote_from_descriptor.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_mr_remote_from_descriptor {

// A descriptor and three bytes more: address, size, key, usage.
std::string Descriptor(const std::string& address, const std::string& size,
                       const std::string& usage) {
  return "bytes:" + address + size + "11223344" + usage + "a5a5a5";
}

constexpr char kAddress[] = "0010000000000000";
constexpr char kHighAddress[] = "00f0ffffffffffff";
constexpr char kSize[] = "0020000000000000";
constexpr char kBigSize[] = "0000000012000000";
constexpr char kHugeSize[] = "1032547698badc7e";
constexpr char kNothing[] = "0000000000000000";

std::vector<Script> AllScripts(std::uint64_t) {
  const std::string plain = Descriptor(kAddress, kSize, "08");
  const std::string get =
      "rpma_mr_remote_get_size(mr, &size); rpma_mr_remote_get_flush_type(mr, &flush)";
  return Join(
      {Expand({"",
               "rpma_mr_remote_from_descriptor",
               {{plain, Descriptor(kAddress, kBigSize, "30"), Descriptor(kAddress, kHugeSize, "10"),
                 Descriptor(kAddress, kSize, "20"), Descriptor(kAddress, kSize, "ff"),
                 Descriptor(kAddress, kNothing, "08"), Descriptor(kHighAddress, kSize, "08"), "!",
                 "NULL", Descriptor(kAddress, kSize, "00")},
                {"21", "22", "24", "!", "20", "1", "0"},
                {"&mr", "!", "NULL"}},
               get}),
       WithFaults("FAULT; rpma_mr_remote_from_descriptor(" + plain + ", 21, &mr)",
                  {"malloc ENOMEM"}, 2)});
}

const ScriptChecks kChecks{&spec::rpma_mr_remote_from_descriptor::kPage, AllScripts};

}  // namespace conformance::rpma_mr_remote_from_descriptor
