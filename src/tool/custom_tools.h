#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tool/command_world.h"
#include "tool/tool.h"

namespace clever::tool {

/// A tool that a person wrote: a command with JSON input and output. A value.
///
///   name: count_words
///   description: Counts the words of a file.
///   input_schema: {type: object, properties: {path: {type: string}}, required: [path]}
///   output_schema: {type: object}          # optional: its output is then JSON of this form
///   command: [python3, tools/count.py]     # or one text for sh -c
///   timeout_s: 60                          # optional
///   capabilities: [read_only]              # optional; else: writes
///
/// A file holds one such mapping, or a list of them under `tools`.
struct CustomTool {
  ToolSpec spec{};
  std::vector<std::string> argv{};
  /// Where it was defined: "tools.yaml:3".
  std::string place{};
};

/// `invalid_argument` names file, line and key, and says what would be right; an unknown key is an
/// error. `file` is only for messages.
[[nodiscard]] base::Result<std::vector<CustomTool>> parse_custom_tools(std::string_view text,
                                                                       const std::string& file);

/// Runs in the workspace like a shell command, confined, with its input on standard input. Its
/// output is the answer; an exit code other than 0 is a failure.
[[nodiscard]] std::shared_ptr<Tool> make_custom_tool(CustomTool definition,
                                                     std::shared_ptr<CommandWorld> commands);

}  // namespace clever::tool
