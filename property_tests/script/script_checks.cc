#include "property_tests/script/script_checks.h"

#include <algorithm>

namespace conformance {

namespace {

struct Choice {
  std::string text;
  bool forbidden;
};

std::vector<Choice> ChoicesOf(const std::vector<std::string>& values) {
  std::vector<Choice> choices;
  bool forbidden = false;
  for (const std::string& value : values)
    if (value == "!")
      forbidden = true;
    else
      choices.push_back({value, forbidden});
  return choices;
}

}  // namespace

std::vector<Script> Expand(const CallProduct& product) {
  std::vector<std::vector<Choice>> lists;
  std::size_t size = 1;
  for (const std::vector<std::string>& values : product.arguments) {
    lists.push_back(ChoicesOf(values));
    size *= lists.back().size();
  }
  const Script before = MustParseScript(product.before);
  const Script after = MustParseScript(product.after);
  std::vector<std::vector<Script>> by_forbidden(lists.size() + 1);
  for (std::size_t index = 0; index < size; ++index) {
    Script script = before;
    ScriptCall call{product.function, {}};
    std::size_t rest = index;
    std::size_t forbidden = 0;
    for (const std::vector<Choice>& list : lists) {
      const Choice& choice = list[rest % list.size()];
      rest /= list.size();
      forbidden += choice.forbidden ? 1 : 0;
      call.arguments.push_back(choice.text);
    }
    script.calls.push_back(std::move(call));
    script.calls.insert(script.calls.end(), after.calls.begin(), after.calls.end());
    by_forbidden[forbidden].push_back(std::move(script));
  }
  std::vector<Script> all;
  for (std::vector<Script>& part : by_forbidden)
    for (Script& script : part) all.push_back(std::move(script));
  return all;
}

std::vector<Script> ExpandSetter(const std::string& object, const std::string& property,
                                 std::vector<std::string> values) {
  const std::string set = "rpma_" + object + "_set_" + property;
  const std::string get = "rpma_" + object + "_get_" + property + "(object, &value); ";
  const std::string again = set + "(object, " + values[1] + "); ";
  return Expand({"rpma_" + object + "_new(&object)",
                 set,
                 {{"object", "!", "NULL"}, std::move(values)},
                 get + again + get});
}

std::vector<Script> ExpandGetter(const std::string& object, const std::string& property,
                                 const std::string& value) {
  const std::string make = "rpma_" + object + "_new(&object); ";
  const std::string get = "rpma_" + object + "_get_" + property;
  const std::string call = get + "(object, &value); ";
  return Join({{MustParseScript(make + call + call),
                MustParseScript(make + "rpma_" + object + "_set_" + property + "(object, " + value +
                                "); " + call + call)},
               Expand({make, get, {{"object", "!", "NULL"}, {"&value", "!", "NULL"}}, ""})});
}

std::vector<Script> Scripts(std::initializer_list<const char*> texts) {
  std::vector<Script> scripts;
  for (const char* text : texts) scripts.push_back(MustParseScript(text));
  return scripts;
}

std::vector<Script> WithFaults(const std::string& text,
                               std::initializer_list<const char*> calls_and_errors, int most) {
  constexpr std::string_view kPlace = "FAULT";
  std::vector<Script> scripts;
  for (const std::string call_and_error : calls_and_errors) {
    const std::size_t space = call_and_error.find(' ');
    for (int nth = 1; nth <= most; ++nth) {
      std::string step = "fault(" + call_and_error.substr(0, space) + ", " + std::to_string(nth) +
                         ", " + call_and_error.substr(space + 1) + ")";
      std::string one = text;
      scripts.push_back(MustParseScript(one.replace(one.find(kPlace), kPlace.size(), step)));
    }
  }
  return scripts;
}

std::vector<Script> Join(std::initializer_list<std::vector<Script>> parts) {
  std::vector<Script> all;
  for (const std::vector<Script>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace conformance
