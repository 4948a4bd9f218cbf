// The private data of a connection, kept in place: to store it needs no memory and cannot fail.
#pragma once

#include <librpma.h>
#include <rdma/rdma_cma.h>

#include <cstring>

namespace rpma {

class PrivateData {
 public:
  // Copies what came with an event; an event's own memory goes when it is acknowledged.
  void Assign(const rdma_conn_param& param) noexcept {
    if (param.private_data == nullptr || param.private_data_len == 0) return;
    std::memcpy(bytes_, param.private_data, param.private_data_len);
    size_ = param.private_data_len;
  }

  bool is_empty() const noexcept { return size_ == 0; }

  // The C interface hands the bytes out as writable.
  rpma_conn_private_data View() const noexcept {
    return {is_empty() ? nullptr : const_cast<uint8_t*>(bytes_), size_};
  }

 private:
  uint8_t size_ = 0;
  uint8_t bytes_[UINT8_MAX];
};

}  // namespace rpma
