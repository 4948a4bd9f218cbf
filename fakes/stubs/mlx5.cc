// A libmlx5.so.1 for programs that link it, as perftest does: its functions are there and say that
// the device is none of theirs. The real one would need a driver's interface of libibverbs.
#include <cerrno>

#define RETURNS_NULL_POINTER(name) \
  void* name() {                   \
    errno = EOPNOTSUPP;            \
    return nullptr;                \
  }
#define RETURNS_ERRNO(name) \
  int name() { return EOPNOTSUPP; }

extern "C" {

RETURNS_NULL_POINTER(mlx5dv_create_mkey)
RETURNS_NULL_POINTER(mlx5dv_create_qp)
RETURNS_ERRNO(mlx5dv_crypto_login)
RETURNS_NULL_POINTER(mlx5dv_dek_create)
RETURNS_ERRNO(mlx5dv_dek_destroy)
RETURNS_ERRNO(mlx5dv_destroy_mkey)
RETURNS_ERRNO(mlx5dv_devx_general_cmd)
RETURNS_NULL_POINTER(mlx5dv_open_device)
RETURNS_NULL_POINTER(mlx5dv_qp_ex_from_ibv_qp_ex)

}  // extern "C"
