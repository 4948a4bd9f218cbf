// Two connected ends in this process, made with the library under test: what every case runs on.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "property_tests/program/program.h"
#include "property_tests/worker/library.h"
#include "property_tests/worker/memory_block.h"

namespace conformance {

// The environment or the library did not let the rig be set up.
struct SetUpError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One end: its memory, its registrations, and its handles of the other end's regions.
struct End {
  std::unique_ptr<MemoryBlock> memory;
  std::unique_ptr<MemoryBlock>
      marker_memory;  // source and target of markers, apart from what is judged
  rpma_mr_local *d = nullptr, *odd = nullptr, *nowrite = nullptr, *foreign = nullptr;
  rpma_mr_local *s = nullptr, *foreign_s = nullptr, *marker = nullptr;
  rpma_mr_remote *to_d = nullptr, *to_odd = nullptr, *to_nowrite = nullptr, *to_foreign = nullptr;
  rpma_mr_remote *to_stale = nullptr, *to_marker = nullptr;
  rpma_conn* conn = nullptr;
  rpma_cq* cq = nullptr;
  bool d_registered = false;
};

class Rig {
 public:
  // Throws SetUpError.
  Rig(const Library& library, std::string address);
  ~Rig();
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  // Registers regions of this size at both ends, unless they have it already. Disconnects.
  void Resize(std::size_t region);
  // A fresh connection.
  void Connect(std::uint32_t sq, std::uint32_t cq);
  void Disconnect();
  // Whether the library and the NIC can read: rpma_read is there and a read completes with success.
  bool ProbeRead();
  // This end deregisters D; RestoreD registers it again.
  void Dereg(Side side);
  void RestoreD();

  // A port that nobody listens on.
  std::string FreePort();

  End& end(Side side) { return side == Side::kClient ? client_ : server_; }
  End& other(Side side) { return side == Side::kClient ? server_ : client_; }
  const Layout& layout() const { return layout_; }
  const Library& library() const { return library_; }

 private:
  void Check(int code, const char* function) const;
  rpma_ep* Listen(std::string& port) const;
  void Register(End& end, std::uint64_t seed);
  void Unregister(End& end);
  void PointAt(End& end, End& owner);
  rpma_mr_remote* RemoteOf(const rpma_mr_local* mr) const;
  rpma_mr_local* Reg(rpma_peer* peer, void* memory, std::size_t size, int usage) const;
  void AwaitEstablished(rpma_conn* conn) const;

  const Library& library_;
  std::string address_;
  std::string port_;
  ibv_context* context_ = nullptr;
  rpma_peer* peer_ = nullptr;
  rpma_peer* foreign_peer_ = nullptr;
  rpma_ep* ep_ = nullptr;
  Layout layout_{0};
  End client_;
  End server_;
};

}  // namespace conformance
