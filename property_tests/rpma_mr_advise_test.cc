// The checks of rpma_mr_advise(3), beside its page in spec/.
#include "spec/rpma_mr_advise.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_mr_advise {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Scripts({"rpma_mr_advise(NULL, 0, 0, IBV_ADVISE_MR_ADVICE_PREFETCH, 0)"}),
               Expand({"given region",
                       "rpma_mr_advise",
                       {{"mr"},
                        {"0", "4096", "8", "!", "4097", "SIZE_MAX"},
                        {"0", "1", "4096", "!", "4097", "0x100000000", "SIZE_MAX"},
                        {"IBV_ADVISE_MR_ADVICE_PREFETCH", "IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE",
                         "IBV_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT", "3", "-1"},
                        {"0", "IBV_ADVISE_MR_FLAG_FLUSH", "2", "UINT32_MAX"}},
                       ""}),
               WithFaults("given region; FAULT; "
                          "rpma_mr_advise(mr, 0, 4096, IBV_ADVISE_MR_ADVICE_PREFETCH, 0)",
                          {"ibv_advise_mr EFAULT", "ibv_advise_mr EPERM", "ibv_advise_mr ENOENT",
                           "ibv_advise_mr EINVAL", "ibv_advise_mr EOPNOTSUPP", "ibv_advise_mr EIO",
                           "ibv_advise_mr ENOMEM"},
                          1)});
}

const ScriptChecks kChecks{&spec::rpma_mr_advise::kPage, AllScripts};

}  // namespace conformance::rpma_mr_advise
