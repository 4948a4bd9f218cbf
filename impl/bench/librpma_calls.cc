// librpma_calls LIBRARY FUNCTION COUNT: connects with the given librpma, then calls one function
// COUNT times. Meant to run over null_verbs, under an instruction counter.
#include <dlfcn.h>
#include <librpma.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

namespace {

[[noreturn]] void Fail(const std::string& message) {
  std::fprintf(stderr, "librpma_calls: %s\n", message.c_str());
  std::exit(1);
}

// The functions of the library under measurement, by the names that librpma.h declares.
class Library {
 public:
  explicit Library(const char* path) : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) Fail(dlerror());
  }

  template <typename Function>
  Function* Find(Function*, const char* name) const {
    void* symbol = dlsym(handle_, name);
    if (symbol == nullptr) Fail(std::string("no symbol ") + name);
    return reinterpret_cast<Function*>(symbol);
  }

 private:
  void* handle_;
};

#define FIND(library, name) (library).Find(static_cast<decltype(&name)>(nullptr), #name)

void Check(int result, const char* what) {
  if (result != 0) Fail(std::string(what) + " returned " + std::to_string(result));
}
#define CALL(library, name, ...) Check(FIND(library, name)(__VA_ARGS__), #name)

struct Connection {
  explicit Connection(const Library& rpma);

  rpma_conn* conn = nullptr;
  rpma_cq* cq = nullptr;
  rpma_mr_local* src = nullptr;
  rpma_mr_remote* dst = nullptr;
  alignas(8) char memory[64] = {};
};

Connection::Connection(const Library& rpma) {
  ibv_context* context;
  rpma_peer* peer;
  rpma_conn_req* req;
  rpma_conn_event event;
  char descriptor[64];
  size_t descriptor_size;
  CALL(rpma, rpma_utils_get_ibv_context, "127.0.0.1", RPMA_UTIL_IBV_CONTEXT_REMOTE, &context);
  CALL(rpma, rpma_peer_new, context, &peer);
  CALL(rpma, rpma_conn_req_new, peer, "127.0.0.1", "7204", nullptr, &req);
  CALL(rpma, rpma_conn_req_connect, &req, nullptr, &conn);
  CALL(rpma, rpma_conn_next_event, conn, &event);
  CALL(rpma, rpma_conn_get_cq, conn, &cq);
  CALL(rpma, rpma_mr_reg, peer, memory, sizeof(memory), 0xff, &src);
  CALL(rpma, rpma_mr_get_descriptor_size, src, &descriptor_size);
  CALL(rpma, rpma_mr_get_descriptor, src, descriptor);
  CALL(rpma, rpma_mr_remote_from_descriptor, descriptor, descriptor_size, &dst);
}

using Measure = std::function<void(const Library&, Connection&, long count)>;

void Writes(const Library& rpma, Connection& c, long count, int flags, int expected) {
  const auto write = FIND(rpma, rpma_write);
  for (long i = 0; i < count; ++i) {
    if (write(c.conn, c.dst, 8, c.src, 16, 32, flags, &c) != expected) Fail("rpma_write");
  }
}

void Reads(const Library& rpma, Connection& c, long count) {
  const auto read = FIND(rpma, rpma_read);
  for (long i = 0; i < count; ++i) {
    if (read(c.conn, c.src, 8, c.dst, 16, 32, RPMA_F_COMPLETION_ALWAYS, &c) != 0) {
      Fail("rpma_read");
    }
  }
}

void WritesWithImm(const Library& rpma, Connection& c, long count) {
  const auto write = FIND(rpma, rpma_write_with_imm);
  for (long i = 0; i < count; ++i) {
    if (write(c.conn, c.dst, 8, c.src, 16, 32, RPMA_F_COMPLETION_ALWAYS, 7, &c) != 0) {
      Fail("rpma_write_with_imm");
    }
  }
}

void Flushes(const Library& rpma, Connection& c, long count) {
  const auto flush = FIND(rpma, rpma_flush);
  for (long i = 0; i < count; ++i) {
    if (flush(c.conn, c.dst, 8, 32, RPMA_FLUSH_TYPE_VISIBILITY, RPMA_F_COMPLETION_ALWAYS, &c) !=
        0) {
      Fail("rpma_flush");
    }
  }
}

void Sends(const Library& rpma, Connection& c, long count) {
  const auto send = FIND(rpma, rpma_send);
  for (long i = 0; i < count; ++i) {
    if (send(c.conn, c.src, 16, 32, RPMA_F_COMPLETION_ALWAYS, &c) != 0) Fail("rpma_send");
  }
}

void Receives(const Library& rpma, Connection& c, long count) {
  const auto recv = FIND(rpma, rpma_recv);
  for (long i = 0; i < count; ++i) {
    if (recv(c.conn, c.src, 16, 32, &c) != 0) Fail("rpma_recv");
  }
}

void AtomicWrites(const Library& rpma, Connection& c, long count) {
  const auto atomic_write = FIND(rpma, rpma_atomic_write);
  for (long i = 0; i < count; ++i) {
    if (atomic_write(c.conn, c.dst, 8, c.memory, RPMA_F_COMPLETION_ALWAYS, &c) != 0) {
      Fail("rpma_atomic_write");
    }
  }
}

void Polls(const Library& rpma, Connection& c, long count, int* got) {
  const auto get_wc = FIND(rpma, rpma_cq_get_wc);
  ibv_wc wc;
  for (long i = 0; i < count; ++i) {
    if (get_wc(c.cq, 1, &wc, got) != 0) Fail("rpma_cq_get_wc");
  }
}

const std::map<std::string, Measure> kMeasures = {
    {"write", [](const Library& rpma, Connection& c,
                 long count) { Writes(rpma, c, count, RPMA_F_COMPLETION_ALWAYS, 0); }},
    {"refused_write", [](const Library& rpma, Connection& c,
                         long count) { Writes(rpma, c, count, /*flags=*/0, RPMA_E_INVAL); }},
    {"read", Reads},
    {"write_with_imm", WritesWithImm},
    {"atomic_write", AtomicWrites},
    {"flush", Flushes},
    {"send", Sends},
    {"recv", Receives},
    {"get_wc",
     [](const Library& rpma, Connection& c, long count) {
       int got;
       Polls(rpma, c, count, &got);
     }},
    {"get_wc_one",
     [](const Library& rpma, Connection& c, long count) { Polls(rpma, c, count, nullptr); }},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) Fail("usage: librpma_calls LIBRARY FUNCTION COUNT");
  const auto measure = kMeasures.find(argv[2]);
  if (measure == kMeasures.end()) Fail(std::string("no function ") + argv[2]);
  const Library rpma(argv[1]);
  Connection connection(rpma);
  measure->second(rpma, connection, std::atol(argv[3]));
}
