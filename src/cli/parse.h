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

/// Why a command line is invalid, and a hint if there is one.
struct UsageError {
  std::string message;
  std::string hint;
};

/// The parsed words, and the error that stopped the parser, if any. With --help or --version,
/// missing words and subcommands are no error.
struct Parsed {
  Invocation invocation;
  std::optional<UsageError> error;
};

/// Parses the words after the program's name.
[[nodiscard]] Parsed parse(const Command& root, const std::vector<std::string>& arguments);

/// Returns the last --format among words that may be invalid: their error is shown in it too.
[[nodiscard]] std::optional<std::string_view> requested_value(
    std::string_view option, const std::vector<std::string>& arguments);

}  // namespace clever::cli
