#include "nic/verdict.h"

#include <cinttypes>
#include <cstdio>

namespace fakenic {
namespace {

template <typename... Args>
std::string Format(const char* format, Args... args) {
  char text[256];
  std::snprintf(text, sizeof text, format, args...);
  return text;
}

std::string ExplainAccess(const char* kind, const Verdict& v, const Mr* mr) {
  switch (v.access) {
    case AccessVerdict::kAllowed:
      break;
    case AccessVerdict::kNoSuchKey:
      return Format("%s 0x%x names no live region", kind, v.key);
    case AccessVerdict::kOtherPd:
      return Format("%s 0x%x belongs to another protection domain", kind, v.key);
    case AccessVerdict::kMissingAccess:
      return Format("%s 0x%x was registered without the access right (has 0x%x)", kind, v.key,
                    mr != nullptr ? mr->access : 0);
    case AccessVerdict::kOutOfRange:
      return Format("%s 0x%x: bytes 0x%" PRIx64 "+%" PRIu64 " are outside the region 0x%" PRIx64
                    "+%" PRIu64,
                    kind, v.key, v.addr, v.length, mr != nullptr ? mr->addr : 0,
                    mr != nullptr ? mr->length : 0);
  }
  return "";
}

std::string ExplainCause(const Verdict& v, const Mr* mr) {
  switch (v.cause) {
    case Cause::kNone:
      return "success";
    case Cause::kLocalKey:
      return ExplainAccess("lkey", v, mr);
    case Cause::kRemoteKey:
      return ExplainAccess("rkey", v, mr);
    case Cause::kQpAccess:
      return "the responder's queue pair does not allow the operation";
    case Cause::kAtomicAlign:
      return Format("atomic write to 0x%" PRIx64 ", which is not a multiple of 8", v.addr);
    case Cause::kNoReadResources:
      return "the responder's queue pair answers no reads, its max_dest_rd_atomic is 0";
    case Cause::kAtomicLength:
      return Format("atomic write of %" PRIu64 " bytes, expected 8", v.length);
    case Cause::kUnreachable:
      return "no responder answered within the transport retries";
    case Cause::kFlushed:
      return "flushed, the queue pair was in error";
  }
  return "";
}

}  // namespace

std::string Explain(uint32_t qp_num, uint64_t wr_id, const Verdict& verdict, const Mr* mr) {
  return Format("qp 0x%x wr 0x%" PRIx64 ": ", qp_num, wr_id) + ExplainCause(verdict, mr);
}

}  // namespace fakenic
