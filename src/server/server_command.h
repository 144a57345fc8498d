#pragma once
#include "base/result.h"
#include "server/commands.h"
#include "service/command.h"
#include "service/context.h"
#include "service/invocation.h"
#include "service/report.h"

namespace clever::server {

/// `agents server`; `handler` calls serve().
[[nodiscard]] service::Command server_command(service::Handler handler);

/// Serves until it is stopped. `make_live` shows other command lines what plans do.
[[nodiscard]] base::Result<service::Report> serve(const service::Invocation& invocation,
                                                  service::Context& context, MakeLive make_live);

}  // namespace clever::server
