#pragma once
#include <string>

#include "cli/words.h"
#include "config/schema.h"
#include "service/command.h"

namespace clever::cli {

/// Makes docs/reference/commands.md: every visible command with its arguments, options and
/// examples, then every setting, then the exit codes. Markdown.
[[nodiscard]] std::string reference(const Command& root, const config::Schema& settings);

}  // namespace clever::cli
