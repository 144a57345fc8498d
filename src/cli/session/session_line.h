#pragma once
// Private to the module.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::cli {

/// The meaning of a line of a conversation. A value.
struct SessionLine {
  enum class Kind : std::uint8_t { kNothing, kPrompt, kShell, kCommand, kAction };
  Kind kind = Kind::kNothing;
  /// The name of a command or action, without the slash.
  std::string name{};
  /// The words of a prompt, a shell's command line, or the text after the name.
  std::string rest{};
  friend bool operator==(const SessionLine&, const SessionLine&) = default;
};

struct SessionCommand {
  std::string_view name;
  /// "NAME"; empty: the command takes nothing.
  std::string_view takes;
  std::string_view summary;
};
/// In the order of /help.
[[nodiscard]] const std::vector<SessionCommand>& session_commands();

/// Parses `/name rest`, `!command`, or words for the model; "//" begins words with a slash. An
/// unknown command is `invalid_argument` with the nearest name. `actions`: further command names;
/// their lines have the kind kAction.
[[nodiscard]] base::Result<SessionLine> session_line(std::string_view text,
                                                     const std::vector<std::string>& actions = {});

}  // namespace clever::cli
