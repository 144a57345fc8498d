#include "cli/screen.h"

#include "base/text.h"
#include "cli/text.h"

namespace clever::cli {

base::Result<bool> Screen::confirm(std::string_view question, const base::StopToken& stop) const {
  for (;;) {
    CLEVER_TRY(error_output(painted(printable(question), Tone::kStrong, error_look) + " [y/N] "));
    CLEVER_ASSIGN(const std::optional<std::string> answer, read_line(stop));
    const std::string word = base::lower_case(answer.value_or(""));
    if (word == "y" || word == "yes") return true;
    if (word.empty() || word == "n" || word == "no") return false;
  }
}

}  // namespace clever::cli
