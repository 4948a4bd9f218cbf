// Judges what a library's log did while one call ran, by rpma_log_set_function(3) and
// rpma_log_set_threshold(3).
#pragma once

#include "spec/call_page.h"
#include "spec/model/log.h"
#include "spec/model/witness.h"

namespace spec::model {

// `code`: what the call returned. The call's own page has been judged before.
void JudgeLog(const Call& call, int code, const Said& said, Witness* witness);

}  // namespace spec::model
