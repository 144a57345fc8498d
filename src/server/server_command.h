#pragma once
#include "service/command.h"

namespace clever::server {

/// `agents server`.
[[nodiscard]] service::Command server_command();

}  // namespace clever::server
