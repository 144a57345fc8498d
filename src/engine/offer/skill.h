#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/trust.h"

namespace clever::engine {

/// Instructions for models: a folder with a SKILL.md and other files. A value.
///
///   ---
///   name: release-notes
///   description: Writes release notes. Use it when a release is prepared.
///   allowed-tools: read_file git_log        # optional
///   ---
///   The instructions, in Markdown.
struct Skill {
  std::string name{};
  std::string description{};
  /// What its author says it needs; nothing is allowed by it.
  std::vector<std::string> allowed_tools{};
  /// Everything after the front matter.
  std::string body{};
  /// Where its files are.
  std::filesystem::path folder{};
  /// Where it was read: "/…/SKILL.md".
  std::string place{};
  /// Of a project's folder: used only if it is trusted.
  bool of_project = false;
};

/// `invalid_argument` names file, line, key and cure. Keys that mean nothing to us are left alone:
/// other programs read these files too. `file` is only for messages.
[[nodiscard]] base::Result<Skill> parse_skill(std::string_view text, std::string_view file);

/// The skills of folders, and what could not be read.
struct FoundSkills {
  std::vector<Skill> skills{};
  std::vector<base::Error> problems{};
};

/// Each folder in `folder` that has a SKILL.md, by name; a folder that is not there is an empty
/// one. Links are not followed. Blocks.
[[nodiscard]] FoundSkills skills_in(const std::filesystem::path& folder, bool of_project);

/// The files beside SKILL.md, relative to the skill's folder, by name; at most 1000. Blocks.
[[nodiscard]] base::Result<std::vector<std::string>> skill_files(const Skill& skill);

/// For trust: with all its files. `project` is the root of its project.
[[nodiscard]] base::Result<NamedCommand> named_command(const Skill& skill,
                                                       const std::filesystem::path& project);

/// The part of a prompt that lists them: names and descriptions, at most `budget` bytes.
[[nodiscard]] std::string skill_list(const std::vector<Skill>& skills, std::size_t budget);

}  // namespace clever::engine
