// Two connected ends, made with the library under test: what every case runs on. Both are in this
// process, or the server's is in a second one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "property_tests/program/program.h"
#include "property_tests/worker/far_end.h"
#include "property_tests/worker/library.h"
#include "property_tests/worker/memory_block.h"

namespace conformance {

// The environment or the library did not let the rig be set up.
struct SetUpError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One end: its memory, its registrations, and its handles of the other end's regions.
struct End {
  ibv_context* context = nullptr;
  rpma_peer* peer = nullptr;
  rpma_peer* foreign_peer = nullptr;
  std::unique_ptr<MemoryBlock> memory;
  std::unique_ptr<MemoryBlock>
      marker_memory;  // source and target of markers, apart from what is judged
  // for the other end
  rpma_mr_local *d = nullptr, *odd = nullptr, *nowrite = nullptr, *noread = nullptr;
  rpma_mr_local* foreign = nullptr;
  // for this end
  rpma_mr_local *s = nullptr, *l = nullptr, *r = nullptr, *nousage = nullptr;
  rpma_mr_local *foreign_s = nullptr, *foreign_l = nullptr, *marker = nullptr;
  // of the other end
  rpma_mr_remote *to_d = nullptr, *to_odd = nullptr, *to_nowrite = nullptr, *to_noread = nullptr;
  rpma_mr_remote *to_foreign = nullptr, *to_stale = nullptr, *to_marker = nullptr;
  rpma_conn* conn = nullptr;
  rpma_cq* cq = nullptr;
  rpma_cq* rcq = nullptr;         // that only receives complete in, if there is one
  rpma_srq* srq = nullptr;        // of both ends, if they are in one process
  rpma_cq* shared_rcq = nullptr;  // of the shared receive queue, if it has one
  std::uint32_t qp_num = 0;
  bool direct_write = false;  // the other end is said to support direct write to pmem
  bool d_registered = false;
};

// Text and buffers that calls are given, where both ends can look at them.
struct Buffers {
  std::array<char, 256> address{};
  std::array<char, 8> port{};
  std::array<char, 256> descriptor{};
  std::array<char, 8> word{};  // the source of atomic writes, as a caller's variable would be
  std::array<ibv_wc, 64> wcs{};
};

class Rig {
 public:
  // `far`: has the server's end; `at_far`: the library there. Both ends are here if it is nullptr.
  // Throws SetUpError.
  Rig(const Library& library, const std::string& address, FarEnd* far = nullptr,
      const Library* at_far = nullptr);
  ~Rig();
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  // Registers regions of this size at both ends, unless they have it already. Disconnects.
  void Resize(std::size_t region);
  // Called with each end's connection request before it becomes a connection.
  using OnRequest = std::function<void(Side, rpma_conn_req*)>;
  // A fresh connection.
  void Connect(const Config& config, const OnRequest& on_request = {});
  void Disconnect();
  // Whether the library and the NIC can read, carry messages, share a receive queue: the functions
  // are there and the simplest case works.
  bool ProbeRead();
  bool ProbeMessage();
  bool ProbeSharedQueue();
  // The buffer of the suite's own receives, in the marker's region: `bytes` after this offset.
  static constexpr std::size_t kOwnReceiveAt = 4096;
  // Tells the library at this end whether the other supports direct write to pmem. False if it
  // cannot be told.
  bool TellDirectWrite(Side side, bool supported);
  // This end deregisters D; RestoreD registers it again.
  void Dereg(Side side);
  void RestoreD();

  // A port that nobody listens on.
  std::string FreePort();
  // Whether this descriptor of that end can be read.
  bool Readable(Side side, int fd) const;

  End& end(Side side) { return side == Side::kClient ? client_ : server_; }
  End& other(Side side) { return side == Side::kClient ? server_ : client_; }
  const Layout& layout() const { return layout_; }
  // As that end calls it.
  const Library& library(Side side) const { return IsFar(side) ? *at_far_ : library_; }
  Buffers& buffers() { return *buffers_; }
  bool in_two_processes() const { return far_ != nullptr; }

 private:
  bool IsFar(Side side) const { return far_ != nullptr && side == Side::kServer; }
  void Check(int code, const char* function) const;
  void MakePeers(Side side);
  void DeletePeers(Side side);
  rpma_ep* Listen(Side side);
  std::unique_ptr<MemoryBlock> MakeBlock(Side side, std::size_t bytes, std::uint64_t seed);
  void Register(Side side, std::uint64_t seed);
  void Unregister(Side side);
  void UnregisterAll();
  void PointAt(Side side);
  // At this end a handle of a region of the other's.
  rpma_mr_remote* RemoteOf(Side side, const rpma_mr_local* mr);
  rpma_mr_local* Reg(Side side, rpma_peer* peer, void* memory, std::size_t size, int usage) const;
  void AwaitEstablished(Side side);
  rpma_conn_cfg* Configure(Side side, const Config& config);
  void MakeSharedQueue(Side side, const Config& config);
  void Learn(Side side);
  bool Completes(Side side);

  const Library& library_;
  FarEnd* far_;
  const Library* at_far_;
  std::unique_ptr<Buffers> own_buffers_;  // if both ends are here
  Buffers* buffers_;
  rpma_ep* ep_ = nullptr;
  Layout layout_{0};
  End client_;
  End server_;
};

}  // namespace conformance
