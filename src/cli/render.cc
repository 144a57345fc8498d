#include "cli/render.h"

#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

std::string_view escape_of(Tone tone) noexcept {
  switch (tone) {
    case Tone::kStrong:
      return "\x1b[1m";
    case Tone::kDim:
      return "\x1b[2m";
    case Tone::kGood:
      return "\x1b[32m";
    case Tone::kWarn:
      return "\x1b[33m";
    case Tone::kBad:
      return "\x1b[31m";
    case Tone::kAccent:
      return "\x1b[36m";
    case Tone::kPlain:
      break;
  }
  return "";
}

}  // namespace

std::string painted(std::string_view text, Tone tone, const Look& look) {
  if (!look.color || tone == Tone::kPlain || text.empty()) return std::string(text);
  return std::string(escape_of(tone)).append(text).append("\x1b[0m");
}

std::string painted(const Line& line, const Look& look) {
  std::string text;
  for (const Span& span : line) text.append(painted(printable(span.text), span.tone, look));
  return text;
}

}  // namespace clever::cli
