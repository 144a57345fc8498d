#pragma once
// Shell completion. The scripts are thin: they ask the program itself (`agents complete --
// WORDS…`), so they stay right when commands, options or settings are added.
#include <string>
#include <string_view>
#include <vector>

#include "cli/words.h"
#include "service/command.h"

namespace clever::cli {

struct Candidate {
  std::string text;
  std::string summary;
};

struct Candidates {
  std::vector<Candidate> list;
  /// True if the shell itself should offer folders.
  bool directories = false;
  /// Values to look up for the word typed so far, each with `prefix`.
  Completes looked_up = Completes::kNothing;
  std::string prefix{};
  std::string typed{};
};

/// Returns the candidates for the last of `words`, which may be incomplete or empty.
[[nodiscard]] Candidates complete(const Command& root, const std::vector<std::string>& words);

/// One line per candidate, text and summary separated by a tab; ":directories" asks for folders.
[[nodiscard]] std::string to_lines(const Candidates& candidates);

[[nodiscard]] std::string completion_script_bash(std::string_view program);
[[nodiscard]] std::string completion_script_zsh(std::string_view program);
[[nodiscard]] std::string completion_script_fish(std::string_view program);

}  // namespace clever::cli
