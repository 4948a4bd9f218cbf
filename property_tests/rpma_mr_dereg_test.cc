// The checks of rpma_mr_dereg(3), beside its page in spec/.
#include "spec/rpma_mr_dereg.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_mr_dereg {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given region", "rpma_mr_dereg", {{"&mr", "!", "NULL"}}, ""}),
       Scripts({"given region; rpma_mr_dereg(&mr); rpma_mr_dereg(&mr)",
                "given region; rpma_mr_reg(peer, mem, 16384, RPMA_MR_USAGE_READ_SRC, &other); "
                "rpma_mr_dereg(&mr); rpma_mr_get_size(other, &size); rpma_mr_dereg(&other)"}),
       WithFaults("given region; FAULT; rpma_mr_dereg(&mr); rpma_mr_get_size(mr, &size); "
                  "rpma_mr_dereg(&mr)",
                  {"ibv_dereg_mr EBUSY", "ibv_dereg_mr EINVAL"}, 2)});
}

const ScriptChecks kChecks{&spec::rpma_mr_dereg::kPage, AllScripts};

}  // namespace conformance::rpma_mr_dereg
