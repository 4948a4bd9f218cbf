// The uses that the library's objects can be put to, from the first peer to the last deletion: what
// may come next in a script.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "property_tests/script/script.h"

namespace conformance {

// What the variables of a script hold after its calls so far, if every call succeeds. It chooses
// the next call; what that call has to do is not its business.
class Life {
 public:
  // Calls that make sense now, the likelier ones more than once.
  std::vector<ScriptCall> Choices() const;
  // Whether all that the call needs is there.
  bool Allows(const ScriptCall& call) const;
  void Apply(const ScriptCall& call);

 private:
  struct Conn {
    std::string other;  // the other end's variable
    int due = 0;        // events
    bool up = false;
    bool left = false;  // has disconnected
  };

  bool live(const std::string& name) const { return types_.count(name) > 0; }
  bool up(const std::string& conn) const;
  void AddMaking(std::vector<ScriptCall>& choices) const;
  void AddConnecting(std::vector<ScriptCall>& choices) const;
  void AddUsing(std::vector<ScriptCall>& choices) const;
  void AddEnding(std::vector<ScriptCall>& choices) const;
  bool InUse(const std::string& name) const;
  std::string ConfigFor(const std::string& peer) const;
  std::vector<std::string> RequestSources(const std::string& peer, const std::string& cfg) const;
  void Make(const std::string& name, std::string_view type, std::vector<std::string> from);
  void End(const std::string& name);
  void Hear(const std::string& conn);
  void ApplyConnect(const ScriptCall& call);
  void ApplyEvent(Conn& conn);
  void ApplyDisconnect(const std::string& name);

  std::map<std::string, std::string_view> types_;            // of the variables that hold a handle
  std::map<std::string, std::vector<std::string>> sources_;  // what they were made from
  std::set<std::string> ended_;                              // those that hold NULL
  std::deque<std::string> waiting_;                          // clients at the endpoint
  std::map<std::string, std::string> clients_;               // of the requests that were read
  std::map<std::string, Conn> conns_;
};

}  // namespace conformance
