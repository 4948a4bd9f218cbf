// The pages of calls, in the order of the manual.
#pragma once

#include <array>
#include <string_view>

#include "spec/rpma_conn_cfg_delete.h"
#include "spec/rpma_conn_cfg_get_sq_size.h"
#include "spec/rpma_conn_cfg_new.h"
#include "spec/rpma_conn_cfg_set_sq_size.h"
#include "spec/rpma_peer_delete.h"
#include "spec/rpma_peer_new.h"
#include "spec/rpma_utils_get_ibv_context.h"

namespace spec {

inline constexpr std::array kCallPages{
    &rpma_utils_get_ibv_context::kPage, &rpma_peer_new::kPage,
    &rpma_peer_delete::kPage,           &rpma_conn_cfg_new::kPage,
    &rpma_conn_cfg_delete::kPage,       &rpma_conn_cfg_set_sq_size::kPage,
    &rpma_conn_cfg_get_sq_size::kPage,
};

// nullptr: no page in the list is about this function.
const CallPage* FindCallPage(std::string_view function);

}  // namespace spec
