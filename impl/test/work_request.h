// Matchers for posted work requests.
#pragma once

#include <arpa/inet.h>
#include <gmock/gmock.h>

#include <ostream>
#include <vector>

#include "provider.h"

inline bool operator==(const ibv_sge& a, const ibv_sge& b) {
  return a.addr == b.addr && a.length == b.length && a.lkey == b.lkey;
}

namespace rpma::test {

struct Rdma {
  uint64_t wr_id;
  unsigned send_flags;
  uint64_t remote_addr;
  uint32_t rkey;
  std::vector<ibv_sge> sge;

  bool operator==(const Rdma&) const = default;
};

inline std::ostream& operator<<(std::ostream& os, const Rdma& write) {
  os << "wr_id " << write.wr_id << ", send_flags " << write.send_flags << ", remote_addr "
     << write.remote_addr << ", rkey " << write.rkey;
  for (const ibv_sge& sge : write.sge) {
    os << ", sge {" << sge.addr << ", " << sge.length << ", " << sge.lkey << "}";
  }
  return os;
}

inline uint64_t AddressOf(const void* object) { return reinterpret_cast<uintptr_t>(object); }

// One request, alone in its list, with this opcode and exactly these fields.
MATCHER_P2(IsRdma, opcode, expected, "") {
  if (arg->opcode != opcode || arg->next != nullptr) return false;
  if (arg->num_sge == 0 && arg->sg_list != nullptr) return false;
  const Rdma actual{.wr_id = arg->wr_id,
                    .send_flags = arg->send_flags,
                    .remote_addr = arg->wr.rdma.remote_addr,
                    .rkey = arg->wr.rdma.rkey,
                    .sge = {arg->sg_list, arg->sg_list + arg->num_sge}};
  *result_listener << "which is " << actual;
  return actual == expected;
}

inline auto IsWrite(Rdma expected) { return IsRdma(IBV_WR_RDMA_WRITE, std::move(expected)); }
inline auto IsRead(Rdma expected) { return IsRdma(IBV_WR_RDMA_READ, std::move(expected)); }

// A message or a receive: one request, alone in its list, with exactly these fields.
struct Message {
  uint64_t wr_id;
  std::vector<ibv_sge> sge;
};

MATCHER_P(IsMessage, expected, "") {
  if (arg->next != nullptr || arg->wr_id != expected.wr_id) return false;
  if (arg->num_sge == 0 && arg->sg_list != nullptr) return false;
  return std::vector<ibv_sge>(arg->sg_list, arg->sg_list + arg->num_sge) == expected.sge;
}

inline auto IsReceive(Message expected) { return IsMessage(std::move(expected)); }

MATCHER_P(HasOpcode, opcode, "") { return arg->opcode == opcode; }
MATCHER_P(HasImm, imm, "in network order") { return arg->imm_data == htonl(imm); }

MATCHER_P(HasSendFlags, flags, "") { return arg->send_flags == static_cast<unsigned>(flags); }
MATCHER_P(HasLength, length, "") { return arg->sg_list[0].length == uint32_t{length}; }

}  // namespace rpma::test
