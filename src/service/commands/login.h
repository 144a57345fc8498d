#pragma once
// What the login commands share. Private to the module.
#include "service/command.h"

namespace clever::service {

[[nodiscard]] Command login_approve_command();

}  // namespace clever::service
