#pragma once
#include <string>
#include <vector>

#include "config/settings.h"
#include "engine/offer/offer.h"
#include "engine/trust.h"
#include "model/control_settings.h"

namespace clever::engine {

/// The trust entry of a validation that an action of the project names. `place`: its file.
[[nodiscard]] NamedCommand named_validation(const model::Validation& validation,
                                            const std::string& place);

/// Everything that files of the project would have run: validations (of actions too), hooks,
/// sandbox.setup, MCP servers, custom tools, skills. What `agents trust` shows. Blocks: it reads
/// those files.
[[nodiscard]] std::vector<NamedCommand> project_commands(const config::Settings& settings,
                                                         const Offer& offer,
                                                         const std::filesystem::path& project);

}  // namespace clever::engine
