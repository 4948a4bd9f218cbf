// rpma_conn_req_get_private_data(3): what the client sent with its request. Pinned to librpma
// 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_req_get_private_data {

using Get = PrivateDataFamily<"rpma_conn_req_get_private_data", "req",
                              "*pdata points to what the client sent with the request, padded with "
                              "zeros, and to nothing in a request of one's own.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_conn_req_get_private_data
