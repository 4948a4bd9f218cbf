// The rules that pages have in common, by role, so that one model judges all of them. A role that a
// page does not have is nullptr.
#pragma once

#include <span>

#include "spec/rule.h"

namespace spec {

struct Page {
  std::string_view function;
  std::span<const Rule* const> rules;  // in page order
  int also_returns = 0;                // a code of the page beside RPMA_E_INVAL and RPMA_E_PROVIDER

  // what the operation does
  const Rule* data_written = nullptr;       // of any operation: what its success means
  const Rule* data_bounds = nullptr;        // what it leaves alone
  const Rule* zero_byte = nullptr;          // the form without a region
  const Rule* length_whole = nullptr;       // a length that cannot be carried
  const Rule* untorn = nullptr;             // of an atomic write
  const Rule* source_reuse = nullptr;       // the source is the caller's again after the call
  const Rule* region_end = nullptr;         // of a flush
  const Rule* receive_completed = nullptr;  // of a message: a receive at the other end completes
  const Rule* imm_delivered = nullptr;      // of a message with immediate data
  const Rule* message_order = nullptr;      // of a receive
  const Rule* serves_all = nullptr;         // of a receive that connections share

  // its completion
  const Rule* on_error_silent = nullptr;
  const Rule* on_error_reports = nullptr;
  const Rule* always_success = nullptr;  // of a receive, which always completes, as well
  const Rule* always_failure = nullptr;
  const Rule* op_context = nullptr;

  // its call
  const Rule* return_value = nullptr;
  const Rule* accepted = nullptr;
  const Rule* queue_depth = nullptr;
  const Rule* post_failed = nullptr;
  const Rule* refused_no_effect = nullptr;
  const Rule* usable_after_refusal = nullptr;

  // what the page leaves open
  const Rule* flags_undefined = nullptr;
  const Rule* flags_bit_1_alone = nullptr;
  const Rule* range_outside = nullptr;
  const Rule* region_usage = nullptr;
  const Rule* region_foreign = nullptr;
  const Rule* region_stale = nullptr;
  const Rule* region_unaligned = nullptr;
  const Rule* zero_length = nullptr;
  const Rule* zero_byte_open = nullptr;    // the form without a region, where the page is not clear
  const Rule* context_null = nullptr;      // op_context NULL
  const Rule* receive_missing = nullptr;   // of a message: no receive awaits it
  const Rule* message_too_long = nullptr;  // for the buffer it is placed in
  const Rule* shared_queue = nullptr;      // of a receive on a connection with an SRQ
  const Rule* post_after_error = nullptr;
  const Rule* completion_order = nullptr;
};

}  // namespace spec
