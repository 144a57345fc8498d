#include "cli/diff/pager.h"

#include <algorithm>

#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

constexpr int kNotFound = 127;

// Counts the terminal's rows, including those that long lines wrap to.
std::size_t rows_of(std::string_view text, std::size_t width) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n')) + text.size() / (width * 4);
}

std::vector<std::string> pager_environment(const Context& context) {
  std::vector<std::string> all = context.environment_lines();
  // Keeps colours, and does not page what fits.
  if (!context.environment().value("LESS")) all.emplace_back("LESS=FRX");
  return all;
}

// Returns an empty text if no pager is wanted.
std::vector<std::string> pager_of(const io::Environment& environment) {
  const auto chosen = environment.value("PAGER");
  if (!chosen) return {"less", "-FRX"};
  if (chosen->find_first_not_of(" \t") == std::string::npos || *chosen == "cat") return {};
  return {"sh", "-c", *chosen};
}

}  // namespace

bool paged(const std::string& text, Context& context) {
  const Screen screen = context.screen();
  if (!screen.foreground || !screen.output_is_terminal || screen.format != Format::kRich) {
    return false;
  }
  const io::TerminalSize size = screen.size();
  if (rows_of(text, std::max<std::size_t>(size.columns, 1)) < size.rows) return false;
  io::ForegroundProgram program{.argv = pager_of(context.environment()),
                                .environment = pager_environment(context),
                                .input = text};
  if (program.argv.empty() || context.environment().value("TERM") == "dumb") return false;
  const auto code = screen.foreground(program);
  // A pager that cannot run shows nothing, so the text is printed instead.
  return code.ok() && *code != kNotFound;
}

}  // namespace clever::cli
