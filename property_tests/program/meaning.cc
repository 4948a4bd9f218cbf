#include "property_tests/program/meaning.h"

#include "spec/rpma_atomic_write.h"
#include "spec/rpma_conn_req_recv.h"
#include "spec/rpma_flush.h"
#include "spec/rpma_read.h"
#include "spec/rpma_recv.h"
#include "spec/rpma_send.h"
#include "spec/rpma_send_with_imm.h"
#include "spec/rpma_srq_recv.h"
#include "spec/rpma_write.h"
#include "spec/rpma_write_with_imm.h"

namespace conformance {

namespace {

using spec::model::Fate;
using spec::model::Operation;
using spec::model::Signal;

// Stands for any valid handle: the oracles only compare with nullptr.
template <class Handle>
const Handle* Valid(bool valid) {
  static const char anchor = 0;
  return valid ? reinterpret_cast<const Handle*>(&anchor) : nullptr;
}

const rpma_conn* Conn(const Step& s) { return Valid<rpma_conn>(s.handle); }
const rpma_mr_remote* RemoteMr(const Step& s) {
  return Valid<rpma_mr_remote>(s.remote != Remote::kNull);
}
const rpma_mr_local* LocalMr(const Step& s) {
  return Valid<rpma_mr_local>(s.local != Local::kNull);
}
const void* Context(const Step& s) { return reinterpret_cast<const void*>(s.ctx); }

// Of a page whose operations carry bytes from this end to the other.
template <class Arguments, class Clauses>
spec::Refusals Outward(const Clauses& clauses, const Step& s) {
  return spec::Forbidden(clauses, Arguments{Conn(s), RemoteMr(s), s.remote_offset, LocalMr(s),
                                            s.local_offset, s.len, s.flags});
}

template <class Arguments, class Clauses>
spec::Refusals OfMessage(const Clauses& clauses, const Step& s) {
  return spec::Forbidden(clauses, Arguments{Conn(s), LocalMr(s), s.local_offset, s.len, s.flags});
}

template <class Handle, class Arguments, class Clauses>
spec::Refusals OfReceive(const Clauses& clauses, const Step& s) {
  return spec::Forbidden(
      clauses, Arguments{Valid<Handle>(s.handle), LocalMr(s), s.local_offset, s.len, Context(s)});
}

spec::Refusals RefusalsOf(const Step& s) {
  switch (s.kind) {
    case StepKind::kAtomicWrite:
      return spec::Forbidden(
          spec::rpma_atomic_write::kErrors,
          spec::rpma_atomic_write::Arguments{Conn(s), RemoteMr(s), s.remote_offset,
                                             Valid<char>(s.local != Local::kNull), s.flags});
    case StepKind::kRead:
      return spec::Forbidden(
          spec::rpma_read::kErrors,
          spec::rpma_read::Arguments{Conn(s), LocalMr(s), s.local_offset, RemoteMr(s),
                                     s.remote_offset, s.len, s.flags});
    case StepKind::kWriteImm:
      return Outward<spec::rpma_write_with_imm::Arguments>(spec::rpma_write_with_imm::kErrors, s);
    case StepKind::kSend:
      return OfMessage<spec::rpma_send::Arguments>(spec::rpma_send::kErrors, s);
    case StepKind::kSendImm:
      return OfMessage<spec::rpma_send_with_imm::Arguments>(spec::rpma_send_with_imm::kErrors, s);
    case StepKind::kFlush:
      return spec::Forbidden(
          spec::rpma_flush::kErrors,
          spec::rpma_flush::Arguments{Conn(s), RemoteMr(s), s.type, s.flags, s.direct_write});
    case StepKind::kRecv:
      return OfReceive<rpma_conn, spec::rpma_recv::Arguments>(spec::rpma_recv::kErrors, s);
    case StepKind::kSrqRecv:
      return OfReceive<rpma_srq, spec::rpma_srq_recv::Arguments>(spec::rpma_srq_recv::kErrors, s);
    case StepKind::kReqRecv:
      return OfReceive<rpma_conn_req, spec::rpma_conn_req_recv::Arguments>(
          spec::rpma_conn_req_recv::kErrors, s);
    default:
      return Outward<spec::rpma_write::Arguments>(spec::rpma_write::kErrors, s);
  }
}

bool Inside(std::uint64_t offset, std::uint64_t len, std::size_t region) {
  return offset <= region && len <= region - offset;
}

void Open(Operation& operation, const spec::Rule* rule) {
  operation.fate = Fate::kOpen;
  operation.open_rule = rule;
}

// What is open about the region of the other end.
void JudgeRemote(const Step& step, bool stale, Operation& operation) {
  const spec::Page& page = *operation.page;
  const bool read = step.traits().remote == Place::kSource;
  switch (step.remote) {
    case Remote::kStale:
      return Open(operation, page.region_stale);
    case Remote::kForeign:
      return Open(operation, page.region_foreign);
    case Remote::kNoWrite:
      if (!read) Open(operation, page.region_usage);
      return;
    case Remote::kNoRead:
      if (read || step.kind == StepKind::kFlush) Open(operation, page.region_usage);
      return;
    case Remote::kOdd:
      if (page.region_unaligned != nullptr) Open(operation, page.region_unaligned);
      return;
    case Remote::kGood:
      if (stale) Open(operation, page.region_stale);
      return;
    case Remote::kNull:
      return;
  }
}

// What is open about the region of the end that posts.
void JudgeLocal(const Step& step, Operation& operation) {
  const spec::Page& page = *operation.page;
  if (step.traits().local == Place::kNone) return;
  if (step.local == Local::kForeign) Open(operation, page.region_foreign);
  if (step.local == Local::kNoUsage) Open(operation, page.region_usage);
}

void JudgeReceive(const Step& step, const Config& config, Operation& operation) {
  const spec::Page& page = *operation.page;
  operation.signal = Signal::kAlways;
  operation.writes = spec::model::Writes::kOwn;
  operation.zero_byte = step.local == Local::kNull && page.zero_byte != nullptr;
  if (step.local == Local::kNull && page.zero_byte == nullptr) Open(operation, page.zero_byte_open);
  if (step.ctx == 0 && page.context_null != nullptr) Open(operation, page.context_null);
  if (config.srq > 0 && page.shared_queue != nullptr) Open(operation, page.shared_queue);
  if (step.local == Local::kNull) return;
  JudgeLocal(step, operation);
  if (step.len > UINT32_MAX) {
    operation.fate = Fate::kFails;
    operation.uncarried = true;
  } else if (!Inside(step.local_offset, step.len, config.region)) {
    Open(operation, page.range_outside);
  } else if (step.len == 0) {
    Open(operation, page.zero_length);
  }
}

void JudgeFlush(const Step& step, const Config& config, bool stale, Meaning& meaning) {
  Operation& operation = meaning.operation;
  const spec::Page& page = *operation.page;
  meaning.stays_inside = Inside(step.remote_offset, step.len, config.region);
  operation.writes = spec::model::Writes::kNothing;
  operation.region_end = step.remote_offset + 8 > config.region;
  JudgeRemote(step, stale, operation);
  if (step.remote == Remote::kNoWrite) Open(operation, page.region_usage);
  if (!meaning.stays_inside)
    Open(operation, page.range_outside);
  else if (step.len == 0)
    Open(operation, page.zero_length);
}

// A range outside a region, or a length of 0.
void JudgeRanges(const Step& step, const Config& config, bool stale, Meaning& meaning) {
  Operation& operation = meaning.operation;
  const spec::Page& page = *operation.page;
  const StepTraits& traits = step.traits();
  const std::uint64_t len = traits.len() ? step.len : 8;
  const bool local_inside =
      traits.local == Place::kNone || Inside(step.local_offset, len, config.region);
  const bool remote_inside =
      traits.remote == Place::kNone || Inside(step.remote_offset, len, config.region);
  meaning.stays_inside = local_inside && remote_inside;
  JudgeRemote(step, stale, operation);
  JudgeLocal(step, operation);
  if (len == 0) {
    Open(operation, page.zero_length);
  } else if (!meaning.stays_inside) {
    operation.fate = Fate::kFails;
    operation.uncarried = true;
    operation.open_rule = page.range_outside;
  }
  meaning.local_error =
      !local_inside || (traits.local != Place::kNone &&
                        (step.local == Local::kForeign || step.local == Local::kNoUsage));
}

}  // namespace

const spec::Page& PageOf(StepKind kind) {
  switch (kind) {
    case StepKind::kAtomicWrite:
      return spec::rpma_atomic_write::kPage;
    case StepKind::kRead:
      return spec::rpma_read::kPage;
    case StepKind::kWriteImm:
      return spec::rpma_write_with_imm::kPage;
    case StepKind::kSend:
      return spec::rpma_send::kPage;
    case StepKind::kSendImm:
      return spec::rpma_send_with_imm::kPage;
    case StepKind::kFlush:
      return spec::rpma_flush::kPage;
    case StepKind::kRecv:
      return spec::rpma_recv::kPage;
    case StepKind::kSrqRecv:
      return spec::rpma_srq_recv::kPage;
    case StepKind::kReqRecv:
      return spec::rpma_conn_req_recv::kPage;
    default:
      return spec::rpma_write::kPage;
  }
}

Meaning MeaningOf(const Step& step, const Config& config, bool stale) {
  Meaning meaning;
  Operation& operation = meaning.operation;
  const StepTraits& traits = step.traits();
  const spec::Page& page = PageOf(step.kind);
  operation.page = &page;
  operation.wr_id = step.ctx;
  if (traits.flags()) operation.signal = spec::model::SignalOf(step.flags);
  meaning.refusals = RefusalsOf(step);
  if (!meaning.refusals.empty()) return meaning;
  if (traits.receives()) {
    JudgeReceive(step, config, operation);
    return meaning;
  }
  if (operation.signal == Signal::kOpen)
    operation.open_rule = step.flags == 2 ? page.flags_bit_1_alone : page.flags_undefined;
  if (traits.remote == Place::kSource) operation.writes = spec::model::Writes::kOwn;
  if (traits.remote == Place::kNone) operation.writes = spec::model::Writes::kNothing;
  operation.zero_byte = traits.local != Place::kNone && step.local == Local::kNull;
  if (operation.zero_byte) return meaning;
  if (step.kind == StepKind::kFlush)
    JudgeFlush(step, config, stale, meaning);
  else
    JudgeRanges(step, config, stale, meaning);
  return meaning;
}

const spec::Rule* RuleOnTrial(const Meaning& meaning) {
  if (!meaning.refusals.empty()) return meaning.refusals.rule(0);
  const Operation& o = meaning.operation;
  if (o.zero_byte) return o.page->zero_byte;
  if (o.uncarried && o.page->length_whole != nullptr) return o.page->length_whole;
  if (o.region_end && o.fate == Fate::kSucceeds && o.page->region_end != nullptr)
    return o.page->region_end;
  if (o.fate != Fate::kSucceeds && FailureRule(o) != nullptr) return FailureRule(o);
  return SuccessRule(o);
}

}  // namespace conformance
