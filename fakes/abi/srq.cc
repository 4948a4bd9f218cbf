// Shared receive queues: ibv_create_srq(3), ibv_modify_srq(3), ibv_query_srq(3).
#include "nic/srq.h"

#include <infiniband/verbs.h>

#include "abi/edge.h"
#include "abi/objects.h"
#include "abi/owed_acks.h"

using fakenic::edge;
using fakenic::FakeSrq;
using fakenic::From;
using fakenic::FromContext;
using fakenic::Locked;

extern "C" {

ibv_srq* ibv_create_srq(ibv_pd* pd, ibv_srq_init_attr* init_attr) {
  if (const int error = edge().faults.Fire("ibv_create_srq")) return fakenic::Null<ibv_srq>(error);
  const Locked locked;
  const auto made =
      FromContext(pd->context)
          ->model.CreateSrq(pd->handle, init_attr->attr.max_wr, init_attr->attr.max_sge);
  if (made.error != 0) return fakenic::Null<ibv_srq>(made.error);
  auto* fake = new FakeSrq;
  fake->model = made.object;
  fake->model->user = fake;
  fake->srq.context = pd->context;
  fake->srq.srq_context = init_attr->srq_context;
  fake->srq.pd = pd;
  fake->srq.handle = made.object->handle;
  pthread_mutex_init(&fake->srq.mutex, nullptr);
  pthread_cond_init(&fake->srq.cond, nullptr);
  return &fake->srq;
}

// The size is fixed, as the device does not say that it can resize.
int ibv_modify_srq(ibv_srq* srq, ibv_srq_attr* attr, int attr_mask) {
  if (const int error = edge().faults.Fire("ibv_modify_srq")) return fakenic::Verb(error);
  const Locked locked;
  if ((attr_mask & ~IBV_SRQ_LIMIT) != 0) return fakenic::Verb(EINVAL);
  if (attr_mask == 0) return 0;
  return fakenic::Verb(FromContext(srq->context)->model.SetSrqLimit(srq->handle, attr->srq_limit));
}

int ibv_query_srq(ibv_srq* srq, ibv_srq_attr* attr) {
  if (const int error = edge().faults.Fire("ibv_query_srq")) return fakenic::Verb(error);
  const Locked locked;
  const fakenic::Srq* model = FromContext(srq->context)->model.FindSrq(srq->handle);
  if (model == nullptr) return fakenic::Verb(ENOENT);
  *attr = {model->queue.max_wr(), model->queue.max_sge(), model->limit};
  return 0;
}

int ibv_destroy_srq(ibv_srq* srq) {
  if (const int error = edge().faults.Fire("ibv_destroy_srq")) return fakenic::Verb(error);
  FakeSrq* fake = From<FakeSrq>(srq);
  {
    const Locked locked;
    if (const int error = FromContext(srq->context)->model.DestroySrq(srq->handle)) {
      return fakenic::Verb(error);
    }
    fakenic::DropAsyncEvents(*FromContext(srq->context), srq);
  }
  fakenic::WaitUntilAcked(
      "ibv_destroy_srq", srq->mutex, srq->cond,
      {{"asynchronous events", fake->async_events_fetched, srq->events_completed}});
  delete fake;
  return 0;
}

}  // extern "C"
