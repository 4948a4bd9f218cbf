#include <sys/mman.h>

#include "connection.h"

namespace {

int mmap_error = 0;
int munmap_error = 0;

// Whether the call has to fail; the next one then succeeds.
bool Fails(int* error) {
  if (*error == 0) return false;
  errno = std::exchange(*error, 0);
  return true;
}

}  // namespace

// In place of libc's, for the whole test program.
extern "C" {
void* __real_mmap(void* addr, size_t length, int prot, int flags, int fd, off_t offset);
int __real_munmap(void* addr, size_t length);

void* __wrap_mmap(void* addr, size_t length, int prot, int flags, int fd, off_t offset) {
  return Fails(&mmap_error) ? MAP_FAILED : __real_mmap(addr, length, prot, flags, fd, offset);
}
int __wrap_munmap(void* addr, size_t length) {
  return Fails(&munmap_error) ? -1 : __real_munmap(addr, length);
}
}

namespace rpma::test {
namespace {

using FlushBufferTest = ProviderTest;

TEST_F(FlushBufferTest, WithoutMemoryForItThereIsNoRequest) {
  auto* req = Untouched<rpma_conn_req>();
  mmap_error = ENOMEM;

  EXPECT_EQ(rpma_conn_req_new(peer, "192.0.2.1", "7204", nullptr, &req), RPMA_E_NOMEM);
  EXPECT_EQ(req, Untouched<rpma_conn_req>());
  EXPECT_EQ(mmap_error, 0);
  EXPECT_EQ(provider.Leftovers(), "pd ");
}

TEST_F(FlushBufferTest, AnIncomingRequestThatHasNoMemoryForItIsRejected) {
  rpma_ep* ep = Listen();
  auto* req = Untouched<rpma_conn_req>();
  provider.PushRequest();
  mmap_error = ENOMEM;

  EXPECT_EQ(rpma_ep_next_conn_req(ep, nullptr, &req), RPMA_E_NOMEM);
  EXPECT_EQ(req, Untouched<rpma_conn_req>());
  EXPECT_EQ(provider.CountCalls("rdma_reject"), 1);
  EXPECT_EQ(rpma_ep_shutdown(&ep), 0);
}

TEST_F(FlushBufferTest, ThatCannotBeUnmappedIsInvalToTheDeletion) {
  rpma_conn* conn = Connect();
  munmap_error = EINVAL;

  EXPECT_EQ(rpma_conn_delete(&conn), RPMA_E_INVAL);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(conn, nullptr);
  EXPECT_EQ(provider.Leftovers(), "pd ") << "the rest is gone";
}

TEST_F(FlushBufferTest, ThatStaysRegisteredStaysMapped) {
  rpma_conn* conn = Connect();
  provider.FailVerb("ibv_dereg_mr", EBUSY, /*times=*/3);
  munmap_error = EIO;

  EXPECT_EQ(rpma_conn_delete(&conn), RPMA_E_PROVIDER);
  EXPECT_EQ(std::exchange(munmap_error, 0), EIO) << "nobody unmapped";
  ASSERT_TRUE(provider.IsLive(provider.last_mr)) << "no more can be done about it";
  provider.Destroy(provider.last_mr);
}

}  // namespace
}  // namespace rpma::test
