// Reads what a shared object tells the loader, without loading it.
#pragma once

#include <optional>
#include <string>

#include "spec/librpma.h"

namespace conformance {

// nullopt: the file cannot be read, is no 64-bit shared object, or refers to what is not there;
// `problem` then says which.
std::optional<spec::librpma::SharedObject> ReadSharedObject(const std::string& path,
                                                            std::string& problem);

}  // namespace conformance
