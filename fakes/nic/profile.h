// Where real devices disagree, as data: one profile per kind of device, one field per choice.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include "nic/types.h"

namespace fakenic {

// What the device advertises, and enforces exactly.
struct DeviceLimits {
  uint32_t max_qp = 16000;
  uint32_t max_cq = 16000;
  uint32_t max_pd = 16000;
  uint32_t max_mr = 131072;
  uint32_t max_qp_wr = 16384;
  uint32_t max_srq = 16000;
  uint32_t max_srq_wr = 16384;
  uint32_t max_srq_sge = 32;
  uint32_t max_cqe = 1048576;
  uint32_t max_sge = 32;
  uint32_t max_inline_data = 512;
  uint8_t max_rd_atomic = 128;
};

// A slot of a send queue: a header, then sges of 16 bytes or inline data behind a header of its
// own, all rounded up to the unit. What the slot has room for is granted as inline data; under unit
// 0 it is exactly what was asked for.
struct SendSlot {
  uint32_t header = 0;
  uint32_t inline_header = 0;
  uint32_t unit = 0;

  constexpr uint32_t GrantedInline(const QpCap& asked) const {
    if (unit == 0) return asked.max_inline_data;
    const uint32_t sges = 16 * asked.max_send_sge;
    const uint32_t content = std::max(sges, inline_header + asked.max_inline_data);
    return (header + content + unit - 1) / unit * unit - header - inline_header;
  }
};

struct Profile {
  std::string_view name;
  const char* device_name;
  DeviceLimits limits;
  SendSlot send_slot = {};

  // Posting: the errno of a send that is posted before RTS and of a receive that is posted in
  // RESET; 0: the work request is dropped without a word.
  int post_send_before_rts = 0;
  int post_recv_in_reset = EINVAL;
  // The send that is refused for its state is in the queue by then, with those behind it in its
  // list, and is carried out in RTS; no request is named as the bad one.
  bool early_sends_stay = false;
  // The errno of a send that has more sges than the queue takes, whose inline data is too long.
  int post_send_too_many_sges = 0;
  int post_send_inline_too_long = 0;
  // The errno of an empty list of sends; 0: nothing was to be done.
  int post_send_of_nothing = 0;
  // Atomics that are misaligned or shorter than 8 bytes fail when they are posted, with EINVAL, and
  // not at the responder.
  bool atomics_are_checked_at_post = false;

  // Failures: the status of a send or write whose own buffer is bad.
  WcStatus send_bad_buffer = WcStatus::kLocProtErr;
  // The statuses of a receive that is too short for its message, has a bad buffer, belongs to a
  // write with immediate data to a bad key, to a send that invalidates a bad key.
  WcStatus recv_too_short = WcStatus::kLocLenErr;
  WcStatus recv_bad_buffer = WcStatus::kLocProtErr;
  WcStatus recv_bad_rkey = WcStatus::kLocAccessErr;
  WcStatus recv_bad_invalidate = WcStatus::kLocAccessErr;

  // Completions of receives: flags beyond those that the message sets.
  uint32_t recv_wc_flags = 0;
  // Completion queues: the size asked for grows to one less than a power of two.
  bool cq_sizes_are_rounded = false;
  // Retries: a retry count of 7 means for ever.
  bool retry_count_seven_is_for_ever = false;
  // Events: a responder that refuses an access says so by an asynchronous event.
  bool access_error_is_an_event = true;
  // Completion queues: an overrun fails the queue pairs.
  bool overrun_fails_qps = true;
  // Completion queues: a failed completion counts as a solicited one.
  bool errors_are_solicited = true;

  // Posting: a send slot is free again when its request is done, not when its completion is polled.
  bool send_slots_are_freed_early = false;
  // Receives: buffers are checked as long as they are, not as far as the message fills them; those
  // of a shared receive queue have to be of the queue pair's domain, not of the queue's.
  bool receives_are_checked_whole = false;
  bool shared_receives_are_of_the_qps_pd = false;
  // Completion queues: the completions of a queue pair that is destroyed or reset stay.
  bool completions_outlive_their_qp = false;
  // Completion queues: arming finds the completions that nobody has polled, and raises its event at
  // once.
  bool arming_sees_unpolled_completions = false;
  // Regions: may be registered to be paged in on demand, and then be advised.
  bool pages_on_demand = false;
  // Operations: a native flush, with the rights of regions and queue pairs that it needs.
  bool offers_flush = false;

  bool early_sends_vanish() const { return post_send_before_rts == 0; }
};

inline constexpr Profile kMlx5 = {
    .name = "mlx5",
    .device_name = "mlx5_0",
    .limits = {.max_cqe = 4194303, .max_sge = 30, .max_inline_data = 828, .max_rd_atomic = 16},
    .send_slot = {.header = 192, .inline_header = 4, .unit = 64},
    .post_send_before_rts = ENOMEM,
    .post_send_too_many_sges = ENOMEM,
    .post_send_inline_too_long = ENOMEM,
    .cq_sizes_are_rounded = true,
    .retry_count_seven_is_for_ever = false,
    .access_error_is_an_event = true,
    .overrun_fails_qps = true,
    .errors_are_solicited = true,
    .arming_sees_unpolled_completions = true,
    .pages_on_demand = true};

constexpr Profile EarlyPostsVanish(Profile profile) {
  profile.name = "mlx5-drop";
  profile.post_send_before_rts = profile.post_recv_in_reset = 0;
  return profile;
}

// `spec` is what the specification decides, and `mlx5` where it decides nothing; `mlx5` and `rxe`
// are what these devices do. `mlx5-drop` is an mlx5 that drops what is posted too early, as drivers
// did that did not look at the state; a public test suite still expects this.
inline constexpr Profile kProfiles[] = {
    {.name = "spec",
     .device_name = "fakenic0",
     .limits = {},
     .post_send_before_rts = EINVAL,
     .post_send_too_many_sges = EINVAL,
     .post_send_inline_too_long = EINVAL,
     .retry_count_seven_is_for_ever = false,
     .access_error_is_an_event = true,
     .overrun_fails_qps = true,
     .errors_are_solicited = true,
     .offers_flush = true},
    kMlx5,
    EarlyPostsVanish(kMlx5),
    {.name = "rxe",
     .device_name = "rxe0",
     .limits = {.max_srq_sge = 27, .max_cqe = 32767},
     .send_slot = {.unit = 1},
     .post_send_before_rts = EINVAL,
     .early_sends_stay = true,
     .post_send_too_many_sges = EINVAL,
     .post_send_inline_too_long = EINVAL,
     .post_send_of_nothing = EINVAL,
     .atomics_are_checked_at_post = true,
     .send_bad_buffer = WcStatus::kWrFlushErr,
     .recv_too_short = WcStatus::kRemInvReqErr,
     .recv_bad_buffer = WcStatus::kLocQpOpErr,
     .recv_bad_rkey = WcStatus::kRemAccessErr,
     .recv_bad_invalidate = WcStatus::kRemInvReqErr,
     .recv_wc_flags = 1,  // GRH
     .cq_sizes_are_rounded = true,
     .retry_count_seven_is_for_ever = true,
     .access_error_is_an_event = false,
     .overrun_fails_qps = false,
     .errors_are_solicited = false,
     .send_slots_are_freed_early = true,
     .receives_are_checked_whole = true,
     .shared_receives_are_of_the_qps_pd = true,
     .completions_outlive_their_qp = true,
     .offers_flush = true},
};

inline constexpr const Profile& kSpecProfile = kProfiles[0];

// Null: no profile has this name.
constexpr const Profile* FindProfile(std::string_view name) {
  for (const Profile& profile : kProfiles) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

}  // namespace fakenic
