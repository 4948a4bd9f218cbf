// The checks of rpma_srq_new(3), beside its page in spec/.
#include "spec/rpma_srq_new.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_srq_new {

// Both sizes, and what the queue then has.
std::vector<Script> Sizes() {
  std::vector<Script> scripts;
  for (const char* rq_size : {"1", "7", "0", "UINT32_MAX"})
    for (const char* rcq_size : {"1", "0", "7", "UINT32_MAX"})
      scripts.push_back(
          MustParseScript("given peer; rpma_srq_cfg_new(&cfg); rpma_srq_cfg_set_rq_size(cfg, " +
                          std::string(rq_size) + "); rpma_srq_cfg_set_rcq_size(cfg, " + rcq_size +
                          "); rpma_srq_new(peer, cfg, &srq); rpma_srq_cfg_delete(&cfg); "
                          "rpma_srq_get_rcq(srq, &rcq)"));
  return scripts;
}

constexpr char kWithCfg[] =
    "given peer; rpma_srq_cfg_new(&cfg); "
    "rpma_srq_cfg_set_rcq_size(cfg, 0); ";

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given peer; rpma_srq_cfg_new(&cfg)",
               "rpma_srq_new",
               {{"peer", "!", "NULL"}, {"NULL", "cfg"}, {"&srq", "!", "NULL"}},
               ""}),
       Scripts({"given peer; rpma_srq_new(peer, NULL, &srq); rpma_srq_new(peer, NULL, &other)"}),
       Sizes(),
       WithFaults(
           "given peer; FAULT; rpma_srq_new(peer, NULL, &srq)",
           {"malloc ENOMEM", "ibv_create_srq ENOMEM", "ibv_create_srq EINVAL",
            "ibv_create_comp_channel EMFILE", "ibv_create_cq ENOMEM", "ibv_req_notify_cq EIO"},
           4),
       WithFaults(std::string(kWithCfg).append("FAULT; rpma_srq_new(peer, cfg, &srq)"),
                  {"malloc ENOMEM", "ibv_create_srq ENOMEM"}, 2)});
}

const ScriptChecks kChecks{&spec::rpma_srq_new::kPage, AllScripts};

}  // namespace conformance::rpma_srq_new
