// Completion queues and channels: ibv_create_cq(3), ibv_create_comp_channel(3),
// ibv_get_cq_event(3).
#include "nic/cq.h"

#include <fcntl.h>
#include <infiniband/verbs.h>

#include <memory>
#include <system_error>

#include "abi/edge.h"
#include "abi/objects.h"
#include "abi/owed_acks.h"

namespace fakenic {
namespace {

bool IsNonBlocking(int fd) { return (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0; }

}  // namespace

FakeCq* CreateCq(ibv_context* context, int cqe, void* cq_context, ibv_comp_channel* channel,
                 int comp_vector) {
  if (const int error = edge().faults.Fire("ibv_create_cq")) return Null<FakeCq>(error);
  if (comp_vector < 0 || comp_vector >= context->num_comp_vectors) return Null<FakeCq>(EINVAL);
  const Locked locked;
  CompChannel* model_channel = channel != nullptr ? From<FakeCompChannel>(channel)->model : nullptr;
  const auto made = FromContext(context)->model.CreateCq(cqe, model_channel);
  if (made.error != 0) return Null<FakeCq>(made.error);
  auto* fake = new FakeCq;
  fake->model = made.object;
  fake->model->user = fake;
  fake->ex.context = context;
  fake->ex.channel = channel;
  fake->ex.cq_context = cq_context;
  fake->ex.handle = made.object->handle;
  fake->ex.cqe = static_cast<int>(made.object->capacity());
  pthread_mutex_init(&fake->ex.mutex, nullptr);
  pthread_cond_init(&fake->ex.cond, nullptr);
  if (channel != nullptr) ++channel->refcnt;
  return fake;
}

}  // namespace fakenic

using fakenic::edge;
using fakenic::FakeCompChannel;
using fakenic::FakeCq;
using fakenic::From;
using fakenic::FromContext;
using fakenic::IsNonBlocking;
using fakenic::Locked;

extern "C" {

ibv_comp_channel* ibv_create_comp_channel(ibv_context* context) {
  if (const int error = edge().faults.Fire("ibv_create_comp_channel")) {
    return fakenic::Null<ibv_comp_channel>(error);
  }
  const Locked locked;
  try {
    auto channel = std::make_unique<FakeCompChannel>();
    channel->model = FromContext(context)->model.CreateCompChannel();
    channel->channel = {context, channel->model->events.fd().get(), 0};
    return &channel.release()->channel;
  } catch (const std::system_error& failure) {
    return fakenic::Null<ibv_comp_channel>(failure.code().value());
  }
}

int ibv_destroy_comp_channel(ibv_comp_channel* channel) {
  if (const int error = edge().faults.Fire("ibv_destroy_comp_channel")) return fakenic::Verb(error);
  const Locked locked;
  FakeCompChannel* fake = From<FakeCompChannel>(channel);
  if (const int error = FromContext(channel->context)->model.DestroyCompChannel(fake->model)) {
    return fakenic::Verb(error);
  }
  delete fake;
  return 0;
}

ibv_cq* ibv_create_cq(ibv_context* context, int cqe, void* cq_context, ibv_comp_channel* channel,
                      int comp_vector) {
  FakeCq* fake = fakenic::CreateCq(context, cqe, cq_context, channel, comp_vector);
  return fake == nullptr ? nullptr : ibv_cq_ex_to_cq(&fake->ex);
}

int ibv_resize_cq(ibv_cq* cq, int cqe) {
  if (const int error = edge().faults.Fire("ibv_resize_cq")) return fakenic::Verb(error);
  const Locked locked;
  if (const int error = FromContext(cq->context)->model.ResizeCq(cq->handle, cqe)) {
    return fakenic::Verb(error);
  }
  cq->cqe = static_cast<int>(FromContext(cq->context)->model.FindCq(cq->handle)->capacity());
  return 0;
}

// The queue goes at once; its struct stays until every event that was fetched for it is
// acknowledged.
int ibv_destroy_cq(ibv_cq* cq) {
  if (const int error = edge().faults.Fire("ibv_destroy_cq")) return fakenic::Verb(error);
  FakeCq* fake = From<FakeCq>(cq);
  {
    const Locked locked;
    if (const int error = FromContext(cq->context)->model.DestroyCq(cq->handle)) {
      return fakenic::Verb(error);
    }
    fakenic::DropAsyncEvents(*FromContext(cq->context), cq);
    if (cq->channel != nullptr) --cq->channel->refcnt;
  }
  fakenic::WaitUntilAcked(
      "ibv_destroy_cq", cq->mutex, cq->cond,
      {{"completion events", fake->comp_events_fetched, cq->comp_events_completed},
       {"asynchronous events", fake->async_events_fetched, cq->async_events_completed}});
  delete fake;
  return 0;
}

int ibv_get_cq_event(ibv_comp_channel* channel, ibv_cq** cq, void** cq_context) {
  if (const int error = edge().faults.Fire("ibv_get_cq_event")) {
    errno = error;
    return -1;
  }
  fakenic::CompChannel* model = From<FakeCompChannel>(channel)->model;
  {
    Locked locked;
    const auto there = [&] { return !model->events.empty(); };
    edge().BeforeWait(there);
    if (!there() && !IsNonBlocking(channel->fd)) edge().LookOut(locked.lock(), there);
  }
  while (true) {
    if (const int error = model->events.fd().Take()) {
      errno = error;
      return -1;
    }
    const Locked locked;
    const auto raised = model->events.Pop();
    if (!raised) continue;
    auto* fake = static_cast<FakeCq*>((*raised)->user);
    pthread_mutex_lock(&fake->ex.mutex);
    ++fake->comp_events_fetched;
    pthread_mutex_unlock(&fake->ex.mutex);
    *cq = ibv_cq_ex_to_cq(&fake->ex);
    *cq_context = fake->ex.cq_context;
    return 0;
  }
}

void ibv_ack_cq_events(ibv_cq* cq, unsigned int nevents) {
  pthread_mutex_lock(&cq->mutex);
  cq->comp_events_completed += nevents;
  pthread_cond_signal(&cq->cond);
  pthread_mutex_unlock(&cq->mutex);
}

}  // extern "C"
