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
      if (mr == nullptr)
        return Format("%s 0x%x was registered without the access right", kind, v.key);
      return Format("%s 0x%x was registered without the access right (has 0x%x)", kind, v.key,
                    mr->access);
    case AccessVerdict::kOutOfRange:
      if (mr == nullptr) {
        return Format("%s 0x%x: bytes 0x%" PRIx64 "+%" PRIu64 " are outside the region", kind,
                      v.key, v.addr, v.length);
      }
      return Format("%s 0x%x: bytes 0x%" PRIx64 "+%" PRIu64 " are outside the region 0x%" PRIx64
                    "+%" PRIu64,
                    kind, v.key, v.addr, v.length, mr->addr, mr->length);
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
      return Format("atomic to 0x%" PRIx64 ", which is not a multiple of 8", v.addr);
    case Cause::kNoReadResources:
      return Format("too many reads and atomics, the responder's max_dest_rd_atomic is %u", v.key);
    case Cause::kAtomicLength:
      return Format("atomic of %" PRIu64 " bytes, expected 8", v.length);
    case Cause::kTooLong:
      return Format("message of %" PRIu64 " bytes, the longest has 2^31", v.length);
    case Cause::kReceiveTooShort:
      return Format("message of %" PRIu64 " bytes, the receive holds %" PRIu64, v.length, v.addr);
    case Cause::kReceiveKey:
      return ExplainAccess("the receive's lkey", v, mr);
    case Cause::kNoReceive:
      return "the responder had no receive posted within the RNR retries";
    case Cause::kInvalidateKey:
      return Format("rkey 0x%x names nothing that can be invalidated", v.key);
    case Cause::kUnreachable:
      return "no responder answered within the transport retries";
    case Cause::kFlushed:
      return "flushed, the queue pair was in error";
    case Cause::kCutShort:
      return "the bytes of the message before it ended before its length";
  }
  return "";
}

}  // namespace

std::string Explain(uint32_t qp_num, uint64_t wr_id, const Verdict& verdict, const Mr* mr) {
  return Format("qp 0x%x wr 0x%" PRIx64 ": ", qp_num, wr_id) + ExplainCause(verdict, mr);
}

}  // namespace fakenic
