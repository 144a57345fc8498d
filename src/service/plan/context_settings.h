#pragma once
#include <filesystem>

#include "base/result.h"
#include "config/settings.h"
#include "confine/confined_process.h"
#include "engine/actor/code_context.h"
#include "service/context.h"

namespace clever::service {

/// How context is put together, by the settings `context.*`. What is wrong with one is `corruption`
/// with its origin. Commands that are strategies run confined, on the project. Private to the
/// module.
[[nodiscard]] base::Result<engine::ContextOptions> context_options(
    const config::Settings& settings, const std::filesystem::path& project_root,
    const confine::Launcher& launcher);

/// Embedders of the providers that the settings have, for any thread. The context outlives them.
[[nodiscard]] engine::EmbedderSource provider_embedders(config::Settings settings,
                                                        const Context& context);

}  // namespace clever::service
