// Which functions end objects.
#pragma once

#include <string_view>

namespace conformance {

// What deletes an object of this type; nullptr: nobody may.
const char* DeleterOf(std::string_view type);
bool IsDeleter(std::string_view function);

}  // namespace conformance
