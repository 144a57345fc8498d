#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/words.h"
#include "service/command.h"
#include "service/context.h"
#include "service/exit_code.h"
#include "service/screen.h"

namespace clever::cli {

/// The only way out of the program: every write is checked.
struct Console {
  using Write = std::function<base::Result<void>(std::string_view)>;
  Write output;
  Write error_output;
  bool output_is_terminal = false;
  bool error_is_terminal = false;
  /// The terminal's columns.
  std::size_t width = 80;
  /// The columns of error_output's terminal at this moment.
  std::function<io::TerminalSize()> size = [] { return io::TerminalSize(); };
  /// Reads a line from a person; only if input and error output are a terminal.
  Screen::ReadLine read_line{};
  /// Reads a single key. Empty: lines are read instead.
  Screen::ReadLine read_key{};
  /// Empty without a terminal to hand over.
  Screen::Foreground foreground{};
  /// The terminal itself, if input and both outputs are one.
  Screen::OpenTerminal open_terminal{};
};

/// Runs one command line, `arguments` without the program's name: parses it, calls its handler,
/// shows the report. Never prompts without a terminal. Returns the exit code of the process; a
/// write that fails is an error, but a reader that has gone away (`| head`) gets no message.
[[nodiscard]] ExitCode run(const Command& root, const std::vector<std::string>& arguments,
                           const Surroundings& surroundings, const Console& console);

}  // namespace clever::cli
