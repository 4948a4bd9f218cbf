#include "command/offer.h"

#include <dlfcn.h>
#include <infiniband/verbs.h>

#include <ostream>
#include <string_view>

#include "fakenic.h"

namespace fakenic {
namespace {

class Library {
 public:
  explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW)) {}
  bool loaded() const { return handle_ != nullptr; }
  template <typename F>
  F* Function(const char* name) const {
    return reinterpret_cast<F*>(dlsym(handle_, name));
  }

 private:
  void* handle_;  // never closed: the fake stays loaded anyway
};

#define FUNCTION(library, name) (library).Function<decltype(name)>(#name)

void PrintDevice(const Library& fake, std::ostream& out) {
  ibv_device** list = FUNCTION(fake, ibv_get_device_list)(nullptr);
  ibv_context* context = FUNCTION(fake, ibv_open_device)(list[0]);
  ibv_device_attr attr{};
  FUNCTION(fake, ibv_query_device)(context, &attr);
  out << "device   " << FUNCTION(fake, ibv_get_device_name)(list[0]) << ", profile "
      << FUNCTION(fake, fakenic_profile)() << "\n"
      << "limits   " << attr.max_qp << " qps of " << attr.max_qp_wr << " work requests with "
      << attr.max_sge << " sges; " << attr.max_cq << " cqs of " << attr.max_cqe << "; "
      << attr.max_srq << " srqs of " << attr.max_srq_wr << "; " << attr.max_mr << " mrs; "
      << attr.max_pd << " pds; " << attr.max_qp_rd_atom << " reads under way\n";
  FUNCTION(fake, ibv_close_device)(context);
  FUNCTION(fake, ibv_free_device_list)(list);
}

// Those that programs call; the drivers' own entry points are of no interest to them.
void PrintUnmodelled(const Library& fake, std::ostream& out) {
  const auto name_of = FUNCTION(fake, fakenic_unmodelled);
  size_t drivers = 0;
  out << "without ";
  for (size_t i = 0; const char* name = name_of(i); ++i) {
    const std::string_view text(name);
    const bool for_programs =
        text.starts_with("rdma_") || (text.starts_with("ibv_") && !text.starts_with("ibv_cmd_"));
    if (for_programs) {
      out << " " << name;
    } else {
      ++drivers;
    }
  }
  out << ", and " << drivers << " functions of rsockets and of drivers\n";
}

}  // namespace

bool PrintOffer(const std::string& fake_dir, std::ostream& out) {
  const Library fake(fake_dir + "/libibverbs.so.1");
  if (!fake.loaded()) {
    out << dlerror() << "\n";
    return false;
  }
  out << "fake     " << fake_dir << ": libibverbs.so.1 and librdmacm.so.1 of rdma-core 44\n";
  PrintDevice(fake, out);
  PrintUnmodelled(fake, out);
  return true;
}

}  // namespace fakenic
