#include "spec/call_catalogue.h"

#include <map>

namespace spec {

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
