// SendQueue, the part that judges what a call returns.
#include <librpma.h>

#include "spec/model/send_queue.h"
#include "spec/model/text.h"

namespace spec::model {

namespace {

Sight SightOfRefusal(int code) {
  if (code == RPMA_E_INVAL) return Sight::kRefusedInval;
  if (code == RPMA_E_PROVIDER) return Sight::kRefusedProvider;
  return Sight::kRefusedOtherwise;
}

bool Listed(int code) { return code == 0 || code == RPMA_E_INVAL || code == RPMA_E_PROVIDER; }

}  // namespace

bool SendQueue::Returned(const Operation& call, const Refusals& refusals, int code,
                         PostFault fault) {
  const Page* page = call.page;
  last_page_ = page;
  witness_->Tested(page->return_value);
  if (!refusals.empty()) {
    Forbidden(call, refusals, code);
    return false;
  }
  if (fault == PostFault::kFired) {
    witness_->Tested(page->post_failed);
    if (code != RPMA_E_PROVIDER)
      Break(call, page->post_failed, "returns " + NameOfCode(RPMA_E_PROVIDER),
            Text("ibv_post_send failed, ", page->function, " returned ", NameOfCode(code)));
  } else if (!Listed(code)) {
    Break(call, full() ? page->post_failed : page->return_value,
          Text("returns 0, ", NameOfCode(RPMA_E_INVAL), " or ", NameOfCode(RPMA_E_PROVIDER)),
          Text(page->function, " returned ", NameOfCode(code)));
  }
  if (code >= 0) {
    Accept(call);
    return true;
  }
  if (fault == PostFault::kNone) JudgeRefusal(call, code);
  refused_.push_back({page, call.wr_id});
  return false;
}

void SendQueue::Forbidden(const Operation& call, const Refusals& refusals, int code) {
  for (std::size_t i = 0; i < refusals.size(); ++i) witness_->Tested(refusals.rule(i));
  if (refusals.Allows(code)) return refused_.push_back({call.page, call.wr_id});
  Finding finding{{},
                  "returns " + NameOfCode(refusals.error(0)),
                  Text(call.page->function, " returned ", NameOfCode(code))};
  for (std::size_t i = 0; i < refusals.size(); ++i) finding.blame.push_back(refusals.rule(i));
  witness_->Broke(std::move(finding));
}

void SendQueue::JudgeRefusal(const Operation& call, int code) {
  const Page* page = call.page;
  if (!healthy()) {
    if (broken()) witness_->Saw(page->post_after_error, SightOfRefusal(code));
  } else if (full() && code == RPMA_E_PROVIDER) {
    witness_->Tested(page->post_failed);
  } else if (call.fate != Fate::kSucceeds || call.signal == Signal::kOpen) {
    if (call.open_rule != nullptr) witness_->Saw(call.open_rule, SightOfRefusal(code));
    if (call.uncarried && page->length_whole != nullptr) witness_->Tested(page->length_whole);
  } else if (full()) {
    witness_->Tested(page->post_failed);
    witness_->Broke({{page->post_failed, page->accepted},
                     Text("returns 0 or ", NameOfCode(RPMA_E_PROVIDER)),
                     Text("send queue of ", depth_, " is full, ", page->function, " returned ",
                          NameOfCode(code))});
  } else if (outstanding() > 0 && !call.zero_byte) {
    witness_->Broke({{page->queue_depth, page->accepted},
                     "returns 0",
                     Text(outstanding(), " of ", depth_, " slots taken, ", page->function,
                          " returned ", NameOfCode(code))});
  } else {
    Break(call, page->accepted, "returns 0", Text(page->function, " returned ", NameOfCode(code)));
  }
}

void SendQueue::Accept(const Operation& call) {
  const Page* page = call.page;
  const bool after_error = broken();
  if (call.fate == Fate::kSucceeds && healthy()) {
    witness_->Tested(call.zero_byte ? page->zero_byte : page->accepted);
    if (outstanding() > 0 && outstanding() + 1 == depth_) witness_->Tested(page->queue_depth);
  }
  if (call.uncarried && page->length_whole != nullptr) witness_->Tested(page->length_whole);
  operations_.push_back(call);
  if (after_error) operations_.back().open_rule = page->post_after_error;
}

bool SendQueue::MarkerReturned(const Operation& marker, int code) {
  if (code == 0) {
    operations_.push_back(marker);
    return true;
  }
  if (healthy() && !full()) SettleMarker(marker, /*alive=*/false);
  return false;
}

std::string NameOfCode(int code) {
  switch (code) {
    case 0:
      return "0";
    case RPMA_E_UNKNOWN:
      return Text("RPMA_E_UNKNOWN (", code, ")");
    case RPMA_E_NOSUPP:
      return Text("RPMA_E_NOSUPP (", code, ")");
    case RPMA_E_PROVIDER:
      return Text("RPMA_E_PROVIDER (", code, ")");
    case RPMA_E_NOMEM:
      return Text("RPMA_E_NOMEM (", code, ")");
    case RPMA_E_INVAL:
      return Text("RPMA_E_INVAL (", code, ")");
    case RPMA_E_NO_COMPLETION:
      return Text("RPMA_E_NO_COMPLETION (", code, ")");
    case RPMA_E_NO_EVENT:
      return Text("RPMA_E_NO_EVENT (", code, ")");
    case RPMA_E_AGAIN:
      return Text("RPMA_E_AGAIN (", code, ")");
    default:
      return Text(code);
  }
}

}  // namespace spec::model
