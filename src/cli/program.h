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

/// Where a run's output goes. The only way out of the program: every write is checked.
struct Console {
  using Write = std::function<base::Result<void>(std::string_view)>;
  Write output;
  Write error_output;
  bool output_is_terminal = false;
  bool error_is_terminal = false;
  /// Columns of the terminal.
  std::size_t width = 80;
  /// Of the terminal that error_output is, at this moment.
  std::function<io::TerminalSize()> size = [] { return io::TerminalSize(); };
  /// Reads a line from a person, if input and error output are a terminal.
  Screen::ReadLine read_line{};
  /// The same of a single key. Empty: lines are read instead.
  Screen::ReadLine read_key{};
  /// Empty where there is no terminal to hand over.
  Screen::Foreground foreground{};
  /// The terminal itself, if input and both outputs are one.
  Screen::OpenTerminal open_terminal{};
};

/// Runs one command line, `arguments` without the program's name: understands it, lets its handler
/// work, shows what came of it. Never prompts without a terminal. Returns what the process should
/// exit with; a failure to write is an error, except that a reader who has gone away (`| head`)
/// needs no message.
[[nodiscard]] ExitCode run(const Command& root, const std::vector<std::string>& arguments,
                           const Surroundings& surroundings, const Console& console);

}  // namespace clever::cli
