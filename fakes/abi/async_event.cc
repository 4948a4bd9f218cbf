// Asynchronous events: ibv_get_async_event(3).
#include <infiniband/verbs.h>

#include "abi/edge.h"
#include "abi/objects.h"

namespace fakenic {

// Puts the event into the queue of the context that owns the object. The edge calls this under its
// lock.
void RaiseAsyncEvent(const AsyncEvent& event) {
  ibv_async_event raised{};
  raised.event_type = static_cast<ibv_event_type>(event.type);
  if (event.cq != nullptr) {
    raised.element.cq = ibv_cq_ex_to_cq(&static_cast<FakeCq*>(event.cq->user)->ex);
    FromContext(raised.element.cq->context)->async_events.Push(raised);
  } else if (event.srq != nullptr) {
    raised.element.srq = &static_cast<FakeSrq*>(event.srq->user)->srq;
    FromContext(raised.element.srq->context)->async_events.Push(raised);
  } else {
    raised.element.qp = &static_cast<FakeQp*>(event.qp->user)->ex.qp_base;
    FromContext(raised.element.qp->context)->async_events.Push(raised);
  }
}

namespace {

void Acknowledge(pthread_mutex_t& mutex, pthread_cond_t& cond, uint32_t& completed) {
  pthread_mutex_lock(&mutex);
  ++completed;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
}

}  // namespace

void DropAsyncEvents(FakeContext& context, const void* element) {
  context.async_events.RemoveIf([&](const ibv_async_event& event) {
    return static_cast<const void*>(event.element.qp) == element;
  });
}

}  // namespace fakenic

using fakenic::FakeCq;
using fakenic::FakeQp;
using fakenic::FakeSrq;
using fakenic::From;

extern "C" {

int ibv_get_async_event(ibv_context* context, ibv_async_event* event) {
  fakenic::FakeContext* fake = fakenic::FromContext(context);
  {
    const fakenic::Locked locked;
    fakenic::edge().BeforeWait([&] { return !fake->async_events.empty(); });
  }
  while (true) {
    if (const int error = fake->async_events.fd().Take()) {
      errno = error;
      return -1;
    }
    const fakenic::Locked locked;
    const auto raised = fake->async_events.Pop();
    if (!raised) continue;
    *event = *raised;
    if (event->event_type == IBV_EVENT_DEVICE_FATAL) return 0;
    if (event->event_type == IBV_EVENT_CQ_ERR) {
      ++From<FakeCq>(event->element.cq)->async_events_fetched;
    } else if (event->event_type == IBV_EVENT_SRQ_LIMIT_REACHED) {
      ++From<FakeSrq>(event->element.srq)->async_events_fetched;
    } else {
      ++From<FakeQp>(event->element.qp)->async_events_fetched;
    }
    return 0;
  }
}

void ibv_ack_async_event(ibv_async_event* event) {
  if (event->event_type == IBV_EVENT_DEVICE_FATAL) return;  // no object waits for it
  if (event->event_type == IBV_EVENT_CQ_ERR) {
    ibv_cq* cq = event->element.cq;
    fakenic::Acknowledge(cq->mutex, cq->cond, cq->async_events_completed);
  } else if (event->event_type == IBV_EVENT_SRQ_LIMIT_REACHED) {
    ibv_srq* srq = event->element.srq;
    fakenic::Acknowledge(srq->mutex, srq->cond, srq->events_completed);
  } else {
    ibv_qp* qp = event->element.qp;
    fakenic::Acknowledge(qp->mutex, qp->cond, qp->events_completed);
  }
}

}  // extern "C"
