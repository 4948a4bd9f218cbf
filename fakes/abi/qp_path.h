// Where the path leads that a program gives a queue pair.
#pragma once

#include <infiniband/verbs.h>

#include "nic/qp_attr.h"

namespace fakenic {

// No queue pair has this number.
inline constexpr uint32_t kNobody = 0;

// 0, or the errno with which a path is refused, as a RoCE port has it: EINVAL without a global
// route or for an unknown sgid_index, ETIMEDOUT where nobody has the address. A path to another
// host than that of the queue pair leads to nobody: `to` then answers nobody, and nobody it.
int FollowPath(const ibv_ah_attr& path, uint32_t mask, QpAttr& to);

}  // namespace fakenic
