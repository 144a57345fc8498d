#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/stop_token.h"
#include "io/foreground_program.h"
#include "io/owned_terminal.h"
#include "io/terminal.h"
#include "service/format.h"
#include "service/live.h"
#include "service/view.h"

namespace clever::service {

/// The colours of tones, by the setting output.theme. kNone: bold and dim text, without colours.
enum class Theme : std::uint8_t { kDefault, kLight, kHighContrast, kNone };

/// What the place of output can show.
struct Look {
  bool color = false;
  bool unicode = false;
  /// Columns to stay within; 0: no limit.
  std::size_t width = 0;
  Theme theme = Theme::kDefault;
};

/// The terminal or pipes of a command while it works, for the few that cannot keep what they have
/// to say for their report: live progress, events as they come, a question. Everything else is a
/// Report.
///
/// Given by Context::screen(). A value; its functions are used by one thread at a time.
struct Screen {
  using Write = std::function<base::Result<void>(std::string_view)>;
  /// One line that a person types, without its end; none when the input is over. `cancelled`.
  using ReadLine =
      std::function<base::Result<std::optional<std::string>>(const base::StopToken& stop)>;

  /// Hands the terminal to an editor or a pager until that ends; its exit code.
  using Foreground = std::function<base::Result<int>(const io::ForegroundProgram& program)>;

  /// The terminal itself, for a view that takes it over.
  using OpenTerminal =
      std::function<base::Result<std::unique_ptr<io::OwnedTerminal>>(io::OwnedTerminal::Mode mode)>;

  /// In which the report will be shown.
  Format format = Format::kPlain;
  bool quiet = false;
  bool output_is_terminal = false;
  bool error_is_terminal = false;
  /// Columns of the terminal.
  std::size_t width = 80;
  /// Of the terminal at this moment: people resize it.
  std::function<io::TerminalSize()> size = [] { return io::TerminalSize(); };
  Look output_look{};
  Look error_look{};
  Write output;
  Write error_output;
  /// A view on the error output, as the report's own view will look.
  std::function<base::Result<void>(const View& view)> say{};
  /// The beginning of a line on the error output, for which a person types the rest.
  std::function<base::Result<void>(const Line& line)> prompt{};
  /// Empty: plans work unseen. Use live_display().
  std::function<std::unique_ptr<LiveDisplay>(const LiveOptions& options)> live{};
  /// Empty without a terminal: then nothing ever prompts.
  ReadLine read_line{};
  /// One key, without Enter; Enter alone is "". Empty: a line is read instead.
  ReadLine read_key{};
  /// Empty where there is no terminal to hand over.
  Foreground foreground{};
  /// Empty where there is no terminal.
  OpenTerminal open_terminal{};

  [[nodiscard]] bool can_ask() const { return read_line != nullptr; }
  /// Shows what plans do; never null.
  [[nodiscard]] std::unique_ptr<LiveDisplay> live_display(const LiveOptions& options) const;
  /// The answer to a question that one letter answers, in lower case: what was typed, or pressed.
  /// None when the input is over. Only if can_ask().
  [[nodiscard]] base::Result<std::optional<std::string>> read_answer(
      const base::StopToken& stop) const;
  /// Asks on standard error until the answer is yes or no; the end of the input is no. Only if
  /// can_ask().
  [[nodiscard]] base::Result<bool> confirm(std::string_view question,
                                           const base::StopToken& stop) const;
};

}  // namespace clever::service
