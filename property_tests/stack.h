// What is judged: a library under test over a NIC, and how much of it.
#pragma once

#include <cstdint>
#include <string>

namespace conformance {

// Whether both ends of the connection are in one process or each in its own.
enum class Ends { kOneProcess, kTwoProcesses };

struct Stack {
  std::string sut;       // path of the library under test
  bool fake = true;      // the NIC: the fake, or the system's
  std::string fake_dir;  // where the fake's libibverbs.so.1 and librdmacm.so.1 are
  std::string address;   // of the RDMA device
  Ends ends = Ends::kOneProcess;
};

// What of the suite: all, what is enumerated (argument tables, scripts, the file), or what is
// random and judged by the models (programs, lives).
enum class Half { kBoth, kArguments, kModels };

struct Amount {
  std::uint64_t seed = 0;
  std::size_t programs = 0;  // random programs per page
  std::size_t sample = 0;    // argument cases per page beyond two of each kind; 0: all
  Half half = Half::kBoth;
  bool strict = false;  // should-rules are judged too
};

}  // namespace conformance
