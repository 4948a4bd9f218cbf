// The checks of rpma_mr_get_descriptor(3), beside its page in spec/.
#include "spec/rpma_mr_get_descriptor.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_mr_get_descriptor {

// Every usage there is, and what the other side makes of it.
std::vector<Script> EveryUsage() {
  constexpr int kUsages = 0x100;
  std::vector<Script> scripts;
  for (int usage = 1; usage < kUsages; ++usage)
    scripts.push_back(MustParseScript(
        "given peer; rpma_mr_reg(peer, mem+24, 4096, " + std::to_string(usage) +
        ", &mr); rpma_mr_get_descriptor(mr, &desc); rpma_mr_remote_from_descriptor(&desc, 21, "
        "&remote); rpma_mr_remote_get_size(remote, &size); rpma_mr_remote_get_flush_type(remote, "
        "&flush)"));
  return scripts;
}

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Scripts({"given region; rpma_mr_get_descriptor(mr, &desc); "
                        "rpma_mr_get_descriptor(mr, &desc); rpma_mr_get_descriptor(mr, &other)"}),
               Expand({"given region",
                       "rpma_mr_get_descriptor",
                       {{"mr", "!", "NULL"}, {"&desc", "!", "NULL"}},
                       ""}),
               EveryUsage()});
}

const ScriptChecks kChecks{&spec::rpma_mr_get_descriptor::kPage, AllScripts};

}  // namespace conformance::rpma_mr_get_descriptor
