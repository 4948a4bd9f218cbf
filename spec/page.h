// The rules that every page of a one-sided write has, by role, so that one model judges all of
// them.
#pragma once

#include <span>

#include "spec/rule.h"

namespace spec {

struct Page {
  std::string_view function;
  std::span<const Rule* const> rules;  // in page order

  const Rule* zero_byte;     // nullptr: the page has no zero-byte form
  const Rule* length_whole;  // nullptr: the page has no length
  const Rule* untorn;        // nullptr: the page promises no atomicity
  const Rule* source_reuse;  // nullptr: the source belongs to the NIC until the completion
  const Rule* data_written;
  const Rule* data_bounds;
  const Rule* on_error_silent;
  const Rule* on_error_reports;
  const Rule* always_success;
  const Rule* always_failure;
  const Rule* op_context;
  const Rule* return_value;
  const Rule* accepted;
  const Rule* queue_depth;
  const Rule* post_failed;
  const Rule* refused_no_effect;
  const Rule* usable_after_refusal;

  const Rule* flags_undefined;
  const Rule* flags_bit_1_alone;
  const Rule* range_outside;
  const Rule* region_usage;
  const Rule* region_foreign;
  const Rule* region_stale;
  const Rule* region_unaligned;  // nullptr: alignment means nothing here
  const Rule* zero_length;       // nullptr: the page has no length
  const Rule* post_after_error;
  const Rule* completion_order;
};

}  // namespace spec
