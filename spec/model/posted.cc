#include "spec/model/posted.h"

#include <librpma.h>

#include "spec/model/send_queue.h"
#include "spec/model/text.h"

namespace spec::model {

namespace {

// An operation of the send queue: where its flags and its op_context stand.
struct Posting {
  std::string_view function;
  std::size_t flags;
  std::size_t op_context;
  bool message;  // consumes a receive of the other side's
};

constexpr Posting kPostings[] = {
    {"rpma_read", 6, 7, false},          {"rpma_write", 6, 7, false},
    {"rpma_write_with_imm", 6, 8, true}, {"rpma_atomic_write", 4, 5, false},
    {"rpma_flush", 5, 6, false},         {"rpma_send", 4, 5, true},
    {"rpma_send_with_imm", 4, 6, true}};

const Posting* Find(std::string_view function) {
  for (const Posting& posting : kPostings)
    if (posting.function == function) return &posting;
  return nullptr;
}

// A message takes the oldest receive. Without one it waits, for how long is open.
void Deliver(End& from) {
  End* to = from.peer();
  if (to->receives.empty()) {
    from.cq->unclear = true;
    to->receive_queue().unclear = true;
    return;
  }
  to->receive_queue().Add(to->receives.front());
  to->receives.pop_front();
}

void Send(const Posting& posting, const Call& call, End& end) {
  if (!end.connected() || end.peer() == nullptr || !end.peer()->connected()) {
    end.cq->unclear = true;
    return;
  }
  if (posting.message) Deliver(end);
  const auto flags = static_cast<int>(call[posting.flags].word);
  if (flags == RPMA_F_COMPLETION_ALWAYS) end.cq->Add(call[posting.op_context].word);
}

// Whether persistence can be asked for is what rpma_conn_apply_remote_peer_cfg said.
void ExpectFlush(const Call& call, int code, Witness* witness) {
  const Thing& conn = *call[0].thing;
  const auto setter = conn.setters.find("direct_write_to_pmem");
  if (setter == conn.setters.end() || call[4].word != RPMA_FLUSH_TYPE_PERSISTENT) return;
  const int wanted = conn.number("direct_write_to_pmem") != 0 ? 0 : RPMA_E_NOSUPP;
  witness->Tested(setter->second);
  if (code != wanted)
    witness->Broke({{setter->second},
                    Text("a flush to persistence returns ", NameOfCode(wanted)),
                    Text("it returned ", NameOfCode(code))});
}

}  // namespace

void Posted(const Call& call, int code, Witness* witness) {
  if (call.count == 0 || call[0].thing == nullptr || call[0].thing->end == nullptr) return;
  if (call.function == "rpma_flush") ExpectFlush(call, code, witness);
  if (code != 0) return;
  End& end = *call[0].thing->end;
  if (const Posting* posting = Find(call.function)) Send(*posting, call, end);
  if (call.function == "rpma_recv" || call.function == "rpma_conn_req_recv")
    end.receives.push_back(call[4].word);
}

}  // namespace spec::model
