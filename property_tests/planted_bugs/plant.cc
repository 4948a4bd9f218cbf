#include "property_tests/planted_bugs/plant.h"

#include <cstdlib>

namespace planted {

std::string_view Bug() {
  static const char* const kBug = std::getenv("PLANTED_BUG");
  return kBug != nullptr ? kBug : "";
}

std::string_view PostCall::name() const {
  constexpr std::string_view kNames[] = {
      "rpma_write",    "rpma_atomic_write",  "rpma_read",  "rpma_write_with_imm",
      "rpma_send",     "rpma_send_with_imm", "rpma_flush", "rpma_recv",
      "rpma_srq_recv", "rpma_conn_req_recv"};
  return kNames[static_cast<int>(function)];
}

bool PostCall::plain() const {
  if (handle == nullptr || flags == 0) return false;
  if (has_remote() && remote == nullptr) return false;
  if (has_local() && local == nullptr) return false;
  if (function == Function::kAtomicWrite) return word != nullptr && remote_offset % 8 == 0;
  return function != Function::kFlush || type == RPMA_FLUSH_TYPE_VISIBILITY;
}

#define REAL(name) static auto* const kReal = Real<decltype(::name)>(#name)

int PostCall::Post() const {
  auto* const target = const_cast<rpma_mr_local*>(local);
  switch (function) {
    case Function::kWrite: {
      REAL(rpma_write);
      return kReal(conn(), remote, remote_offset, local, local_offset, len, flags, op_context);
    }
    case Function::kAtomicWrite: {
      REAL(rpma_atomic_write);
      return kReal(conn(), remote, remote_offset, word, flags, op_context);
    }
    case Function::kRead: {
      REAL(rpma_read);
      return kReal(conn(), target, local_offset, remote, remote_offset, len, flags, op_context);
    }
    case Function::kWriteImm: {
      REAL(rpma_write_with_imm);
      return kReal(conn(), remote, remote_offset, local, local_offset, len, flags, imm, op_context);
    }
    case Function::kSend: {
      REAL(rpma_send);
      return kReal(conn(), local, local_offset, len, flags, op_context);
    }
    case Function::kSendImm: {
      REAL(rpma_send_with_imm);
      return kReal(conn(), local, local_offset, len, flags, imm, op_context);
    }
    case Function::kFlush: {
      REAL(rpma_flush);
      return kReal(conn(), remote, remote_offset, len, static_cast<rpma_flush_type>(type), flags,
                   op_context);
    }
    case Function::kRecv: {
      REAL(rpma_recv);
      return kReal(conn(), target, local_offset, len, op_context);
    }
    case Function::kSrqRecv: {
      REAL(rpma_srq_recv);
      return kReal(static_cast<rpma_srq*>(handle), target, local_offset, len, op_context);
    }
    case Function::kReqRecv: {
      REAL(rpma_conn_req_recv);
      return kReal(static_cast<rpma_conn_req*>(handle), target, local_offset, len, op_context);
    }
  }
  return RPMA_E_UNKNOWN;
}

int Answer(const PostCall& call) {
  CatchUp();
  Forget(call.op_context);
  if (call.context() == kMarkerContext) return call.Post();
  if (call.context() == kOwnContext)
    return call.receives() && ReceiveIsToBreak() ? RPMA_E_PROVIDER : call.Post();
  const std::string_view bug = Bug();
  const std::string_view function = bug.substr(0, bug.find('.'));
  // What is no rule's id is a misbehaviour of the first function.
  const bool of_rule = bug.find('.') != std::string_view::npos;
  if (of_rule ? function != call.name() : call.function != Function::kWrite) return call.Post();
  if (const PlantedBug* own = FindBugOfOne(bug)) return own->call(call);
  const PlantedBug* common = of_rule ? FindBugOfAll(bug.substr(function.size() + 1)) : nullptr;
  return common != nullptr ? common->call(call) : call.Post();
}

}  // namespace planted
