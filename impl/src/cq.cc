#include "cq.h"

#include <algorithm>
#include <climits>

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

// Whether a poll returned 1 to num_entries completions; in one comparison.
bool IsCount(int got, int num_entries) noexcept {
  return static_cast<unsigned>(got) - 1u < static_cast<unsigned>(num_entries);
}

// The two forms of a poll are apart so that the first, which returns no count and is the usual
// one, saves no registers for it.
[[gnu::noinline]] int PollOne(rpma_cq* cq, int num_entries, ibv_wc* wc) noexcept {
  if (num_entries != 1) return RPMA_E_INVAL;
  const int got = ibv_poll_cq(cq->cq.get(), num_entries, wc);
  if (got != 1) return PollFailure(got);
  return 0;
}

[[gnu::noinline]] int PollMany(rpma_cq* cq, int num_entries, ibv_wc* wc,
                               int* num_entries_got) noexcept {
  if (num_entries < 1) return RPMA_E_INVAL;
  const int got = ibv_poll_cq(cq->cq.get(), num_entries, wc);
  if (!IsCount(got, num_entries)) return PollFailure(got);
  *num_entries_got = got;
  return 0;
}

}  // namespace
}  // namespace rpma

rpma_cq::rpma_cq(ibv_context* context, uint32_t size, ibv_comp_channel* shared_channel)
    : channel(shared_channel) {
  if (channel == nullptr) {
    own_channel = rpma::CompChannel(
        rpma::OrThrow(ibv_create_comp_channel(context), "ibv_create_comp_channel"));
    channel = own_channel.get();
  }
  const int cqe = static_cast<int>(std::min<uint32_t>(size, INT_MAX));
  cq = rpma::Cq(
      rpma::OrThrow(ibv_create_cq(context, cqe, /*cq_context=*/nullptr, channel, /*comp_vector=*/0),
                    "ibv_create_cq"));
  rpma::ThrowIf(
      rpma::VerbsResult(ibv_req_notify_cq(cq.get(), /*solicited_only=*/0), "ibv_req_notify_cq"));
}

int rpma_cq::Close() noexcept {
  rpma::FirstError error;
  error.Add(cq.Close());
  error.Add(own_channel.Close());
  return error.Result();
}

int rpma_cq::AckEvent() noexcept {
  ibv_ack_cq_events(cq.get(), 1);
  return rpma::VerbsResult(ibv_req_notify_cq(cq.get(), /*solicited_only=*/0), "ibv_req_notify_cq");
}

int rpma_cq_get_fd(const struct rpma_cq* cq, int* fd) {
  if (cq == nullptr || fd == nullptr) return RPMA_E_INVAL;
  *fd = cq->channel->fd;
  return 0;
}

int rpma_cq_wait(struct rpma_cq* cq) {
  if (cq == nullptr) return RPMA_E_INVAL;
  if (cq->has_shared_channel()) return RPMA_E_SHARED_CHANNEL;
  ibv_cq* event_cq;
  void* cq_context;
  if (ibv_get_cq_event(cq->channel, &event_cq, &cq_context) != 0) {
    // Only these two mean "not yet"; after anything else a caller that tries again would spin.
    if (errno == EAGAIN || errno == EINTR) return RPMA_E_NO_COMPLETION;
    return rpma::ProviderFailure("ibv_get_cq_event", errno);
  }
  return cq->AckEvent();
}

int rpma_cq_get_wc(struct rpma_cq* cq, int num_entries, struct ibv_wc* wc, int* num_entries_got) {
  if (cq == nullptr || wc == nullptr) return RPMA_E_INVAL;
  if (num_entries_got == nullptr) return rpma::PollOne(cq, num_entries, wc);
  return rpma::PollMany(cq, num_entries, wc, num_entries_got);
}
