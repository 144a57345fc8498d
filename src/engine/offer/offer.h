#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "engine/offer/mcp_server.h"
#include "engine/offer/skill.h"
#include "engine/trust.h"
#include "tool/custom_tools.h"

namespace clever::engine {

/// Where what is offered to models lies.
struct OfferPlaces {
  std::filesystem::path home{};
  /// The root of the project.
  std::filesystem::path project{};
};

/// A tool that a person wrote, and whose it is.
struct OfferedTool {
  tool::CustomTool tool{};
  std::string file{};
  bool of_project = false;
};

/// What there is beside the built-in tools, whether or not it is trusted. A value.
struct Offer {
  /// By name: those of the project win over those of the home.
  std::vector<OfferedTool> tools{};
  std::vector<McpServer> servers{};
  std::vector<Skill> skills{};
  /// What could not be read: sentences that name file, line and cure.
  std::vector<std::string> problems{};
};

/// Looks into `home`/tools, `home`/skills, the settings' [mcp.*], and the project's
/// .cleveragents/tools, .cleveragents/skills (else .claude/skills) and, where it sets no [mcp.*],
/// .mcp.json. Starts nothing. A file with a mistake is a problem, and the others are offered.
[[nodiscard]] Offer find_offer(const config::Settings& settings, const OfferPlaces& places);

/// What of it files of the project name, for trust.
[[nodiscard]] std::vector<NamedCommand> project_commands_of(const Offer& offer,
                                                            const std::filesystem::path& project);

/// Without what belongs to the project and is not trusted.
[[nodiscard]] Offer trusted_only(Offer offer, const std::filesystem::path& project,
                                 const TrustStore& trust);

/// sandbox.setup, if a file of the project says it.
[[nodiscard]] std::vector<NamedCommand> setup_command_of(const config::Settings& settings);

/// The trust entry of one of the project's tools.
[[nodiscard]] NamedCommand named_command(const OfferedTool& tool,
                                         const std::filesystem::path& project);

/// The tools of the *.yaml and *.yml of a folder.
[[nodiscard]] std::vector<OfferedTool> tools_in(const std::filesystem::path& folder,
                                                bool of_project,
                                                std::vector<std::string>& problems);

}  // namespace clever::engine
