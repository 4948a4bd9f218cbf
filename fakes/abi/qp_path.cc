#include "abi/qp_path.h"

#include <cerrno>

#include "abi/edge.h"
#include "abi/gid.h"

namespace fakenic {

int FollowPath(const ibv_ah_attr& path, uint32_t mask, QpAttr& to) {
  if ((mask & qp_mask::kAv) == 0) return 0;
  if (path.is_global == 0 || path.grh.sgid_index >= kGids) return EINVAL;
  Network& network = edge().network;
  const uint32_t link_local = HostOfLinkLocal(path.grh.dgid);
  const uint32_t host =
      link_local != 0 ? link_local : network.NumberOfHost(AddressOf(path.grh.dgid));
  if (host == 0 || !network.HasHost(host)) return ETIMEDOUT;
  if ((mask & qp_mask::kDestQpn) != 0 && network.NumberOfHost(to.dest_qp_num) != host) {
    to.dest_qp_num = kNobody;
  }
  return 0;
}

}  // namespace fakenic
