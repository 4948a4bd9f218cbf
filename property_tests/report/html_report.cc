// One page that needs nothing else: the template with its style, its script, and the data.
#include "property_tests/report/writers.h"
#include "property_tests_html.h"

namespace conformance {

namespace {

// Within a script element a < might end it.
std::string Embedded(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

void Fill(std::string& page, const std::string& place, const std::string& with) {
  page.replace(page.find(place), place.size(), with);
}

}  // namespace

std::string ToHtml(const RunResult& run) {
  std::string page = html::kPage;
  Fill(page, "@STYLE@", html::kStyle);
  Fill(page, "@SCRIPT@", html::kScript);
  Fill(page, "@DATA@", Embedded(ToJson(run)));
  return page;
}

}  // namespace conformance
