// Endpoints and the helpers of rdma_verbs.h, as the simplest programs use them.
#include <netdb.h>
#include <rdma/rdma_verbs.h>

#include <future>
#include <thread>

#include "abi/test_programs.h"

namespace fakenic {
namespace {

struct AddrInfo {
  AddrInfo(const char* node, const char* service, int flags = 0) {
    rdma_addrinfo hints{};
    hints.ai_flags = flags;
    hints.ai_port_space = RDMA_PS_TCP;
    EXPECT_EQ(rdma_getaddrinfo(node, service, &hints, &info), 0);
  }
  ~AddrInfo() { rdma_freeaddrinfo(info); }
  rdma_addrinfo* info = nullptr;
};

ibv_qp_init_attr Attr() {
  ibv_qp_init_attr attr{};
  attr.cap = {4, 4, 1, 1, 16};
  attr.sq_sig_all = 1;
  return attr;
}

struct Region {
  uint64_t addr;
  uint32_t rkey;
};

// Tells its memory to the client and disconnects when the client is done with it.
void Serve(rdma_cm_id* listener, char (&memory)[16], std::future<void> done) {
  rdma_cm_id* id = nullptr;
  ASSERT_EQ(rdma_get_request(listener, &id), 0);
  ASSERT_NE(id->qp, nullptr) << "made from the attributes of the endpoint";
  ASSERT_EQ(id->event->event, RDMA_CM_EVENT_CONNECT_REQUEST);
  ibv_mr* mr =
      ibv_reg_mr(id->pd, memory, sizeof memory,
                 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE);
  char scratch[8];
  ibv_mr* recv_mr = rdma_reg_msgs(id, scratch, sizeof scratch);
  EXPECT_EQ(rdma_post_recv(id, nullptr, scratch, sizeof scratch, recv_mr), 0);
  const Region region{reinterpret_cast<uintptr_t>(memory), mr->rkey};
  rdma_conn_param param{};
  param.private_data = &region;
  param.private_data_len = sizeof region;
  param.responder_resources = param.initiator_depth = 1;
  ASSERT_EQ(rdma_accept(id, &param), 0);
  done.wait();
  EXPECT_EQ(rdma_disconnect(id), 0) << "returns when the client has disconnected too";
  ibv_wc wc{};
  EXPECT_EQ(rdma_get_recv_comp(id, &wc), 1);
  EXPECT_EQ(wc.status, IBV_WC_WR_FLUSH_ERR);
  EXPECT_EQ(rdma_dereg_mr(recv_mr), 0);
  EXPECT_EQ(rdma_dereg_mr(mr), 0);
  rdma_destroy_ep(id);
}

TEST(CmEndpoint, AClientWritesAndReadsByTheHelpersOfSynchronousIds) {
  AddrInfo at("127.0.0.1", "7501", RAI_PASSIVE), to("127.0.0.1", "7501");
  ibv_qp_init_attr attr = Attr();
  rdma_cm_id* listener = nullptr;
  ASSERT_EQ(rdma_create_ep(&listener, at.info, nullptr, &attr), 0);
  ASSERT_EQ(rdma_listen(listener, 0), 0);
  char memory[16] = {};
  std::promise<void> done;
  std::thread server([&] { Serve(listener, memory, done.get_future()); });

  rdma_cm_id* id = nullptr;
  ASSERT_EQ(rdma_create_ep(&id, to.info, nullptr, &attr), 0);
  EXPECT_EQ(attr.qp_type, IBV_QPT_RC) << "of the address";
  rdma_conn_param param{};
  param.initiator_depth = 1;
  param.retry_count = 7;
  ASSERT_EQ(rdma_connect(id, &param), 0);
  Region region;
  std::memcpy(&region, id->event->param.conn.private_data, sizeof region);
  char text[8] = "written", back[8] = {};
  ibv_mr* text_mr = rdma_reg_write(id, text, sizeof text);
  ibv_mr* back_mr = rdma_reg_read(id, back, sizeof back);
  ibv_wc wc{};
  EXPECT_EQ(rdma_post_write(id, text, text, 8, text_mr, 0, region.addr, region.rkey), 0);
  EXPECT_EQ(rdma_get_send_comp(id, &wc), 1);
  EXPECT_EQ(wc.wr_id, reinterpret_cast<uintptr_t>(text));
  EXPECT_EQ(rdma_post_read(id, back, back, 8, back_mr, 0, region.addr, region.rkey), 0);
  EXPECT_EQ(rdma_get_send_comp(id, &wc), 1);
  EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
  EXPECT_STREQ(back, "written");
  done.set_value();
  EXPECT_EQ(rdma_disconnect(id), 0);

  server.join();
  EXPECT_STREQ(memory, "written");
  EXPECT_EQ(rdma_dereg_mr(text_mr), 0);
  EXPECT_EQ(rdma_dereg_mr(back_mr), 0);
  rdma_destroy_ep(id);
  rdma_destroy_ep(listener);
}

// Answers one message with another, on a queue pair whose receives are shared.
void Answer(rdma_cm_id* listener) {
  rdma_cm_id* id = nullptr;
  ASSERT_EQ(rdma_get_request(listener, &id), 0);
  ibv_srq_init_attr srq{};
  srq.attr = {.max_wr = 4, .max_sge = 1, .srq_limit = 0};
  ASSERT_EQ(rdma_create_srq(id, nullptr, &srq), 0);
  ASSERT_NE(id->srq, nullptr);
  EXPECT_EQ(id->recv_cq, nullptr) << "only a queue pair needs one";
  ibv_qp_init_attr attr = Attr();
  attr.qp_type = IBV_QPT_RC;
  ASSERT_EQ(rdma_create_qp(id, nullptr, &attr), 0);
  EXPECT_EQ(id->qp->srq, id->srq);
  char heard[8] = {};
  ibv_mr* mr = rdma_reg_msgs(id, heard, sizeof heard);
  EXPECT_EQ(rdma_post_recv(id, nullptr, heard, sizeof heard, mr), 0);
  ASSERT_EQ(rdma_accept(id, nullptr), 0);
  ibv_wc wc{};
  EXPECT_EQ(rdma_get_recv_comp(id, &wc), 1);
  EXPECT_EQ(wc.byte_len, 4u);
  EXPECT_STREQ(heard, "ask");
  std::memcpy(heard, "answer", 7);
  EXPECT_EQ(rdma_post_send(id, nullptr, heard, 7, mr, IBV_SEND_SIGNALED), 0);
  EXPECT_EQ(rdma_get_send_comp(id, &wc), 1);
  EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
  EXPECT_EQ(rdma_disconnect(id), 0);
  EXPECT_EQ(rdma_dereg_mr(mr), 0);
  rdma_destroy_ep(id);
}

TEST(CmEndpoint, MessagesGoBothWaysThroughASharedReceiveQueue) {
  AddrInfo at("127.0.0.1", "7505", RAI_PASSIVE), to("127.0.0.1", "7505");
  rdma_cm_id *listener = nullptr, *id = nullptr;
  ASSERT_EQ(rdma_create_ep(&listener, at.info, nullptr, nullptr), 0);
  ASSERT_EQ(rdma_listen(listener, 0), 0);
  std::thread server([&] { Answer(listener); });
  ibv_qp_init_attr attr = Attr();
  ASSERT_EQ(rdma_create_ep(&id, to.info, nullptr, &attr), 0);
  char text[8] = "ask", answer[8] = {};
  ibv_mr* mr = rdma_reg_msgs(id, answer, sizeof answer);
  EXPECT_EQ(rdma_post_recv(id, answer, answer, sizeof answer, mr), 0);
  ASSERT_EQ(rdma_connect(id, nullptr), 0);

  EXPECT_EQ(rdma_post_send(id, nullptr, text, 4, nullptr, IBV_SEND_INLINE), 0);

  ibv_wc wc{};
  EXPECT_EQ(rdma_get_recv_comp(id, &wc), 1);
  EXPECT_EQ(wc.wr_id, reinterpret_cast<uintptr_t>(answer));
  EXPECT_STREQ(answer, "answer");
  EXPECT_EQ(rdma_disconnect(id), 0);
  server.join();
  EXPECT_EQ(rdma_dereg_mr(mr), 0);
  rdma_destroy_ep(id);
  rdma_destroy_ep(listener);
}

TEST(CmEndpoint, ASharedReceiveQueueOfNoTypeIsRefused) {
  AddrInfo to("127.0.0.1", "7506");
  rdma_cm_id* id = nullptr;
  ASSERT_EQ(rdma_create_ep(&id, to.info, nullptr, nullptr), 0);
  ibv_srq_init_attr_ex attr{};
  attr.attr.max_wr = attr.attr.max_sge = 1;
  EXPECT_EQ(rdma_create_srq_ex(id, &attr), -1);
  EXPECT_EQ(errno, EINVAL);
  attr.comp_mask = IBV_SRQ_INIT_ATTR_TYPE;
  attr.srq_type = IBV_SRQT_BASIC;
  EXPECT_EQ(rdma_create_srq_ex(id, &attr), 0);
  EXPECT_EQ(attr.pd, id->pd) << "the device's default domain";
  rdma_destroy_srq(id);
  EXPECT_EQ(id->srq, nullptr);
  rdma_destroy_ep(id);
}

TEST(CmEndpoint, AFailureLeavesNoEndpoint) {
  AddrInfo nowhere("192.0.2.1", "7502");
  rdma_cm_id* id = nullptr;
  EXPECT_EQ(rdma_create_ep(&id, nowhere.info, nullptr, nullptr), -1);
  EXPECT_EQ(errno, ENODEV);
  AddrInfo to("127.0.0.1", "7502");
  ibv_qp_init_attr big = Attr();
  big.cap.max_send_wr = 1u << 30;
  EXPECT_EQ(rdma_create_ep(&id, to.info, nullptr, &big), -1);
  EXPECT_EQ(errno, EINVAL);
  fakenic_counts counts;
  fakenic_get_counts(&counts);
  EXPECT_EQ(counts.cm_ids, 0u);
  EXPECT_EQ(counts.cqs, 0u);
}

TEST(CmEndpoint, RequestsAreForSynchronousListeners) {
  ProgramPair pair(7503);
  rdma_cm_id* id = nullptr;
  EXPECT_EQ(rdma_get_request(pair.listener, &id), -1);
  EXPECT_EQ(errno, EINVAL);
}

TEST(CmEndpoint, ARequestWhoseQueuePairFailsIsTheListenersResult) {
  AddrInfo at("127.0.0.1", "7504", RAI_PASSIVE), to("127.0.0.1", "7504");
  ibv_qp_init_attr attr = Attr();
  rdma_cm_id *listener = nullptr, *id = nullptr, *requested = nullptr;
  ASSERT_EQ(rdma_create_ep(&listener, at.info, nullptr, &attr), 0);
  ASSERT_EQ(rdma_listen(listener, 0), 0);
  ASSERT_EQ(rdma_create_ep(&id, to.info, nullptr, &attr), 0);
  rdma_event_channel* channel = rdma_create_event_channel();
  ASSERT_EQ(rdma_migrate_id(id, channel), 0);
  ASSERT_EQ(rdma_connect(id, nullptr), 0);
  ASSERT_EQ(fakenic_fail_call("rdma_create_qp", 1, ENOMEM), 0);

  EXPECT_EQ(rdma_get_request(listener, &requested), -1);

  EXPECT_EQ(errno, ENOMEM);
  ASSERT_NE(listener->event, nullptr);
  rdma_destroy_ep(listener->event->id);
  EXPECT_EQ(NextEvent(channel), RDMA_CM_EVENT_REJECTED);
  fakenic_clear_faults();
  rdma_destroy_ep(id);
  rdma_destroy_ep(listener);
  rdma_destroy_event_channel(channel);
}

struct LookupRow {
  const char* claim;
  const char* node;
  const char* service;
  int flags, family, qp_type, space;
  int error;  // of rdma_getaddrinfo
  int family_found, qp_type_found, space_found;
};

TEST(CmAddrInfo, HintsSayWhatIsLookedFor) {
  const LookupRow rows[] = {
      {"a connection by default", "127.0.0.1", "7", 0, 0, 0, 0, 0, AF_INET, IBV_QPT_RC,
       RDMA_PS_TCP},
      {"datagrams", "127.0.0.1", "7", 0, 0, IBV_QPT_UD, 0, 0, AF_INET, IBV_QPT_UD, RDMA_PS_UDP},
      {"a port space", "127.0.0.1", "7", 0, 0, 0, RDMA_PS_IPOIB, 0, AF_INET, IBV_QPT_UD,
       RDMA_PS_IPOIB},
      {"IPv6", "::1", "7", 0, AF_INET6, IBV_QPT_RC, RDMA_PS_TCP, 0, AF_INET6, IBV_QPT_RC,
       RDMA_PS_TCP},
      {"passive, any address", nullptr, "7", RAI_PASSIVE, AF_INET, 0, RDMA_PS_TCP, 0, AF_INET,
       IBV_QPT_RC, RDMA_PS_TCP},
      {"numeric", "127.0.0.1", nullptr, RAI_NUMERICHOST, 0, 0, 0, 0, AF_INET, IBV_QPT_RC,
       RDMA_PS_TCP},
      {"a name where a number has to be", "localhost", "7", RAI_NUMERICHOST, 0, 0, 0, EAI_NONAME, 0,
       0, 0},
      {"the family of InfiniBand addresses", "fe80::1", "7", RAI_FAMILY | RAI_NUMERICHOST, 27, 0, 0,
       EAI_FAMILY, 0, 0, 0},
  };
  for (const LookupRow& row : rows) {
    rdma_addrinfo hints{}, *info = nullptr;
    hints.ai_flags = row.flags;
    hints.ai_family = row.family;
    hints.ai_qp_type = row.qp_type;
    hints.ai_port_space = row.space;
    ASSERT_EQ(rdma_getaddrinfo(row.node, row.service, &hints, &info), row.error) << row.claim;
    if (row.error != 0) continue;
    EXPECT_EQ(info->ai_family, row.family_found) << row.claim;
    EXPECT_EQ(info->ai_qp_type, row.qp_type_found) << row.claim;
    EXPECT_EQ(info->ai_port_space, row.space_found) << row.claim;
    const bool passive = (row.flags & RAI_PASSIVE) != 0;
    EXPECT_EQ(info->ai_flags & RAI_PASSIVE, passive ? RAI_PASSIVE : 0) << row.claim;
    EXPECT_EQ(info->ai_src_addr != nullptr, passive) << row.claim;
    EXPECT_EQ(info->ai_dst_addr != nullptr, !passive) << row.claim;
    EXPECT_EQ(info->ai_next, nullptr) << "the first address only";
    EXPECT_EQ(info->ai_connect_len, 0u);
    rdma_freeaddrinfo(info);
  }
}

TEST(CmAddrInfo, WithoutANameTheHintsAreTheAnswer) {
  sockaddr_in src = Loopback(1), dst = Loopback(2);
  rdma_addrinfo hints{}, *info = nullptr;
  hints.ai_family = AF_INET;
  hints.ai_port_space = RDMA_PS_TCP;
  hints.ai_src_addr = reinterpret_cast<sockaddr*>(&src);
  hints.ai_src_len = sizeof src;
  hints.ai_dst_addr = reinterpret_cast<sockaddr*>(&dst);
  hints.ai_dst_len = sizeof dst;
  ASSERT_EQ(rdma_getaddrinfo(nullptr, nullptr, &hints, &info), 0);
  EXPECT_EQ(std::memcmp(info->ai_src_addr, &src, sizeof src), 0);
  EXPECT_EQ(std::memcmp(info->ai_dst_addr, &dst, sizeof dst), 0);
  EXPECT_EQ(info->ai_port_space, RDMA_PS_TCP);
  rdma_freeaddrinfo(info);
}

TEST(CmAddrInfo, TheSourceOfTheHintsGoesWithTheNameOfTheTarget) {
  sockaddr_in src = Loopback(1);
  rdma_addrinfo hints{}, *info = nullptr;
  hints.ai_src_addr = reinterpret_cast<sockaddr*>(&src);
  hints.ai_src_len = sizeof src;
  ASSERT_EQ(rdma_getaddrinfo("127.0.0.1", "7", &hints, &info), 0);
  EXPECT_EQ(std::memcmp(info->ai_src_addr, &src, sizeof src), 0);
  rdma_freeaddrinfo(info);
}

TEST(CmAddrInfo, NothingToGoByIsAnError) {
  rdma_addrinfo* info = nullptr;
  EXPECT_EQ(rdma_getaddrinfo(nullptr, nullptr, nullptr, &info), -1);
  EXPECT_EQ(errno, EINVAL);
  ASSERT_EQ(rdma_getaddrinfo("127.0.0.1", nullptr, nullptr, &info), 0);
  EXPECT_EQ(reinterpret_cast<sockaddr_in*>(info->ai_dst_addr)->sin_port, 0) << "no service";
  rdma_freeaddrinfo(info);
}

}  // namespace
}  // namespace fakenic
