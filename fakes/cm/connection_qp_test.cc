// What the two ends agree on, and what their queue pairs get.
#include <cerrno>

#include "cm/test_connection.h"

namespace fakenic {
namespace {

constexpr uint32_t kReadableWithoutFlush =
    access_flag::kRemoteWrite | access_flag::kRemoteRead | access_flag::kRemoteAtomic;
constexpr uint32_t kReadable = kReadableWithoutFlush | access_flag::kFlush;

class Parameters : public ConnectionTest {
 protected:
  void Connect(const ConnParam& request, const ConnParam& reply) {
    Listen(7);
    active_ = Resolve(7, *client_.qp);
    EXPECT_EQ(cm_.Connect(*active_, request), 0);
    request_ = Fetch(server_channel_);
    passive_ = request_.id;
    EXPECT_EQ(cm_.AttachQp(*passive_, *server_.qp), 0);
    EXPECT_EQ(cm_.Accept(*passive_, reply), 0);
    reply_ = Fetch(client_channel_);
    EXPECT_EQ(reply_.type, CmEventType::kEstablished);
  }

  CmEvent request_{}, reply_{};
};

struct Depths {
  uint8_t responder_resources, initiator_depth;
};

struct NegotiationRow {
  const char* claim;
  Depths request, reply;
  Depths seen_by_server, seen_by_client;
  Depths client_qp, server_qp;  // what each may answer and ask at once
  uint32_t client_access, server_access;
};

void PrintTo(const NegotiationRow& row, std::ostream* out) { *out << row.claim; }

class Negotiation : public Parameters, public testing::WithParamInterface<NegotiationRow> {};

void Expect(const ConnParam& seen, const Depths& expected) {
  EXPECT_EQ(seen.responder_resources, expected.responder_resources);
  EXPECT_EQ(seen.initiator_depth, expected.initiator_depth);
}

void Expect(const Qp& qp, const Depths& expected, uint32_t access) {
  EXPECT_EQ(qp.attr().max_dest_rd_atomic, expected.responder_resources);
  EXPECT_EQ(qp.attr().max_rd_atomic, expected.initiator_depth);
  EXPECT_EQ(qp.attr().access_flags, access);
}

TEST_P(Negotiation, EndsAsTheRowSays) {
  const NegotiationRow& row = GetParam();
  Connect({.responder_resources = row.request.responder_resources,
           .initiator_depth = row.request.initiator_depth},
          {.responder_resources = row.reply.responder_resources,
           .initiator_depth = row.reply.initiator_depth});
  Expect(request_.param, row.seen_by_server);
  Expect(reply_.param, row.seen_by_client);
  Expect(*client_.qp, row.client_qp, row.client_access);
  Expect(*server_.qp, row.server_qp, row.server_access);
}

TEST_F(Parameters, WhereTheDeviceHasNoFlushTheQueuePairsDoNotAllowIt) {
  fabric_.device().TakeFlushAway();

  Connect({.responder_resources = 1, .initiator_depth = 1},
          {.responder_resources = 1, .initiator_depth = 1});

  EXPECT_EQ(server_.qp->attr().access_flags, kReadableWithoutFlush);
}

INSTANTIATE_TEST_SUITE_P(Rows, Negotiation,
                         testing::Values(NegotiationRow{"WhatOneMayReadTheOtherHasToAnswer",
                                                        {3, 5},
                                                        {255, 255},
                                                        {5, 3},
                                                        {3, 5},
                                                        {3, 5},
                                                        {5, 3},
                                                        kReadable,
                                                        kReadable},
                                         NegotiationRow{"TheReplyMayGrantLess",
                                                        {3, 5},
                                                        {2, 1},
                                                        {5, 3},
                                                        {1, 2},
                                                        {1, 2},
                                                        {2, 1},
                                                        kReadable,
                                                        kReadable},
                                         NegotiationRow{"TheReplyIsTakenAsGivenWhereItIsMore",
                                                        {1, 1},
                                                        {4, 4},
                                                        {1, 1},
                                                        {4, 4},
                                                        {4, 4},
                                                        {4, 4},
                                                        kReadable,
                                                        kReadable},
                                         NegotiationRow{"255MeansAsMuchAsTheDeviceCan",
                                                        {255, 255},
                                                        {255, 255},
                                                        {128, 128},
                                                        {128, 128},
                                                        {128, 128},
                                                        {128, 128},
                                                        kReadable,
                                                        kReadable},
                                         NegotiationRow{"WithoutDepthThePeerMayWriteButNotRead",
                                                        {0, 0},
                                                        {0, 0},
                                                        {0, 0},
                                                        {0, 0},
                                                        {0, 0},
                                                        {0, 0},
                                                        access_flag::kRemoteWrite,
                                                        access_flag::kRemoteWrite},
                                         NegotiationRow{
                                             "TheServersAccessFollowsTheRequestTheClientsTheReply",
                                             {4, 0},
                                             {4, 0},
                                             {0, 4},
                                             {0, 4},
                                             {0, 4},
                                             {4, 0},
                                             access_flag::kRemoteWrite,
                                             access_flag::kRemoteWrite}),
                         [](const auto& row) { return std::string(row.param.claim); });

TEST_F(Parameters, PrivateDataArrivesPaddedToTheSizeOfItsMessage) {
  Connect({.private_data = {1, 2}}, {.private_data = {3}});

  ASSERT_EQ(request_.param.private_data.size(), 56u);
  EXPECT_EQ(request_.param.private_data[1], 2);
  EXPECT_EQ(request_.param.private_data[2], 0);
  ASSERT_EQ(reply_.param.private_data.size(), 196u);
  EXPECT_EQ(reply_.param.private_data[0], 3);
  EXPECT_TRUE(Fetch(server_channel_).param.private_data.empty()) << "confirmations carry none";
}

TEST_F(Parameters, WithoutPrivateDataTheSizesAreTheSameAndAllIsZero) {
  Connect({}, {});

  EXPECT_EQ(request_.param.private_data, std::vector<uint8_t>(56));
  EXPECT_EQ(reply_.param.private_data, std::vector<uint8_t>(196));
}

TEST_F(Parameters, TooMuchPrivateDataIsRefusedAndMayBeCorrected) {
  Listen(7);
  CmId* active = Resolve(7, *client_.qp);
  full_.private_data.resize(57);
  EXPECT_EQ(cm_.Connect(*active, full_), EINVAL);
  full_.private_data.resize(56);
  EXPECT_EQ(cm_.Connect(*active, full_), 0);
  CmId* passive = TakeRequest(*server_.qp);

  full_.private_data.resize(197);
  EXPECT_EQ(cm_.Accept(*passive, full_), EINVAL);
  full_.private_data.resize(149);
  EXPECT_EQ(cm_.Reject(*passive, 28, full_.private_data), EINVAL);
  full_.private_data.resize(196);
  EXPECT_EQ(cm_.Accept(*passive, full_), 0);
}

TEST_F(Parameters, ADepthAboveTheDevicesIsRefused) {
  Listen(7);
  CmId* active = Resolve(7, *client_.qp);
  EXPECT_EQ(cm_.Connect(*active, {.responder_resources = 129}), EINVAL);
  EXPECT_EQ(cm_.Connect(*active, {.initiator_depth = 129}), EINVAL);
  EXPECT_EQ(cm_.Connect(*active, {.responder_resources = 128, .initiator_depth = 128}), 0);
  CmId* passive = TakeRequest(*server_.qp);
  EXPECT_EQ(cm_.Accept(*passive, {.responder_resources = 129}), EINVAL);
  EXPECT_EQ(cm_.Accept(*passive, {.initiator_depth = 129}), EINVAL);
  EXPECT_EQ(cm_.Accept(*passive, {.responder_resources = 128, .initiator_depth = 128}), 0);
}

TEST_F(Parameters, RetriesGoToTheQueuePairsThatTheyAreMeantFor) {
  Connect({.retry_count = 3, .rnr_retry_count = 4}, {.retry_count = 1, .rnr_retry_count = 5});

  for (const Qp* qp : {client_.qp, server_.qp}) {
    EXPECT_EQ(qp->attr().retry_cnt, 3) << "the reply has no retry count of its own";
    EXPECT_EQ(qp->attr().timeout, 17);
    EXPECT_EQ(qp->attr().min_rnr_timer, 0);
    EXPECT_EQ(qp->attr().path_mtu, 5);
  }
  EXPECT_EQ(client_.qp->attr().rnr_retry, 5) << "as the server asked for";
  EXPECT_EQ(server_.qp->attr().rnr_retry, 4) << "as the client asked for";
}

TEST_F(Parameters, AnAckTimeoutOfItsOwnIsTheQueuePairs) {
  Listen(7);
  active_ = Resolve(7, *client_.qp);
  active_->ack_timeout = 9;
  cm_.Connect(*active_, full_);
  cm_.Accept(*TakeRequest(*server_.qp), full_);
  Fetch(client_channel_);

  EXPECT_EQ(client_.qp->attr().timeout, 9);
  EXPECT_EQ(server_.qp->attr().timeout, 17);
}

TEST_F(Parameters, EceTravelsBothWays) {
  Listen(7);
  active_ = Resolve(7, *client_.qp);
  active_->local_ece = {0x15b3, 1};
  cm_.Connect(*active_, full_);
  passive_ = TakeRequest(*server_.qp);
  EXPECT_EQ(passive_->remote_ece.options, 1u);
  passive_->local_ece = {0x15b3, 2};
  cm_.Accept(*passive_, full_);

  EXPECT_EQ(active_->remote_ece.vendor_id, 0x15b3u);
  EXPECT_EQ(active_->remote_ece.options, 2u);
}

struct AttrRow {
  CmState state;
  int init, rtr, rts;
};

TEST_F(Parameters, AttributesAreGivenOutWhenTheConnectionIsThatFar) {
  const AttrRow rows[] = {
      {CmState::kIdle, EINVAL, EINVAL, EINVAL},
      {CmState::kAddrResolved, 0, EINVAL, EINVAL},
      {CmState::kRequestSent, 0, EINVAL, EINVAL},
      {CmState::kRequestReceived, 0, 0, 0},
      {CmState::kReplyReceived, 0, 0, 0},
      {CmState::kReplySent, 0, 0, 0},
      {CmState::kEstablished, 0, 0, 0},
      {CmState::kDisconnectSent, EINVAL, EINVAL, EINVAL},
      {CmState::kDisconnected, EINVAL, EINVAL, EINVAL},
  };
  for (const AttrRow& row : rows) {
    CmId id;
    id.state = row.state;
    id.has_device = row.state != CmState::kIdle;
    QpAttr attr;
    uint32_t mask = 0;
    EXPECT_EQ(cm_.InitQpAttr(id, QpState::kInit, attr, mask), row.init) << int(row.state);
    EXPECT_EQ(cm_.InitQpAttr(id, QpState::kRtr, attr, mask), row.rtr) << int(row.state);
    EXPECT_EQ(cm_.InitQpAttr(id, QpState::kRts, attr, mask), row.rts) << int(row.state);
    EXPECT_EQ(cm_.InitQpAttr(id, QpState::kErr, attr, mask), EINVAL);
  }
}

}  // namespace
}  // namespace fakenic
