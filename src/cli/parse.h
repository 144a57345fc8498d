#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/words.h"
#include "service/invocation.h"

namespace clever::cli {

using service::Command;
using service::Invocation;

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
