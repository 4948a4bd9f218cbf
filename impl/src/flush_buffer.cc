#include "flush_buffer.h"

#include <sys/mman.h>

namespace rpma {
namespace {

void* MapPage() {
  void* page = mmap(/*addr=*/nullptr, kFlushSize, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, /*fd=*/-1, /*offset=*/0);
  if (page == MAP_FAILED) throw Error{RPMA_E_NOMEM};
  return page;
}

}  // namespace

int Unmap(void* page) noexcept {
  if (munmap(page, kFlushSize) == 0) return 0;
  ProviderFailure("munmap", errno);
  return RPMA_E_INVAL;  // rpma_conn_delete(3)
}

FlushBuffer::FlushBuffer(const rpma_peer& peer)
    : page_(MapPage()), mr_(peer, page_.get(), kFlushSize, RPMA_MR_USAGE_READ_DST) {}

int FlushBuffer::Close() noexcept {
  if (const int code = mr_.mr.Close(); code != 0) return code;
  return page_.Close();
}

FlushBuffer::~FlushBuffer() {
  const ErrnoKeeper keeper;
  // What cannot be deregistered the device may still write to: better to leave it mapped.
  if (mr_.mr.Close() != 0) page_.Release();
}

}  // namespace rpma
