#include "spec/catalogue.h"

#include <map>
#include <vector>

#include "spec/rpma_atomic_write.h"
#include "spec/rpma_conn_cfg_delete.h"
#include "spec/rpma_conn_cfg_get_sq_size.h"
#include "spec/rpma_conn_cfg_new.h"
#include "spec/rpma_conn_cfg_set_sq_size.h"
#include "spec/rpma_peer_delete.h"
#include "spec/rpma_peer_new.h"
#include "spec/rpma_utils_get_ibv_context.h"
#include "spec/rpma_write.h"

namespace spec {

namespace {

constexpr const CallPage* kCallPages[] = {
    &rpma_utils_get_ibv_context::kPage, &rpma_peer_new::kPage,
    &rpma_peer_delete::kPage,           &rpma_conn_cfg_new::kPage,
    &rpma_conn_cfg_delete::kPage,       &rpma_conn_cfg_set_sq_size::kPage,
    &rpma_conn_cfg_get_sq_size::kPage,
};
constexpr const Page* kDataPages[] = {&rpma_write::kPage, &rpma_atomic_write::kPage};

}  // namespace

std::span<const CallPage* const> CallPages() { return kCallPages; }
std::span<const Page* const> DataPages() { return kDataPages; }

std::span<const Rule* const> Catalogue() {
  static const std::vector<const Rule*> rules = [] {
    std::vector<const Rule*> all;
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
