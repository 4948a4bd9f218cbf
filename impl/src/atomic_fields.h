// Setters and getters of configurations, whose fields threads may set and read at the same time.
#pragma once

#include <librpma.h>

#include <atomic>

namespace rpma {

template <typename Cfg, typename T>
int Set(Cfg* cfg, std::atomic<T> Cfg::*field, T value) {
  if (cfg == nullptr) return RPMA_E_INVAL;
  (cfg->*field).store(value, std::memory_order_relaxed);
  return 0;
}

template <typename Cfg, typename T>
int Get(const Cfg* cfg, std::atomic<T> Cfg::*field, T* value) {
  if (cfg == nullptr || value == nullptr) return RPMA_E_INVAL;
  *value = (cfg->*field).load(std::memory_order_relaxed);
  return 0;
}

}  // namespace rpma
