// The operations, which have pages of another kind: what their calls bring about at both ends of a
// connection.
#pragma once

#include "spec/call_page.h"
#include "spec/model/witness.h"

namespace spec::model {

// `call` of a function that has no page of calls returned `code`.
void Posted(const Call& call, int code, Witness* witness);

}  // namespace spec::model
