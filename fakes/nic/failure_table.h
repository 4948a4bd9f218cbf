// For tests: the failure table. What is wrong with a work request or with whom it meets, and how
// both ends report it. A row a failure.
//
// Failures that need more than one request stand beside what they are about: a lost CQ entry in
// fabric_test.cc, an absent receive in fabric_send_test.cc, regions that go under way in
// fabric_steps_test.cc and fabric_read_test.cc, shared receive queues in fabric_srq_test.cc,
// repeated reads and atomics in fabric_read_test.cc and fabric_atomic_test.cc.
#pragma once

#include <optional>
#include <span>

#include "nic/test_pair.h"

namespace fakenic {

// Two connected ends, on one fabric or on two.
struct Ends {
  TestEnd& local;
  TestEnd& remote;
  Context& here;
  Context& there;
  Fabric& remote_fabric;
  Sge& sge;       // what the request carries
  Sge& recv_sge;  // what the receive that it meets is filled with
};

struct FailureRow {
  const char* name;
  WrOpcode opcode;
  void (*breaks)(Ends&, SendWr&);
  WcStatus status;
  // Of the receive that the request meets; none: it is not consumed.
  std::optional<WcStatus> recv_status;
  QpState responder;        // afterwards
  const char* explanation;  // part of the first cause
  bool remote_changes = false;
};

std::span<const FailureRow> FailureTable();

}  // namespace fakenic
