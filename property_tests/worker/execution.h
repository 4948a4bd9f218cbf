// Runs programs on a rig, step by step, with the model of both ends beside it.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "property_tests/program/meaning.h"
#include "property_tests/program/program.h"
#include "property_tests/worker/board_witness.h"
#include "property_tests/worker/fake_nics.h"
#include "property_tests/worker/rig.h"
#include "property_tests/worker/trace.h"
#include "spec/model/memory.h"
#include "spec/model/receive_queue.h"
#include "spec/model/send_queue.h"
#include "spec/rpma_srq_recv.h"

namespace conformance {

// The contexts of what the suite posts for its own purposes.
inline constexpr std::uint64_t kMarkerContext = 0x6d61726b;
inline constexpr std::uint64_t kOwnContext = 0x6f776e;

// What of the library and the NIC works, so that the suite may use it for its own purposes.
struct Abilities {
  bool reads = false;         // markers are reads; else they are writes
  bool messages = false;      // else no case takes a receive
  bool shared_queue = false;  // else no case shares one
};

class Execution final : public BoardWitness {
 public:
  // `fake`: nullptr if the NIC is not the fake.
  Execution(Rig* rig, const FakeNics* fake, Abilities abilities, Board* board, Trace trace = {});

  // A whole program on a fresh connection. The first rule that it breaks, if any.
  std::optional<spec::model::Finding> Run(const Program& program);
  // One call on the standing connection, which is replaced when the case has broken it.
  std::optional<spec::model::Finding> RunCall(const Step& step, const Config& config);

  void Broke(spec::model::Finding finding) override;

 private:
  enum class Marker { kNotPosted, kPending, kSucceeded, kFailed };

  struct Watched {  // one end under the model
    explicit Watched(spec::model::Witness* witness)
        : queue(8, witness), receives(8, witness, &queue) {}

    spec::model::SendQueue queue;
    spec::model::ReceiveQueue receives;  // its own; a shared receive queue takes their place
    bool blocked = false;                // the other end may be gone: nothing more is posted here
    Marker marker = Marker::kNotPosted;
    bool broken = false;  // a completion with an error was seen
  };

  void Begin(const Config& config);
  void Do(const Step& step);
  bool Supports(const Program& program) const;
  void Connect(const std::vector<Step>& early);
  bool Available(const Step& step);
  void Post(const Step& step);
  int Call(const Step& step);
  int CallReceive(const Step& step, End& end);
  void Place(const Step& step, spec::model::Operation& operation);
  void AfterPost(const Step& step, const Meaning& meaning);
  void MayBreak(Side side);
  void Sent(const Step& step, const Meaning& meaning);
  void WeighMessages();
  void WeighMessages(spec::model::ReceiveQueue& receives);
  bool PostOwnReceive(Side side);
  void AdoptOwnReceive(Side side);
  void SendOwnMessage(Side side, std::size_t len);
  void AwaitOwnMessage(const Step& step);
  void JudgeOwnMessage(const Step& step);
  void WaitForOpenMessages(Side side);
  void Rescue(Side side);
  void MakeReceiveReady(Side side);
  void CheckOwnBuffer(Side side, const spec::model::ReceiveQueue& receives);
  void Explain(const Meaning& meaning, int code);
  void JudgeRefused(const Step& step, int code, std::uint64_t posted_before);
  std::uint64_t Posted(Side side) const;
  void AwaitArrivals() const;
  int Poll(Side side, int entries) { return PollQueue(side, rig_->end(side).cq, entries); }
  int PollReceives(Side side, int entries);
  int PollAll(Side side);
  void PollAllThereIs(Side side);
  bool seeded() const { return fake_ != nullptr && config_.schedule == Schedule::kSeeded; }
  int PollQueue(Side side, rpma_cq* cq, int entries);
  void Completed(Side side, const ibv_wc& wc, bool receives_only);
  void Arrived(Side side, const ibv_wc& wc);
  bool ReceiveOf(Side side, std::uint64_t wr_id);
  void CheckFlushed(Side side);
  void Wait(Side side);
  void Dereg(Side side);
  void Alternate(const Step& step);
  void TakeSteps(std::size_t most, std::size_t index);
  void CheckUntorn();
  void Settle(Side side);
  void CheckNotStuck(Side to);
  void PostMarker(Side side);
  void PostMarkerWhenThereIsRoom(Side side);
  void PollUntil(Side side, const std::function<bool()>& done);
  void Drain();
  void SettleReceives();
  void CheckMemory(Side side);
  bool Alive(Side side);
  void Say(std::string_view who, std::string_view kind, const std::string& text) const {
    if (trace_) trace_({std::string(who), std::string(kind), text});
  }
  void Say(Side side, std::string_view kind, const std::string& text) const {
    Say(side == Side::kClient ? at::kClient : at::kServer, kind, text);
  }
  void SayPosted(Side side, std::uint64_t posted_before) const;

  Watched& watched(Side side) { return side == Side::kClient ? client_ : server_; }
  // The receives that messages to this end take.
  spec::model::ReceiveQueue& ReceivesOf(Side side) {
    return config_.srq > 0 ? SharedReceivesOf(side) : watched(side).receives;
  }
  // Two ends in one process share one queue; else each has its own.
  spec::model::ReceiveQueue& SharedReceivesOf(Side side) {
    return shared_receives_[rig_->in_two_processes() && side == Side::kServer ? 1 : 0];
  }
  spec::model::MemoryView ViewOf(Side side);

  Rig* rig_;
  const FakeNics* fake_;
  Trace trace_;
  spec::model::MemoryCheck memory_check_{this};
  Watched client_;
  Watched server_;
  spec::model::ReceiveQueue shared_receives_[2]{{8, this, nullptr, &spec::rpma_srq_recv::kPage},
                                                {8, this, nullptr, &spec::rpma_srq_recv::kPage}};
  Config config_;
  bool connected_ = false;
  bool single_ = false;  // the case is one call
  bool drained_ = false;
  Abilities abilities_;
  bool own_buffer_used_ = true;            // maybe, by the suite's own receives
  bool own_receive_waits_ = false;         // the suite's, at the server, from an earlier call
  rpma_conn_req* request_ = nullptr;       // while a connection is being made
  const spec::Page* last_page_ = nullptr;  // of the last call
  bool last_refused_ = false;
  int fault_ = 0;  // errno for the next post; 0: none
  std::chrono::milliseconds patience_;
  // The rules that the calls so far had on trial: if one of them is broken, that may be all that a
  // finding shows.
  std::set<const spec::Rule*> explanations_;
};

}  // namespace conformance
