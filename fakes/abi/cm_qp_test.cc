// Queue pairs and options of identifiers.
#include "abi/test_programs.h"

namespace fakenic {
namespace {

class CmQp : public testing::Test {
 protected:
  void SetUp() override {
    sockaddr_in address = Loopback(7401);
    ASSERT_EQ(rdma_create_id(nullptr, &id, nullptr, RDMA_PS_TCP), 0);
    ASSERT_EQ(rdma_resolve_addr(id, nullptr, reinterpret_cast<sockaddr*>(&address), 1000), 0);
  }
  void TearDown() override { EXPECT_EQ(rdma_destroy_id(id), 0); }

  static ibv_qp_init_attr Attr(uint32_t sends = 4, uint32_t recvs = 3) {
    ibv_qp_init_attr attr{};
    attr.cap = {sends, recvs, 1, 1, 0};
    attr.qp_type = IBV_QPT_RC;
    return attr;
  }

  rdma_cm_id* id = nullptr;
};

TEST_F(CmQp, MissingCqsAreMadeWithAChannelEachAndGoWithTheQueuePair) {
  ibv_qp_init_attr attr = Attr();
  ASSERT_EQ(rdma_create_qp(id, nullptr, &attr), 0);

  EXPECT_EQ(id->qp->state, IBV_QPS_INIT);
  EXPECT_EQ(id->qp->pd, id->pd) << "the device's default domain";
  EXPECT_EQ(attr.send_cq, id->send_cq);
  EXPECT_EQ(id->send_cq->cq_context, id);
  EXPECT_EQ(id->send_cq->cqe, 4);
  EXPECT_EQ(id->send_cq->channel, id->send_cq_channel);
  EXPECT_EQ(id->recv_cq->cqe, 3);
  EXPECT_NE(id->recv_cq_channel, id->send_cq_channel);
  ibv_qp_init_attr again = Attr();
  EXPECT_EQ(rdma_create_qp(id, nullptr, &again), -1) << "it has one";
  EXPECT_EQ(errno, EINVAL);

  rdma_destroy_qp(id);
  EXPECT_EQ(id->qp, nullptr);
  EXPECT_EQ(id->send_cq, nullptr);
  EXPECT_EQ(id->recv_cq_channel, nullptr);
  EXPECT_EQ(rdma_create_qp(id, nullptr, &again), 0);
  rdma_destroy_qp(id);
}

TEST_F(CmQp, ACqOfTheCallersStaysTheCallers) {
  ibv_cq* cq = ibv_create_cq(id->verbs, 8, nullptr, nullptr, 0);
  ibv_qp_init_attr attr = Attr();
  attr.send_cq = attr.recv_cq = cq;
  ASSERT_EQ(rdma_create_qp(id, id->pd, &attr), 0);
  EXPECT_EQ(id->send_cq, nullptr);
  rdma_destroy_qp(id);
  EXPECT_EQ(ibv_destroy_cq(cq), 0);
}

TEST_F(CmQp, WhatDoesNotFitTheIdIsRefusedAndLeavesNothingBehind) {
  ibv_context* other = ibv_open_device(id->verbs->device);
  ibv_pd* foreign = ibv_alloc_pd(other);
  rdma_cm_id* unresolved = nullptr;
  rdma_create_id(nullptr, &unresolved, nullptr, RDMA_PS_TCP);
  ibv_qp_init_attr datagrams = Attr(), big = Attr(1u << 30), good = Attr();
  datagrams.qp_type = IBV_QPT_UD;
  struct Row {
    const char* claim;
    rdma_cm_id* id;
    ibv_pd* pd;
    ibv_qp_init_attr attr;
  } rows[] = {{"a domain of another context", id, foreign, good},
              {"an id without a device", unresolved, nullptr, good},
              {"another type than the port space's", id, nullptr, datagrams},
              {"more than the device can", id, nullptr, big}};
  for (Row& row : rows) {
    EXPECT_EQ(rdma_create_qp(row.id, row.pd, &row.attr), -1) << row.claim;
    EXPECT_EQ(errno, EINVAL) << row.claim;
    EXPECT_EQ(row.id->qp, nullptr);
    EXPECT_EQ(row.id->send_cq, nullptr) << row.claim;
    EXPECT_EQ(row.id->send_cq_channel, nullptr) << row.claim;
  }
  rdma_destroy_id(unresolved);
  EXPECT_EQ(ibv_dealloc_pd(foreign), 0);
  ibv_close_device(other);
}

TEST_F(CmQp, TheExtendedCallFillsInTheDomain) {
  ibv_qp_init_attr_ex attr{};
  attr.cap = {1, 1, 1, 1, 0};
  attr.qp_type = IBV_QPT_RC;
  ASSERT_EQ(rdma_create_qp_ex(id, &attr), 0);
  EXPECT_EQ(attr.comp_mask, unsigned{IBV_QP_INIT_ATTR_PD});
  EXPECT_EQ(attr.pd, id->pd);
  rdma_destroy_qp(id);
}

struct OptionRow {
  const char* claim;
  int level, name;
  size_t size;
  int error;
};

TEST_F(CmQp, OptionsAreCheckedByNameAndSize) {
  const OptionRow rows[] = {
      {"type of service", RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, 1, 0},
      {"type of service of the wrong size", RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, 4, EINVAL},
      {"address reuse", RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, 4, 0},
      {"address reuse of the wrong size", RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, 1, EINVAL},
      {"one family, after the id is resolved", RDMA_OPTION_ID, RDMA_OPTION_ID_AFONLY, 4, EINVAL},
      {"one family of the wrong size", RDMA_OPTION_ID, RDMA_OPTION_ID_AFONLY, 8, EINVAL},
      {"ack time-out", RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, 1, 0},
      {"ack time-out of the wrong size", RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, 2, EINVAL},
      {"an unknown name", RDMA_OPTION_ID, 9, 4, ENOSYS},
      {"an unknown level", 2, RDMA_OPTION_ID_TOS, 1, ENOSYS},
      {"a path of no whole records", RDMA_OPTION_IB, RDMA_OPTION_IB_PATH, 7, EINVAL},
      {"an unknown name of IB", RDMA_OPTION_IB, 2, 72, ENOSYS},
  };
  char value[72] = {};
  for (const OptionRow& row : rows) {
    errno = 0;
    const int result = rdma_set_option(id, row.level, row.name, value, row.size);
    EXPECT_EQ(result, row.error == 0 ? 0 : -1) << row.claim;
    EXPECT_EQ(errno, row.error) << row.claim;
  }
}

TEST_F(CmQp, APathOfTheProgramsOwnTakesThePlaceOfTheRoute) {
  char path[72] = {};
  EXPECT_EQ(rdma_set_option(id, RDMA_OPTION_IB, RDMA_OPTION_IB_PATH, path, sizeof path), 0);
  EXPECT_EQ(NextEvent(id->channel), RDMA_CM_EVENT_ROUTE_RESOLVED);
  EXPECT_EQ(rdma_resolve_route(id, 1000), -1) << "it has one";
}

TEST_F(CmQp, AnAckTimeoutIsForConnectionsOnly) {
  rdma_cm_id* datagrams = nullptr;
  rdma_create_id(nullptr, &datagrams, nullptr, RDMA_PS_UDP);
  uint8_t timeout = 12;
  EXPECT_EQ(rdma_set_option(datagrams, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &timeout, 1),
            -1);
  EXPECT_EQ(errno, EINVAL);
  rdma_destroy_id(datagrams);
}

TEST_F(CmQp, EceIsForProgramsThatBringTheirQueuePair) {
  ibv_ece ece{.vendor_id = 0x15b3, .options = 3, .comp_mask = 0};
  EXPECT_EQ(rdma_set_local_ece(id, &ece), 0);
  EXPECT_EQ(rdma_get_remote_ece(id, &ece), 0);
  EXPECT_EQ(ece.vendor_id, 0u) << "none received";
  EXPECT_EQ(rdma_set_local_ece(id, &ece), -1) << "no vendor";
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(rdma_set_local_ece(id, nullptr), -1);
  EXPECT_EQ(rdma_get_remote_ece(id, nullptr), -1);
  ibv_qp_init_attr attr = Attr();
  ASSERT_EQ(rdma_create_qp(id, nullptr, &attr), 0);
  ece = {.vendor_id = 1, .options = 0, .comp_mask = 0};
  EXPECT_EQ(rdma_set_local_ece(id, &ece), -1);
  EXPECT_EQ(rdma_get_remote_ece(id, &ece), -1);
  EXPECT_EQ(errno, EINVAL);
  rdma_destroy_qp(id);
}

}  // namespace
}  // namespace fakenic
