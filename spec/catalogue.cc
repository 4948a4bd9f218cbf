#include "spec/catalogue.h"

#include <map>
#include <vector>

#include "spec/librpma.h"
#include "spec/rpma_atomic_write.h"
#include "spec/rpma_conn_apply_remote_peer_cfg.h"
#include "spec/rpma_conn_cfg_delete.h"
#include "spec/rpma_conn_cfg_get_compl_channel.h"
#include "spec/rpma_conn_cfg_get_cq_size.h"
#include "spec/rpma_conn_cfg_get_rcq_size.h"
#include "spec/rpma_conn_cfg_get_rq_size.h"
#include "spec/rpma_conn_cfg_get_sq_size.h"
#include "spec/rpma_conn_cfg_get_srq.h"
#include "spec/rpma_conn_cfg_get_timeout.h"
#include "spec/rpma_conn_cfg_new.h"
#include "spec/rpma_conn_cfg_set_compl_channel.h"
#include "spec/rpma_conn_cfg_set_cq_size.h"
#include "spec/rpma_conn_cfg_set_rcq_size.h"
#include "spec/rpma_conn_cfg_set_rq_size.h"
#include "spec/rpma_conn_cfg_set_sq_size.h"
#include "spec/rpma_conn_cfg_set_srq.h"
#include "spec/rpma_conn_cfg_set_timeout.h"
#include "spec/rpma_conn_delete.h"
#include "spec/rpma_conn_disconnect.h"
#include "spec/rpma_conn_get_compl_fd.h"
#include "spec/rpma_conn_get_cq.h"
#include "spec/rpma_conn_get_event_fd.h"
#include "spec/rpma_conn_get_private_data.h"
#include "spec/rpma_conn_get_qp_num.h"
#include "spec/rpma_conn_get_rcq.h"
#include "spec/rpma_conn_next_event.h"
#include "spec/rpma_conn_req_connect.h"
#include "spec/rpma_conn_req_delete.h"
#include "spec/rpma_conn_req_get_private_data.h"
#include "spec/rpma_conn_req_new.h"
#include "spec/rpma_conn_req_recv.h"
#include "spec/rpma_conn_wait.h"
#include "spec/rpma_cq_get_fd.h"
#include "spec/rpma_cq_get_wc.h"
#include "spec/rpma_cq_wait.h"
#include "spec/rpma_ep_get_fd.h"
#include "spec/rpma_ep_listen.h"
#include "spec/rpma_ep_next_conn_req.h"
#include "spec/rpma_ep_shutdown.h"
#include "spec/rpma_err_2str.h"
#include "spec/rpma_flush.h"
#include "spec/rpma_log_get_threshold.h"
#include "spec/rpma_log_set_function.h"
#include "spec/rpma_log_set_threshold.h"
#include "spec/rpma_mr_advise.h"
#include "spec/rpma_mr_dereg.h"
#include "spec/rpma_mr_get_descriptor.h"
#include "spec/rpma_mr_get_descriptor_size.h"
#include "spec/rpma_mr_get_ptr.h"
#include "spec/rpma_mr_get_size.h"
#include "spec/rpma_mr_reg.h"
#include "spec/rpma_mr_remote_delete.h"
#include "spec/rpma_mr_remote_from_descriptor.h"
#include "spec/rpma_mr_remote_get_flush_type.h"
#include "spec/rpma_mr_remote_get_size.h"
#include "spec/rpma_peer_cfg_delete.h"
#include "spec/rpma_peer_cfg_from_descriptor.h"
#include "spec/rpma_peer_cfg_get_descriptor.h"
#include "spec/rpma_peer_cfg_get_descriptor_size.h"
#include "spec/rpma_peer_cfg_get_direct_write_to_pmem.h"
#include "spec/rpma_peer_cfg_new.h"
#include "spec/rpma_peer_cfg_set_direct_write_to_pmem.h"
#include "spec/rpma_peer_delete.h"
#include "spec/rpma_peer_new.h"
#include "spec/rpma_read.h"
#include "spec/rpma_recv.h"
#include "spec/rpma_send.h"
#include "spec/rpma_send_with_imm.h"
#include "spec/rpma_srq_cfg_delete.h"
#include "spec/rpma_srq_cfg_get_rcq_size.h"
#include "spec/rpma_srq_cfg_get_rq_size.h"
#include "spec/rpma_srq_cfg_new.h"
#include "spec/rpma_srq_cfg_set_rcq_size.h"
#include "spec/rpma_srq_cfg_set_rq_size.h"
#include "spec/rpma_srq_delete.h"
#include "spec/rpma_srq_get_rcq.h"
#include "spec/rpma_srq_new.h"
#include "spec/rpma_srq_recv.h"
#include "spec/rpma_utils_conn_event_2str.h"
#include "spec/rpma_utils_get_ibv_context.h"
#include "spec/rpma_utils_ibv_context_is_odp_capable.h"
#include "spec/rpma_write.h"
#include "spec/rpma_write_with_imm.h"

namespace spec {

namespace {

// clang-format off
constexpr const CallPage* kCallPages[] = {
    &rpma_utils_get_ibv_context::kPage,
    &rpma_utils_ibv_context_is_odp_capable::kPage,
    &rpma_utils_conn_event_2str::kPage,
    &rpma_err_2str::kPage,
    &rpma_log_set_threshold::kPage,
    &rpma_log_get_threshold::kPage,
    &rpma_log_set_function::kPage,
    &rpma_peer_cfg_new::kPage,
    &rpma_peer_cfg_delete::kPage,
    &rpma_peer_cfg_set_direct_write_to_pmem::kPage,
    &rpma_peer_cfg_get_direct_write_to_pmem::kPage,
    &rpma_peer_cfg_get_descriptor::kPage,
    &rpma_peer_cfg_get_descriptor_size::kPage,
    &rpma_peer_cfg_from_descriptor::kPage,
    &rpma_peer_new::kPage,
    &rpma_peer_delete::kPage,
    &rpma_mr_reg::kPage,
    &rpma_mr_dereg::kPage,
    &rpma_mr_get_descriptor::kPage,
    &rpma_mr_get_descriptor_size::kPage,
    &rpma_mr_get_ptr::kPage,
    &rpma_mr_get_size::kPage,
    &rpma_mr_remote_from_descriptor::kPage,
    &rpma_mr_remote_get_size::kPage,
    &rpma_mr_remote_get_flush_type::kPage,
    &rpma_mr_remote_delete::kPage,
    &rpma_mr_advise::kPage,
    &rpma_conn_cfg_new::kPage,
    &rpma_conn_cfg_delete::kPage,
    &rpma_conn_cfg_set_timeout::kPage,
    &rpma_conn_cfg_get_timeout::kPage,
    &rpma_conn_cfg_set_cq_size::kPage,
    &rpma_conn_cfg_get_cq_size::kPage,
    &rpma_conn_cfg_set_rcq_size::kPage,
    &rpma_conn_cfg_get_rcq_size::kPage,
    &rpma_conn_cfg_set_sq_size::kPage,
    &rpma_conn_cfg_get_sq_size::kPage,
    &rpma_conn_cfg_set_rq_size::kPage,
    &rpma_conn_cfg_get_rq_size::kPage,
    &rpma_conn_cfg_set_compl_channel::kPage,
    &rpma_conn_cfg_get_compl_channel::kPage,
    &rpma_conn_cfg_set_srq::kPage,
    &rpma_conn_cfg_get_srq::kPage,
    &rpma_srq_cfg_new::kPage,
    &rpma_srq_cfg_delete::kPage,
    &rpma_srq_cfg_set_rq_size::kPage,
    &rpma_srq_cfg_get_rq_size::kPage,
    &rpma_srq_cfg_set_rcq_size::kPage,
    &rpma_srq_cfg_get_rcq_size::kPage,
    &rpma_srq_new::kPage,
    &rpma_srq_delete::kPage,
    &rpma_srq_get_rcq::kPage,
    &rpma_ep_listen::kPage,
    &rpma_ep_shutdown::kPage,
    &rpma_ep_get_fd::kPage,
    &rpma_ep_next_conn_req::kPage,
    &rpma_conn_req_new::kPage,
    &rpma_conn_req_delete::kPage,
    &rpma_conn_req_connect::kPage,
    &rpma_conn_req_get_private_data::kPage,
    &rpma_conn_get_event_fd::kPage,
    &rpma_conn_next_event::kPage,
    &rpma_conn_get_private_data::kPage,
    &rpma_conn_apply_remote_peer_cfg::kPage,
    &rpma_conn_get_qp_num::kPage,
    &rpma_conn_get_cq::kPage,
    &rpma_conn_get_rcq::kPage,
    &rpma_conn_disconnect::kPage,
    &rpma_conn_delete::kPage,
    &rpma_conn_get_compl_fd::kPage,
    &rpma_conn_wait::kPage,
    &rpma_cq_get_fd::kPage,
    &rpma_cq_wait::kPage,
    &rpma_cq_get_wc::kPage,
};
// clang-format on
constexpr const Page* kDataPages[] = {
    &rpma_write::kPage,         &rpma_atomic_write::kPage,   &rpma_read::kPage,
    &rpma_flush::kPage,         &rpma_write_with_imm::kPage, &rpma_send::kPage,
    &rpma_send_with_imm::kPage, &rpma_recv::kPage,           &rpma_srq_recv::kPage,
    &rpma_conn_req_recv::kPage,
};

}  // namespace

std::span<const CallPage* const> CallPages() { return kCallPages; }
std::span<const Page* const> DataPages() { return kDataPages; }

std::span<const Rule* const> Catalogue() {
  static const std::vector<const Rule*> rules = [] {
    std::vector<const Rule*> all(librpma::kRules.begin(), librpma::kRules.end());
    for (const CallPage* page : kCallPages)
      all.insert(all.end(), page->rules.begin(), page->rules.end());
    for (const Page* page : kDataPages)
      all.insert(all.end(), page->rules.begin(), page->rules.end());
    return all;
  }();
  return rules;
}

std::size_t NumberOf(const Rule* rule) {
  static const std::map<const Rule*, std::size_t> numbers = [] {
    std::map<const Rule*, std::size_t> map;
    for (std::size_t i = 0; i < Catalogue().size(); ++i) map[Catalogue()[i]] = i;
    return map;
  }();
  const auto found = numbers.find(rule);
  return found == numbers.end() ? Catalogue().size() : found->second;
}

const Rule* FindRule(std::string_view id) {
  for (const Rule* rule : Catalogue())
    if (rule->id == id) return rule;
  return nullptr;
}

const CallPage* FindCallPage(std::string_view function) {
  static const std::map<std::string_view, const CallPage*> pages = [] {
    std::map<std::string_view, const CallPage*> map;
    for (const CallPage* page : kCallPages) map[page->function] = page;
    return map;
  }();
  const auto found = pages.find(function);
  return found == pages.end() ? nullptr : found->second;
}

}  // namespace spec
