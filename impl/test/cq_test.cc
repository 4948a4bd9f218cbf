#include "connection.h"

namespace rpma::test {
namespace {

using testing::Return;

class RpmaCq : public ConnectionTest {
 protected:
  RpmaCq() { EXPECT_EQ(rpma_conn_get_cq(conn, &cq), 0); }

  rpma_cq* cq = nullptr;
  ibv_wc wc[4] = {};
};

TEST_F(RpmaCq, OneCompletionNeedsNoCount) {
  EXPECT_CALL(provider.data_path, PollCq(provider.qp_attr.send_cq, 1, wc)).WillOnce(Return(1));

  EXPECT_EQ(rpma_cq_get_wc(cq, 1, wc, nullptr), 0);
}

TEST_F(RpmaCq, SeveralCompletionsAreCounted) {
  int got = 99;
  EXPECT_CALL(provider.data_path, PollCq(provider.qp_attr.send_cq, 4, wc)).WillOnce(Return(3));

  EXPECT_EQ(rpma_cq_get_wc(cq, 4, wc, &got), 0);
  EXPECT_EQ(got, 3);
}

TEST_F(RpmaCq, WhatThePollReturnsDecidesTheCode) {
  struct {
    int poll;
    int code;
  } const cases[] = {{0, RPMA_E_NO_COMPLETION}, {-1, RPMA_E_PROVIDER}, {5, RPMA_E_UNKNOWN}};
  for (const auto& c : cases) {
    int got = 99;
    EXPECT_CALL(provider.data_path, PollCq).Times(2).WillRepeatedly(Return(c.poll));
    EXPECT_EQ(rpma_cq_get_wc(cq, 4, wc, &got), c.code);
    EXPECT_EQ(rpma_cq_get_wc(cq, 1, wc, nullptr), c.code);
    EXPECT_EQ(got, 99);
  }
}

TEST_F(RpmaCq, BadArgumentsPollNothing) {
  int got = 0;
  int fd = 0;
  EXPECT_EQ(rpma_cq_get_wc(nullptr, 1, wc, &got), RPMA_E_INVAL);
  EXPECT_EQ(rpma_cq_get_wc(cq, 1, nullptr, &got), RPMA_E_INVAL);
  EXPECT_EQ(rpma_cq_get_wc(cq, 0, wc, &got), RPMA_E_INVAL);
  EXPECT_EQ(rpma_cq_get_wc(cq, -1, wc, &got), RPMA_E_INVAL);
  EXPECT_EQ(rpma_cq_get_wc(cq, 0, wc, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_cq_get_wc(cq, 2, wc, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_cq_get_fd(nullptr, &fd), RPMA_E_INVAL);
  EXPECT_EQ(rpma_cq_get_fd(cq, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_cq_wait(nullptr), RPMA_E_INVAL);
}

TEST_F(RpmaCq, TheDescriptorIsTheChannels) {
  int fd = 0;
  EXPECT_EQ(rpma_cq_get_fd(cq, &fd), 0);
  EXPECT_EQ(fd, provider.qp_attr.send_cq->channel->fd);
}

TEST_F(RpmaCq, WaitAcknowledgesAndArmsAgain) {
  provider.cq_events = {provider.qp_attr.send_cq};
  const int armed = provider.CountCalls("ibv_req_notify_cq");

  EXPECT_EQ(rpma_cq_wait(cq), 0);

  EXPECT_EQ(provider.CountCalls("ibv_ack_cq_events"), 1);
  EXPECT_EQ(provider.CountCalls("ibv_req_notify_cq"), armed + 1);
}

TEST_F(RpmaCq, OnlyAnEmptyChannelAndASignalMeanNotYet) {
  EXPECT_EQ(rpma_cq_wait(cq), RPMA_E_NO_COMPLETION);
  provider.FailVerb("ibv_get_cq_event", EINTR);
  EXPECT_EQ(rpma_cq_wait(cq), RPMA_E_NO_COMPLETION);
  for (const int error : {EIO, EBADF}) {
    provider.FailVerb("ibv_get_cq_event", error);
    EXPECT_EQ(rpma_cq_wait(cq), RPMA_E_PROVIDER);
    EXPECT_EQ(errno, error);
  }
}

TEST_F(RpmaCq, ACqThatCannotBeArmedIsAProviderError) {
  provider.cq_events = {provider.qp_attr.send_cq};
  provider.FailVerb("ibv_req_notify_cq", EIO);

  EXPECT_EQ(rpma_cq_wait(cq), RPMA_E_PROVIDER);
  EXPECT_EQ(errno, EIO);
}

TEST_F(RpmaCq, OnASharedChannelTheConnectionWaits) {
  rpma_conn_cfg* cfg = nullptr;
  ASSERT_EQ(rpma_conn_cfg_new(&cfg), 0);
  rpma_conn_cfg_set_compl_channel(cfg, true);
  rpma_conn* shared = Connect(cfg);
  ASSERT_EQ(rpma_conn_cfg_delete(&cfg), 0);
  rpma_cq* shared_cq = nullptr;
  ASSERT_EQ(rpma_conn_get_cq(shared, &shared_cq), 0);
  int cq_fd = 0;
  int conn_fd = -1;

  EXPECT_EQ(rpma_cq_wait(shared_cq), RPMA_E_SHARED_CHANNEL);
  EXPECT_EQ(rpma_cq_get_fd(shared_cq, &cq_fd), 0);
  EXPECT_EQ(rpma_conn_get_compl_fd(shared, &conn_fd), 0);
  EXPECT_EQ(cq_fd, conn_fd);
  EXPECT_EQ(rpma_conn_delete(&shared), 0);
}

}  // namespace
}  // namespace rpma::test
