// A libefa.so.1 for programs that link it, as perftest does: its functions are there and say that
// the device is none of theirs.
#include <cerrno>

extern "C" {

void* efadv_create_qp_ex() {
  errno = EOPNOTSUPP;
  return nullptr;
}

int efadv_query_device() { return EOPNOTSUPP; }

}  // extern "C"
