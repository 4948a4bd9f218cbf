#include "spec/model/work_queue.h"

#include <librpma.h>

#include <utility>

#include "spec/model/text.h"

namespace spec::model {

namespace {

constexpr std::pair<Sight, int> kCodes[] = {{Sight::kAccepted, 0},
                                            {Sight::kRefusedInval, RPMA_E_INVAL},
                                            {Sight::kRefusedProvider, RPMA_E_PROVIDER},
                                            {Sight::kRefusedNosupp, RPMA_E_NOSUPP},
                                            {Sight::kRefusedNoEvent, RPMA_E_NO_EVENT}};

bool Listed(const Page& page, int code) {
  return code == 0 || code == RPMA_E_INVAL || code == RPMA_E_PROVIDER ||
         (page.also_returns != 0 && code == page.also_returns);
}

std::string ListOf(const Page& page) {
  std::string list = Text("returns 0, ", NameOfCode(RPMA_E_INVAL));
  if (page.also_returns != 0) list += ", " + NameOfCode(page.also_returns);
  return list + " or " + NameOfCode(RPMA_E_PROVIDER);
}

}  // namespace

bool WorkQueue::Returned(const Operation& call, const Refusals& refusals, int code,
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
            Text("the post failed, ", page->function, " returned ", NameOfCode(code)));
  } else if (!Listed(*page, code)) {
    Break(call, full() ? page->post_failed : page->return_value, ListOf(*page),
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

void WorkQueue::Forbidden(const Operation& call, const Refusals& refusals, int code) {
  for (std::size_t i = 0; i < refusals.size(); ++i) witness_->Tested(refusals.rule(i));
  if (refusals.Allows(code)) return refused_.push_back({call.page, call.wr_id});
  Finding finding{{},
                  "returns " + NameOfCode(refusals.error(0)),
                  Text(call.page->function, " returned ", NameOfCode(code))};
  for (std::size_t i = 0; i < refusals.size(); ++i) finding.blame.push_back(refusals.rule(i));
  witness_->Broke(std::move(finding));
}

void WorkQueue::JudgeRefusal(const Operation& call, int code) {
  const Page* page = call.page;
  if (!healthy()) {
    if (broken() && page->post_after_error != nullptr)
      witness_->Saw(page->post_after_error, SightOf(code));
  } else if (full() && code == RPMA_E_PROVIDER) {
    witness_->Tested(page->post_failed);
  } else if (call.fate != Fate::kSucceeds || call.signal == Signal::kOpen) {
    if (call.open_rule != nullptr) witness_->Saw(call.open_rule, SightOf(code));
    if (call.uncarried && page->length_whole != nullptr) witness_->Tested(page->length_whole);
  } else if (full()) {
    witness_->Tested(page->post_failed);
    witness_->Broke(
        {{page->post_failed, page->accepted},
         Text("returns 0 or ", NameOfCode(RPMA_E_PROVIDER)),
         Text("queue of ", depth_, " is full, ", page->function, " returned ", NameOfCode(code))});
  } else if (outstanding() > 0 && !call.zero_byte) {
    witness_->Broke({{page->queue_depth, page->accepted},
                     "returns 0",
                     Text(outstanding(), " of ", depth_, " slots taken, ", page->function,
                          " returned ", NameOfCode(code))});
  } else {
    Break(call, page->accepted, "returns 0", Text(page->function, " returned ", NameOfCode(code)));
  }
}

void WorkQueue::Accept(const Operation& call) {
  const Page* page = call.page;
  const bool after_error = broken();
  if (call.fate == Fate::kSucceeds && healthy()) {
    witness_->Tested(call.zero_byte ? page->zero_byte : page->accepted);
    if (outstanding() > 0 && outstanding() + 1 == depth_) witness_->Tested(page->queue_depth);
  }
  if (call.uncarried && page->length_whole != nullptr) witness_->Tested(page->length_whole);
  operations_.push_back(call);
  if (after_error && page->post_after_error != nullptr)
    operations_.back().open_rule = page->post_after_error;
}

void WorkQueue::Clear(std::size_t depth) {
  depth_ = depth;
  operations_.clear();
  refused_.clear();
  last_page_ = nullptr;
}

void WorkQueue::SettleRefused(bool alive) {
  for (const Refused& r : refused_) {
    if (!alive) continue;
    witness_->Tested(r.page->refused_no_effect);
    witness_->Tested(r.page->usable_after_refusal);
  }
}

// True if a completion with this context is that of a refused call, and of no other.
bool WorkQueue::CompletesRefused(std::uint64_t wr_id, const std::string& seen) {
  for (const Operation& o : operations_)
    if (o.wr_id == wr_id && !o.marker && o.page != nullptr) return false;
  for (const Refused& r : refused_) {
    if (r.wr_id != wr_id) continue;
    witness_->Broke({{r.page->refused_no_effect}, "no completion of a refused call", seen});
    return true;
  }
  return false;
}

void WorkQueue::Break(const Operation& operation, const Rule* rule, std::string allowed,
                      std::string seen) {
  Finding finding{{}, std::move(allowed), std::move(seen)};
  const Rule* zero_byte = operation.page->zero_byte;
  if (operation.zero_byte && zero_byte != nullptr && rule != zero_byte)
    finding.blame.push_back(zero_byte);
  finding.blame.push_back(rule);
  witness_->Broke(std::move(finding));
}

Sight SightOf(int code) {
  for (const auto& [sight, its_code] : kCodes)
    if (code == its_code) return sight;
  return Sight::kRefusedOtherwise;
}

std::optional<int> CodeOf(Sight sight) {
  for (const auto& [its_sight, code] : kCodes)
    if (sight == its_sight) return code;
  return std::nullopt;
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
