#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace clever::cli {

/// A command line that makes sense: which command, with which options and words. Refers to the
/// command tree, which must outlive it. A value otherwise.
class Invocation {
 public:
  [[nodiscard]] const CommandPath& path() const noexcept { return path_; }
  [[nodiscard]] const Command& command() const noexcept { return *path_.back(); }
  [[nodiscard]] const Command& root() const noexcept { return *path_.front(); }

  [[nodiscard]] bool flag(std::string_view option) const { return options_.contains(option); }
  /// The last one given.
  [[nodiscard]] std::optional<std::string_view> value(std::string_view option) const;
  /// Of an option that may be repeated, in the order given.
  [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
  [[nodiscard]] const std::vector<std::string>& words() const noexcept { return words_; }
  /// The word for a positional that is required; a missing one is a bug and aborts.
  [[nodiscard]] const std::string& word(std::size_t index) const;

 private:
  friend class Parser;
  CommandPath path_;
  std::map<std::string, std::vector<std::string>, std::less<>> options_;
  std::vector<std::string> words_;
};

/// Why a command line makes none: what was wrong, and what would be right if that can be guessed.
struct UsageError {
  std::string message;
  std::string hint;
};

/// What was understood, and the error that stopped it, if one did. With --help or --version neither
/// words nor subcommands are missed.
struct Parsed {
  Invocation invocation;
  std::optional<UsageError> error;
};

/// Reads the words after the program's name.
[[nodiscard]] Parsed parse(const Command& root, const std::vector<std::string>& arguments);

/// The last --format among words that may be no valid command line: an error is shown in it too.
[[nodiscard]] std::optional<std::string_view> requested_value(
    std::string_view option, const std::vector<std::string>& arguments);

}  // namespace clever::cli
