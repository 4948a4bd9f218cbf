// Names of the values that programs print: ibv_wc_status_str(3), ibv_event_type_str(3),
// rdma_event_str(3), and rates.
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace {

struct Name {
  int value;
  const char* text;
};

// The value may be no value of its enumeration: C programs may pass any.
template <size_t N, typename Enum>
const char* Find(const Name (&names)[N], const Enum& from_c, const char* otherwise) {
  int value;
  std::memcpy(&value, &from_c, sizeof value);
  const auto* found = std::find_if(std::begin(names), std::end(names),
                                   [&](const Name& n) { return n.value == value; });
  return found == std::end(names) ? otherwise : found->text;
}

constexpr Name kNodeTypes[] = {
    {IBV_NODE_CA, "InfiniBand channel adapter"},
    {IBV_NODE_SWITCH, "InfiniBand switch"},
    {IBV_NODE_ROUTER, "InfiniBand router"},
    {IBV_NODE_RNIC, "iWARP NIC"},
    {IBV_NODE_USNIC, "usNIC"},
    {IBV_NODE_USNIC_UDP, "usNIC UDP"},
    {IBV_NODE_UNSPECIFIED, "unspecified"},
};

constexpr Name kPortStates[] = {
    {IBV_PORT_NOP, "no state change (NOP)"},
    {IBV_PORT_DOWN, "down"},
    {IBV_PORT_INIT, "init"},
    {IBV_PORT_ARMED, "armed"},
    {IBV_PORT_ACTIVE, "active"},
    {IBV_PORT_ACTIVE_DEFER, "active defer"},
};

constexpr Name kEventTypes[] = {
    {IBV_EVENT_CQ_ERR, "CQ error"},
    {IBV_EVENT_QP_FATAL, "local work queue catastrophic error"},
    {IBV_EVENT_QP_REQ_ERR, "invalid request local work queue error"},
    {IBV_EVENT_QP_ACCESS_ERR, "local access violation work queue error"},
    {IBV_EVENT_COMM_EST, "communication established"},
    {IBV_EVENT_SQ_DRAINED, "send queue drained"},
    {IBV_EVENT_PATH_MIG, "path migrated"},
    {IBV_EVENT_PATH_MIG_ERR, "path migration request error"},
    {IBV_EVENT_DEVICE_FATAL, "local catastrophic error"},
    {IBV_EVENT_PORT_ACTIVE, "port active"},
    {IBV_EVENT_PORT_ERR, "port error"},
    {IBV_EVENT_LID_CHANGE, "LID change"},
    {IBV_EVENT_PKEY_CHANGE, "P_Key change"},
    {IBV_EVENT_SM_CHANGE, "SM change"},
    {IBV_EVENT_SRQ_ERR, "SRQ catastrophic error"},
    {IBV_EVENT_SRQ_LIMIT_REACHED, "SRQ limit reached"},
    {IBV_EVENT_QP_LAST_WQE_REACHED, "last WQE reached"},
    {IBV_EVENT_CLIENT_REREGISTER, "client reregistration"},
    {IBV_EVENT_GID_CHANGE, "GID table change"},
    {IBV_EVENT_WQ_FATAL, "WQ fatal"},
};

constexpr Name kStatuses[] = {
    {IBV_WC_SUCCESS, "success"},
    {IBV_WC_LOC_LEN_ERR, "local length error"},
    {IBV_WC_LOC_QP_OP_ERR, "local QP operation error"},
    {IBV_WC_LOC_EEC_OP_ERR, "local EE context operation error"},
    {IBV_WC_LOC_PROT_ERR, "local protection error"},
    {IBV_WC_WR_FLUSH_ERR, "Work Request Flushed Error"},
    {IBV_WC_MW_BIND_ERR, "memory management operation error"},
    {IBV_WC_BAD_RESP_ERR, "bad response error"},
    {IBV_WC_LOC_ACCESS_ERR, "local access error"},
    {IBV_WC_REM_INV_REQ_ERR, "remote invalid request error"},
    {IBV_WC_REM_ACCESS_ERR, "remote access error"},
    {IBV_WC_REM_OP_ERR, "remote operation error"},
    {IBV_WC_RETRY_EXC_ERR, "transport retry counter exceeded"},
    {IBV_WC_RNR_RETRY_EXC_ERR, "RNR retry counter exceeded"},
    {IBV_WC_LOC_RDD_VIOL_ERR, "local RDD violation error"},
    {IBV_WC_REM_INV_RD_REQ_ERR, "remote invalid RD request"},
    {IBV_WC_REM_ABORT_ERR, "aborted error"},
    {IBV_WC_INV_EECN_ERR, "invalid EE context number"},
    {IBV_WC_INV_EEC_STATE_ERR, "invalid EE context state"},
    {IBV_WC_FATAL_ERR, "fatal error"},
    {IBV_WC_RESP_TIMEOUT_ERR, "response timeout error"},
    {IBV_WC_GENERAL_ERR, "general error"},
    {IBV_WC_TM_ERR, "TM error"},
    {IBV_WC_TM_RNDV_INCOMPLETE, "TM software rendezvous"},
};

#define CM_EVENT(name) \
  { name, #name }
constexpr Name kCmEvents[] = {
    CM_EVENT(RDMA_CM_EVENT_ADDR_RESOLVED),   CM_EVENT(RDMA_CM_EVENT_ADDR_ERROR),
    CM_EVENT(RDMA_CM_EVENT_ROUTE_RESOLVED),  CM_EVENT(RDMA_CM_EVENT_ROUTE_ERROR),
    CM_EVENT(RDMA_CM_EVENT_CONNECT_REQUEST), CM_EVENT(RDMA_CM_EVENT_CONNECT_RESPONSE),
    CM_EVENT(RDMA_CM_EVENT_CONNECT_ERROR),   CM_EVENT(RDMA_CM_EVENT_UNREACHABLE),
    CM_EVENT(RDMA_CM_EVENT_REJECTED),        CM_EVENT(RDMA_CM_EVENT_ESTABLISHED),
    CM_EVENT(RDMA_CM_EVENT_DISCONNECTED),    CM_EVENT(RDMA_CM_EVENT_DEVICE_REMOVAL),
    CM_EVENT(RDMA_CM_EVENT_MULTICAST_JOIN),  CM_EVENT(RDMA_CM_EVENT_MULTICAST_ERROR),
    CM_EVENT(RDMA_CM_EVENT_ADDR_CHANGE),     CM_EVENT(RDMA_CM_EVENT_TIMEWAIT_EXIT),
};
#undef CM_EVENT

struct Rate {
  ibv_rate rate;
  int multiple;  // of 2.5 Gbit/s
};

constexpr Rate kRates[] = {
    {IBV_RATE_2_5_GBPS, 1}, {IBV_RATE_5_GBPS, 2},   {IBV_RATE_10_GBPS, 4},
    {IBV_RATE_20_GBPS, 8},  {IBV_RATE_30_GBPS, 12}, {IBV_RATE_40_GBPS, 16},
    {IBV_RATE_60_GBPS, 24}, {IBV_RATE_80_GBPS, 32}, {IBV_RATE_120_GBPS, 48},
};

}  // namespace

extern "C" {

const char* ibv_node_type_str(ibv_node_type type) { return Find(kNodeTypes, type, "unknown"); }

const char* ibv_port_state_str(ibv_port_state state) {
  return Find(kPortStates, state, "invalid state");
}

const char* ibv_event_type_str(ibv_event_type event) { return Find(kEventTypes, event, "unknown"); }

const char* ibv_wc_status_str(ibv_wc_status status) { return Find(kStatuses, status, "unknown"); }

const char* rdma_event_str(rdma_cm_event_type event) {
  return Find(kCmEvents, event, "UNKNOWN EVENT");
}

int ibv_rate_to_mult(ibv_rate rate) {
  for (const Rate& r : kRates) {
    if (r.rate == rate) return r.multiple;
  }
  return -1;
}

ibv_rate mult_to_ibv_rate(int multiple) {
  for (const Rate& r : kRates) {
    if (r.multiple == multiple) return r.rate;
  }
  return IBV_RATE_MAX;
}

int ibv_rate_to_mbps(ibv_rate rate) {
  const int multiple = ibv_rate_to_mult(rate);
  return multiple < 0 ? -1 : multiple * 2500;
}

ibv_rate mbps_to_ibv_rate(int mbps) {
  return mbps % 2500 == 0 ? mult_to_ibv_rate(mbps / 2500) : IBV_RATE_MAX;
}

}  // extern "C"
