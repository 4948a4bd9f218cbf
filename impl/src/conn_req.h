#pragma once

#include <memory>

#include "conn.h"

struct rpma_conn_req {
  // Throws as rpma_conn does.
  rpma_conn_req(rpma::CmId id, const rpma_peer& peer, const rpma_conn_cfg& cfg)
      : conn(std::make_unique<rpma_conn>(std::move(id), peer, cfg)) {}

  std::unique_ptr<rpma_conn> conn;
};
