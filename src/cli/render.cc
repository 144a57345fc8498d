#include "cli/render.h"

#include "cli/theme.h"
#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
std::string painted(std::string_view text, Tone tone, const Look& look) {
  const std::string_view parameters =
      look.color ? color_parameters(look.theme, tone) : std::string_view();
  if (parameters.empty() || text.empty()) return std::string(text);
  return "\x1b[" + std::string(parameters) + "m" + std::string(text) + "\x1b[0m";
}

std::string painted(const Line& line, const Look& look) {
  std::string text;
  for (const Span& span : line) text.append(painted(printable(span.text), span.tone, look));
  return text;
}

}  // namespace clever::cli
