// Runs a script on the library under test, call by call, with the model beside it.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "property_tests/script/allocation_faults.h"
#include "property_tests/script/functions.h"
#include "property_tests/script/log_observer.h"
#include "property_tests/script/script.h"
#include "property_tests/worker/board.h"
#include "property_tests/worker/fake_control.h"
#include "property_tests/worker/library.h"
#include "property_tests/worker/memory_block.h"
#include "spec/model/call_judge.h"

namespace conformance {

class Interpreter final : public spec::model::Witness {
 public:
  using Trace = std::function<void(const std::string&)>;

  // `library`: of dlopen. `fake`: nullptr if the NIC is not the fake. `port`: free for listening.
  Interpreter(void* library, const FakeControl* fake, std::string address, std::string port,
              Board* board);

  // The first rule that the script breaks, if any.
  std::optional<spec::model::Finding> Run(const Script& script, Trace trace = {});

  // Calls that put this rule on trial are not made any more: they crashed or hung before.
  void LeaveOut(const spec::Rule* rule) { left_out_.insert(rule); }
  // Whether the last script met such a call, or needs what this NIC has not.
  bool left_out() const { return abandoned_; }
  // Whether a planned failure has come about in the last script.
  bool failed_on_demand() const { return failed_on_demand_; }
  // Whether this verb, RDMA CM or allocation function can be made to fail here.
  bool CanFail(const std::string& name) const;

  void Tested(const spec::Rule* rule) override;
  void Saw(const spec::Rule* rule, spec::model::Sight sight) override;
  void Broke(spec::model::Finding finding) override;

 private:
  static constexpr std::size_t kCellSize = 1024;

  // A variable. Before anything is put into it, it holds bytes that no library would.
  struct Cell {
    std::string name;
    bool set = false;
    alignas(16) std::array<std::uint8_t, kCellSize> bytes;
    std::uint64_t word() const;
  };

  // A call ready to be made.
  struct Prepared {
    const Function* function = nullptr;
    const spec::CallPage* page = nullptr;
    spec::Call call;
    std::array<std::uint64_t, 9> words{};
    std::array<Cell*, 9> cells{};  // what &-arguments point to
    std::array<std::array<std::uint8_t, kCellSize>, 9>* before = nullptr;
  };

  void Begin();
  void Do(const ScriptCall& call);
  // The steps that are no calls of the library. False: this is one.
  bool DoOwn(const ScriptCall& step);
  void Nonblock(int fd);
  void ExpectReadable(int fd);
  void Plan(const ScriptCall& call);
  bool Prepare(const ScriptCall& call, Prepared& prepared);
  bool Resolve(const std::string& token, const Param& param, Prepared& prepared, std::size_t i);
  bool ResolveCell(const std::string& name, bool address, const Param& param, Prepared& prepared,
                   std::size_t i);
  bool MayRun(Prepared& prepared);
  bool Arrives(const spec::CallPage& page, const spec::Call& call);
  std::int64_t Make(Prepared& prepared);
  std::optional<spec::model::Fault> Fired();
  void Remember(const Prepared& prepared, int code);
  void CleanUp();
  void Delete(spec::model::Thing& thing, bool suspect);
  void CheckLeaks();
  void LeavePort();
  Cell& CellOf(const std::string& name);
  std::uint64_t BytesOf(const std::string& literal);
  const void* PrivateData(std::string_view token);
  void* Symbol(std::string_view name);
  std::uint64_t Alive() const;
  // How long to wait for what is due. The fake never needs time.
  int patience_ms() const { return fake_ != nullptr ? 100 : 10000; }

  void* library_;
  const FakeControl* fake_;
  std::string address_;
  std::string port_;
  Board* board_;
  AllocationFaults allocation_;
  LogObserver log_;
  RuleNumbers numbers_;
  MemoryBlock memory_;
  std::map<std::string_view, void*> symbols_;
  std::set<const spec::Rule*> left_out_;

  // of the running script
  Trace trace_;
  spec::model::World world_;
  std::deque<Cell> cells_;
  std::size_t cells_used_ = 0;
  std::deque<std::string> literals_;
  std::deque<rpma_conn_private_data> private_data_;
  std::unique_ptr<std::array<std::array<std::uint8_t, kCellSize>, 9>> before_;
  std::string planned_;
  int planned_error_ = 0;
  unsigned fired_before_ = 0;
  std::vector<const spec::CallPage*> failed_pages_;   // in whose calls a failure was planned
  std::vector<const spec::CallPage*> called_pages_;   // by the script proper
  std::vector<const spec::CallPage*> cleaned_pages_;  // that deleted what was left
  std::size_t first_suspect_ = 0;  // the first thing made after the first failure
  bool given_ = false;             // what runs is its `given`
  std::uint64_t alive_before_ = 0;
  bool abandoned_ = false;
  bool failed_on_demand_ = false;
  std::optional<spec::model::Finding> finding_;
};

}  // namespace conformance
