#include "cq.h"

#include <algorithm>
#include <climits>

#include "arguments.h"

namespace rpma {
namespace {

// What it means that a poll returned none of the counts that it was asked for. Cold, because this
// keeps the registers of a poll that finds something free; one that finds nothing has time.
[[gnu::cold, gnu::noinline]] int PollFailure(int got) noexcept {
  if (got == 0) {
    if (IsLogged(RPMA_LOG_LEVEL_DEBUG)) [[unlikely]] {
      Log{RPMA_LOG_LEVEL_DEBUG}("no completion");
    }
    return RPMA_E_NO_COMPLETION;
  }
  if (got < 0) return ProviderFailure("ibv_poll_cq", errno);
  Log{RPMA_LOG_LEVEL_ERROR}("ibv_poll_cq returned %d completions, more than asked for", got);
  return RPMA_E_UNKNOWN;
}

// Of any number but one. Out of line, so that a poll for one saves no registers for it.
[[gnu::noinline]] int PollMany(ibv_cq* cq, int num_entries, ibv_wc* wc,
                               int* num_entries_got) noexcept {
  if (num_entries < 1 || num_entries_got == nullptr) return RPMA_E_INVAL;
  const int got = ibv_poll_cq(cq, num_entries, wc);
  if (got < 1 || got > num_entries) return PollFailure(got);
  *num_entries_got = got;
  return 0;
}

}  // namespace

CompletionQueue::CompletionQueue(ibv_context* context, uint32_t size,
                                 ibv_comp_channel* shared_channel)
    : channel(shared_channel) {
  if (channel == nullptr) {
    own_channel = CompChannel(OrThrow(ibv_create_comp_channel(context), "ibv_create_comp_channel"));
    channel = own_channel.get();
  }
  const int cqe = static_cast<int>(std::min<uint32_t>(size, INT_MAX));
  cq = Cq(OrThrow(ibv_create_cq(context, cqe, /*cq_context=*/this, channel, /*comp_vector=*/0),
                  "ibv_create_cq"));
  ThrowIf(VerbsResult(ibv_req_notify_cq(cq.get(), /*solicited_only=*/0), "ibv_req_notify_cq"));
}

int CompletionQueue::Close() noexcept {
  FirstError error;
  error.Add(cq.Close());
  error.Add(own_channel.Close());
  return error.Result();
}

int CompletionQueue::AckEvent() noexcept {
  ibv_ack_cq_events(cq.get(), 1);
  return VerbsResult(ibv_req_notify_cq(cq.get(), /*solicited_only=*/0), "ibv_req_notify_cq");
}

}  // namespace rpma

int rpma_cq_get_fd(const struct rpma_cq* cq, int* fd) {
  if (cq == nullptr || fd == nullptr) return RPMA_E_INVAL;
  *fd = rpma::QueueOf(cq).channel->fd;
  return 0;
}

int rpma_cq_wait(struct rpma_cq* cq) {
  if (cq == nullptr) return RPMA_E_INVAL;
  rpma::CompletionQueue& queue = rpma::QueueOf(cq);
  if (queue.has_shared_channel()) return RPMA_E_SHARED_CHANNEL;
  ibv_cq* event_cq;
  void* cq_context;
  if (ibv_get_cq_event(queue.channel, &event_cq, &cq_context) != 0) {
    // Only these two mean "not yet"; after anything else a caller that tries again would spin.
    if (errno == EAGAIN || errno == EINTR) return RPMA_E_NO_COMPLETION;
    return rpma::ProviderFailure("ibv_get_cq_event", errno);
  }
  return queue.AckEvent();
}

int rpma_cq_get_wc(struct rpma_cq* cq, int num_entries, struct ibv_wc* wc, int* num_entries_got) {
  if (rpma::AnyIsNull(cq, wc)) return RPMA_E_INVAL;
  if (num_entries != 1) return rpma::PollMany(rpma::DeviceCq(cq), num_entries, wc, num_entries_got);
  asm("" : "+r"(num_entries));  // or its register would be loaded with the 1 that it holds
  const int got = ibv_poll_cq(rpma::DeviceCq(cq), num_entries, wc);
  if (got != 1) return rpma::PollFailure(got);
  if (num_entries_got != nullptr) *num_entries_got = 1;
  return 0;
}
