#pragma once
#include <filesystem>
#include <variant>

#include "base/result.h"
#include "server/operations.h"
#include "server/problem.h"
#include "service/access/projects.h"
#include "service/caller.h"
#include "service/invocation.h"
#include "service/wire/wire_request.h"

namespace clever::server {

/// The folder in which a client's command works: of the project that it names; else, of a client on
/// this machine, its own folder, if a registered project holds it or the caller may name folders;
/// else that of a registered project with the same first commit and remote; else, where no project
/// is needed, a folder of the home. The problem `which_project` asks a client for its commits first
/// and lists the projects then. Reads what git says of the projects.
[[nodiscard]] std::variant<std::filesystem::path, Problem> place_of(
    const service::WireRequest& request, const service::Invocation& invocation,
    const service::Caller& caller, const service::Projects& projects, const Operations& operations);

}  // namespace clever::server
