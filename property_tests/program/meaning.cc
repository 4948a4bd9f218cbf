#include "property_tests/program/meaning.h"

#include "spec/rpma_atomic_write.h"
#include "spec/rpma_write.h"

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

spec::rpma_write::Arguments WriteArguments(const Step& s) {
  return {Valid<rpma_conn>(s.conn),
          Valid<rpma_mr_remote>(s.dst != Target::kNull),
          s.dst_offset,
          Valid<rpma_mr_local>(s.src != Source::kNull),
          s.src_offset,
          s.len,
          s.flags};
}

spec::rpma_atomic_write::Arguments AtomicWriteArguments(const Step& s) {
  return {Valid<rpma_conn>(s.conn), Valid<rpma_mr_remote>(s.dst != Target::kNull), s.dst_offset,
          Valid<char>(s.src != Source::kNull), s.flags};
}

bool Inside(std::uint64_t offset, std::uint64_t len, std::size_t region) {
  return offset <= region && len <= region - offset;
}

void Open(Operation& operation, const spec::Rule* rule) {
  operation.fate = Fate::kOpen;
  operation.open_rule = rule;
}

// What is open about the region that is written to.
void JudgeTarget(const Step& step, bool stale, Operation& operation) {
  const spec::Page& page = *operation.page;
  switch (step.dst) {
    case Target::kStale:
      return Open(operation, page.region_stale);
    case Target::kForeign:
      return Open(operation, page.region_foreign);
    case Target::kNoWrite:
      return Open(operation, page.region_usage);
    case Target::kOdd:
      if (page.region_unaligned != nullptr) Open(operation, page.region_unaligned);
      return;
    case Target::kGood:
      if (stale) Open(operation, page.region_stale);
      return;
    case Target::kNull:
      return;
  }
}

}  // namespace

const spec::Page& PageOf(StepKind kind) {
  return kind == StepKind::kWrite ? spec::rpma_write::kPage : spec::rpma_atomic_write::kPage;
}

Meaning MeaningOf(const Step& step, std::size_t region, bool stale) {
  Meaning meaning;
  Operation& operation = meaning.operation;
  const spec::Page& page = PageOf(step.kind);
  operation.page = &page;
  operation.wr_id = step.ctx;
  operation.signal = spec::model::SignalOf(step.flags);
  const bool write = step.kind == StepKind::kWrite;
  meaning.refusals =
      write ? spec::Forbidden(spec::rpma_write::kErrors, WriteArguments(step))
            : spec::Forbidden(spec::rpma_atomic_write::kErrors, AtomicWriteArguments(step));
  if (!meaning.refusals.empty()) return meaning;
  if (operation.signal == Signal::kOpen)
    operation.open_rule = step.flags == 2 ? page.flags_bit_1_alone : page.flags_undefined;
  operation.zero_byte = write && step.dst == Target::kNull;
  if (operation.zero_byte) return meaning;

  const std::uint64_t len = write ? step.len : 8;
  const bool source_inside = !write || Inside(step.src_offset, len, region);
  meaning.stays_inside = source_inside && Inside(step.dst_offset, len, region);
  const bool foreign_source = write && step.src == Source::kForeign;
  JudgeTarget(step, stale, operation);
  if (foreign_source) Open(operation, page.region_foreign);
  if (len == 0) {
    Open(operation, page.zero_length);
  } else if (!meaning.stays_inside) {
    operation.fate = Fate::kFails;
    operation.uncarried = true;
    operation.open_rule = page.range_outside;
  }
  meaning.local_error = !source_inside || foreign_source;
  return meaning;
}

const spec::Rule* RuleOnTrial(const Meaning& meaning) {
  if (!meaning.refusals.empty()) return meaning.refusals.rule(0);
  const Operation& o = meaning.operation;
  if (o.zero_byte) return o.page->zero_byte;
  if (o.uncarried && o.page->length_whole != nullptr) return o.page->length_whole;
  if (o.fate != Fate::kSucceeds)
    return o.signal == Signal::kOnError ? o.page->on_error_reports : o.page->always_failure;
  return o.signal == Signal::kOnError ? o.page->on_error_silent : o.page->always_success;
}

}  // namespace conformance
