/* fakenic.h: steer and question the fake NIC that answers behind libibverbs.so.1 and
 * librdmacm.so.1.
 *
 * A program that runs on the fake needs none of this. A test does: it takes the NIC's steps one by
 * one, makes the nth call of a verb fail, and counts what is still alive. Look the functions up
 * with dlsym() on the loaded libibverbs.so.1; real hardware's library has none of them, and that is
 * how a test learns which of the two it has.
 *
 * Every function may be called from any thread. All of them act on the one fabric of this process.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who chooses the NIC's next step.
 * EAGER: every step is taken inside the call that enabled it, in order; nothing is ever pending on
 * return. MANUAL: nothing moves until fakenic_step() or fakenic_run(). SEEDED: after each call some
 * enabled steps are taken, which and how many a seed decides; others are left for later calls. A
 * poll takes at least one. While a CQ is armed every call takes all that is enabled, and so does
 * the NIC on its own when no call comes for 200 ms: whoever waits without calling is not forgotten.
 * Programs choose SEEDED by FAKENIC_SCHEDULE=seeded and FAKENIC_SEED=number in the environment. */
enum fakenic_schedule { FAKENIC_EAGER = 0, FAKENIC_MANUAL = 1, FAKENIC_SEEDED = 2 };

/* Chooses the schedule. Steps still pending are taken, in order, when EAGER is chosen; SEEDED
 * starts at the beginning of its seed. Returns 0, or EINVAL for a value that is not in the
 * enumeration. */
int fakenic_set_schedule(enum fakenic_schedule schedule);

/* The seed of the schedule SEEDED, 0 until it is set. Under SEEDED it starts over with this one. */
void fakenic_set_seed(uint64_t seed);

/* Chooses the schedule SEEDED with recorded choices in place of a seed: the same calls then see the
 * same steps. Returns 0, or EINVAL for NULL choices with a count. */
int fakenic_replay(const uint32_t *choices, size_t count);

/* Copies the first choices made under SEEDED, at most capacity, and returns how many were made; 0
 * under another schedule. */
size_t fakenic_choices(uint32_t *choices, size_t capacity);

/* A number that changes with each step taken under SEEDED; equal for equal runs. */
uint64_t fakenic_trace(void);

/* The number of steps enabled now: the steps that the order rules allow to be next. Always 0 under
 * EAGER. */
size_t fakenic_enabled_steps(void);

/* Takes the enabled step with this index (0 is the oldest). Returns 0, or EINVAL if index >=
 * fakenic_enabled_steps(). */
int fakenic_step(size_t index);

/* Writes one line about the enabled step with this index to text, at most size bytes with the final
 * NUL, for example "qp 0x11 wr 0x7: place 8 bytes at 0x7f00". Returns 0, or EINVAL for a bad index,
 * a NULL text or a size of 0. */
int fakenic_describe_step(size_t index, char *text, size_t size);

/* Takes enabled steps, always the oldest, until none is left. Returns how many it took. */
size_t fakenic_run(void);

/* Moves the NIC's clock forward by this many nanoseconds and fires the timers that are due on the
 * way (transport retries, answers that the RDMA CM waits for), each at its time. */
void fakenic_advance_time(uint64_t nanoseconds);

/* Lets the NIC's clock run this many times as fast as the machine's, so that a time-out of a minute
 * takes a second or less. Programs set it by the environment variable FAKENIC_CLOCK_RATE. Returns
 * 0, or EINVAL for a rate outside 1 to 1000000. */
int fakenic_set_clock_rate(unsigned rate);

/* Makes one call fail: the nth call (1 is the next) of the verb or RDMA CM function of this name,
 * counted from now, does nothing and fails with this errno value, in the way that function reports
 * errors. The data path is named by its verb: "ibv_post_send", "ibv_post_recv",
 * "ibv_post_srq_recv", "ibv_poll_cq", "ibv_req_notify_cq". Of an event whose rdma_ack_cm_event
 * fails nothing is left all the same, so that nobody waits for it. A later plan for the same name
 * replaces an unfired one. Returns 0; EINVAL for a NULL name, nth 0 or error <= 0; ENOENT for a
 * name that cannot be made to fail. */
int fakenic_fail_call(const char *name, unsigned nth, int error);

/* How often a planned failure of this name has fired since the last fakenic_clear_faults(). 0 for
 * an unknown name. */
unsigned fakenic_fault_fired(const char *name);

/* The nth call of this name from now fails as planned; 0: none does. So that a plan can go on in
 * another process. */
unsigned fakenic_fault_left(const char *name);

/* Forgets all planned failures and their counts. */
void fakenic_clear_faults(void);

/* What the RDMA CM finds at an address. ORDINARY: the device, if the address is local. SILENT: a
 * host to which there is a route and which never answers. A positive errno value (EHOSTUNREACH,
 * ENETUNREACH, ETIMEDOUT, ENODEV ...): resolving the address fails with it. */
#define FAKENIC_HOST_ORDINARY 0
#define FAKENIC_HOST_SILENT (-1)

/* Says what is at this IPv4 or IPv6 address, given as text. Returns 0, or EINVAL for another text
 * or a fate below FAKENIC_HOST_SILENT. */
int fakenic_set_host(const char *address, int fate);

/* Takes the device away (0): every queue pair fails, every context gets IBV_EVENT_DEVICE_FATAL and
 * every RDMA CM id that has the device DEVICE_REMOVAL; no list shows the device and no address
 * leads to it until it is put back (1). */
void fakenic_set_device_present(int present);

/* Which device's behaviour the NIC shows where devices disagree: "spec" (the specification, and
 * mlx5 where that leaves a choice), "mlx5", "mlx5-drop" (drops what is posted too early) or "rxe".
 * Programs choose by the environment variable FAKENIC_PROFILE. The device takes the profile's name,
 * unless FAKENIC_DEVICE or fakenic_set_device_name() gives another. Returns 0; EINVAL for another
 * name or NULL; EBUSY while a completion queue or a queue pair lives. */
int fakenic_set_profile(const char *name);
const char *fakenic_profile(void);

/* What lies between this process's NIC and persistent memory, so that it is known which of the
 * bytes that came over the NIC survive a power failure. "adr": the NIC's writes go to the memory
 * controller; a read or a flush behind a write, on its queue pair, makes it persistent. "adr-ddio":
 * they stay in a cache, where only a flush of type PERSISTENT makes them persistent, or this
 * process. "eadr": caches are saved too; a read or a flush makes a write persistent. A write's own
 * completion never does, nor that it can be seen. NULL, as at first: it is not known. Bytes that
 * are in memory when a platform is chosen count as persistent, and so do those that the process
 * itself stores. Programs choose by the environment variable FAKENIC_PLATFORM. Returns 0, or EINVAL
 * for another name. */
int fakenic_set_platform(const char *name);
const char *fakenic_platform(void);

/* The power of this process's host fails, and comes back: every queue pair fails, and each byte
 * that came over the NIC and is not persistent gets back what it held persistently before, so that
 * the program's recovery can be run on what is left. Returns 0, or EINVAL while no platform is
 * chosen. */
int fakenic_fail_power(void);

/* Whether all of these bytes, as far as they came over the NIC, survive a power failure: 1 or 0, or
 * -1 while no platform is chosen. Bytes of a region that is deregistered are no longer followed. */
int fakenic_is_persistent(const void *addr, size_t length);

/* The process has made these bytes persistent, as pmem_persist(3) does: on each platform they
 * survive from now on. What the process makes persistent in any other way the fake does not see. */
void fakenic_persist(const void *addr, size_t length);

/* Names the device. Returns 0, or EINVAL for NULL, an empty name, one with a slash, or one of more
 * than 63 characters. */
int fakenic_set_device_name(const char *name);

/* The names of the functions that exist only to be linked and say that they are not supported, one
 * by one from index 0 on; NULL after the last. */
const char *fakenic_unmodelled(size_t index);

/* What is alive, and what has happened, in this process. */
struct fakenic_counts {
  uint64_t pds, mrs, cqs, comp_channels, qps, srqs; /* live verbs objects */
  uint64_t cm_ids, event_channels, address_infos;   /* live RDMA CM objects */
  uint64_t sends_posted, recvs_posted;              /* work requests accepted by a post */
  uint64_t completions;                             /* completions put into a CQ */
};

/* Writes why this queue pair is in error: one line about the first check that failed, for example
 * "qp 0x11 wr 0x7: rkey 0x304 names no live region", at most size bytes with the final NUL; an
 * empty line if nothing failed. Programs see the same lines on standard error when the environment
 * variable FAKENIC_EXPLAIN is 1. Returns 0, EINVAL for a NULL text or a size of 0, ENOENT if no
 * live queue pair has this number. */
int fakenic_explain(uint32_t qp_num, char *text, size_t size);

/* Fills *counts. Returns 0, or EINVAL if counts is NULL. */
int fakenic_get_counts(struct fakenic_counts *counts);

/* What goes between this process and the others of its fabric: packets, messages of the RDMA CM
 * among them. Two processes that speak with nobody else have nothing under way between them when
 * none waits at either, and together they have sent no more, read last, than they had taken, read
 * first. */
struct fakenic_traffic {
  uint64_t sent;    /* packets that left this process */
  uint64_t taken;   /* packets that came, and whose effects here are complete */
  uint64_t waiting; /* 1: something waits here for room, or travels slowly */
};

/* Fills *traffic. Returns 0, or EINVAL if traffic is NULL. */
int fakenic_get_traffic(struct fakenic_traffic *traffic);

#ifdef __cplusplus
}
#endif
