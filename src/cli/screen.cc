#include "cli/screen.h"

#include <algorithm>
#include <cctype>

#include "cli/text.h"

namespace clever::cli {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

base::Result<bool> Screen::confirm(std::string_view question, const base::StopToken& stop) const {
  for (;;) {
    CLEVER_TRY(error_output(painted(printable(question), Tone::kStrong, error_look) + " [y/N] "));
    CLEVER_ASSIGN(const std::optional<std::string> answer, read_line(stop));
    const std::string word = lower(answer.value_or(""));
    if (word == "y" || word == "yes") return true;
    if (word.empty() || word == "n" || word == "no") return false;
  }
}

}  // namespace clever::cli
