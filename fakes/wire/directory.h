// The directory in which the processes of a fabric meet. It is private to its user.
#pragma once

#include <optional>
#include <string>

#include "wire/file.h"

namespace fakenic {

// Where the environment says that the fabric is: FAKENIC_FABRIC, else a directory of the user's
// own. None if FAKENIC_FABRIC is "off": every process is a fabric of its own.
std::optional<std::string> FabricPath();

// Opens the directory, makes it if it is not there. Not open, and why, if it belongs to somebody
// else or others may enter it.
File OpenFabricDirectory(const std::string& path, std::string& why);

}  // namespace fakenic
