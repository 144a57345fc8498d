#pragma once
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "engine/actor/tool_actor.h"

namespace clever::engine::internal {

/// The command line of a step, with values as whole arguments: nothing in a value is ever read as
/// a program's text.
///
/// As a list each item is expanded by itself; an item ${paths} becomes one argument for each file.
/// As a text for sh, ${name} is a variable of the shell, set before the text from positional
/// parameters, and the files are "$@". A file whose name begins with `-` gets `./` before it.
[[nodiscard]] std::vector<std::string> command_line(
    const ToolActorStep& step, const std::map<std::string, std::string>& variables,
    const std::vector<std::string>& files);

/// As many neighbours as fit into one command line.
[[nodiscard]] std::vector<std::vector<std::string>> batches_of(
    const std::vector<std::string>& files);

[[nodiscard]] std::chrono::milliseconds timeout_of(const ToolActorStep& step);

}  // namespace clever::engine::internal
