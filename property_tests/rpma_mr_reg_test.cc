// The checks of rpma_mr_reg(3), beside its page in spec/.
#include "spec/rpma_mr_reg.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_mr_reg {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Scripts({"given peer; rpma_mr_reg(peer, mem, 4096, RPMA_MR_USAGE_READ_SRC, &mr); "
                "rpma_mr_reg(peer, mem, 4096, RPMA_MR_USAGE_READ_SRC, &other)",
                "given peer; rpma_mr_reg(peer, mem, 0x800000000000, RPMA_MR_USAGE_READ_SRC, &mr)",
                "given peer; rpma_mr_reg(peer, mem, 4096, 0, &mr)",
                "given peer; rpma_mr_reg(peer, mem, 4096, 0x100, &mr)"}),
       Expand({"given peer",
               "rpma_mr_reg",
               {{"peer", "!", "NULL"},
                {"mem", "!", "NULL"},
                {"4096", "1", "16384", "!", "0"},
                {"RPMA_MR_USAGE_READ_SRC", "RPMA_MR_USAGE_READ_DST", "RPMA_MR_USAGE_WRITE_SRC",
                 "RPMA_MR_USAGE_WRITE_DST", "RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY",
                 "RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT", "RPMA_MR_USAGE_SEND", "RPMA_MR_USAGE_RECV",
                 "0xff", "0", "0x100", "-1"},
                {"&mr", "!", "NULL"}},
               ""}),
       WithFaults(
           "given peer; FAULT; "
           "rpma_mr_reg(peer, mem, 4096, RPMA_MR_USAGE_WRITE_DST, &mr)",
           {"malloc ENOMEM", "ibv_reg_mr EINVAL", "ibv_reg_mr ENOMEM", "ibv_reg_mr EOPNOTSUPP"},
           3)});
}

const ScriptChecks kChecks{&spec::rpma_mr_reg::kPage, AllScripts};

}  // namespace conformance::rpma_mr_reg
