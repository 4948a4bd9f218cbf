// rpma_conn_get_private_data(3): what the other side sent when the connection was made. Pinned to
// librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_get_private_data {

using Get = PrivateDataFamily<"rpma_conn_get_private_data", "conn",
                              "*pdata points to what the other side sent with its request or its "
                              "answer, padded with zeros, for as long as the connection exists.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_conn_get_private_data
