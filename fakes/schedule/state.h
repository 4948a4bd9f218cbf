// The state of a fabric and of its parts as text, equal for states from which the same can follow.
#pragma once

#include <string>

#include "nic/fabric.h"

namespace fakenic {

void AppendState(Fabric& fabric, std::string& state);
void AppendState(const Cq& cq, std::string& state);

}  // namespace fakenic
