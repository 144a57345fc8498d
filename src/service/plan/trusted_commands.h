#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "engine/offer/offer.h"
#include "engine/trust.h"
#include "service/context.h"

// What files of a project name, and what of it a person trusts. Private to the module.
namespace clever::service {

/// Everything of one project at one moment.
struct ProjectTrust {
  engine::Offer offer{};
  /// What files of the project would have run, trusted or not.
  std::vector<engine::NamedCommand> commands{};
  std::vector<engine::NamedCommand> untrusted{};
};

/// Looks at the project's files. An error: trust.json cannot be read.
[[nodiscard]] base::Result<ProjectTrust> project_trust(const Context& context,
                                                       const config::Settings& settings,
                                                       const std::filesystem::path& project);

/// Sentences about actors that files of the project define: no trust makes them used.
[[nodiscard]] std::vector<std::string> unused_actors(const Context& context,
                                                     const std::filesystem::path& project);

/// What a plan's models are offered, without what is not trusted; its problems say so.
[[nodiscard]] base::Result<engine::Offer> trusted_offer(const Context& context,
                                                        const config::Settings& settings,
                                                        const std::filesystem::path& project);

/// sandbox.setup, unless a file of the project says it and it is not trusted: empty then.
[[nodiscard]] base::Result<std::string> trusted_setup(const Context& context,
                                                      const config::Settings& settings,
                                                      const std::filesystem::path& project);

}  // namespace clever::service
