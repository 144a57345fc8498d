#include "cli/live/progress_block.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "base/utf8.h"
#include "cli/commands/budget.h"
#include "cli/text.h"

namespace clever::cli {
namespace {

constexpr std::array<std::string_view, 10> kSpinner{"⠋", "⠙", "⠹", "⠸", "⠼",
                                                    "⠴", "⠦", "⠧", "⠇", "⠏"};
constexpr std::array<std::string_view, 4> kPlainSpinner{"|", "/", "-", "\\"};

// The columns of the figures at the right: tokens, cost, time.
constexpr std::size_t kTokens = 6;
constexpr std::size_t kCost = 8;
constexpr std::size_t kElapsed = 6;
constexpr std::size_t kFigures = kTokens + 4 + kCost + kElapsed;
// Below this the figures give way to the words.
constexpr std::size_t kLeastWords = 30;

struct EntrySymbol {
  std::string_view text;
  Tone tone;
};

EntrySymbol entry_symbol(Faring faring, const BlockLook& look) {
  switch (faring) {
    case Faring::kQueued:
      return {look.unicode ? "·" : ".", Tone::kDim};
    case Faring::kWaiting:
      return {look.unicode ? "◦" : "?", Tone::kWarn};
    case Faring::kDone:
      return {look.unicode ? "✓" : "+", Tone::kGood};
    case Faring::kFailed:
      return {look.unicode ? "✗" : "x", Tone::kBad};
    case Faring::kWorking:
      break;
  }
  return {look.unicode ? kSpinner[look.frame % kSpinner.size()]
                       : kPlainSpinner[look.frame % kPlainSpinner.size()],
          Tone::kAccent};
}

std::string right(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}

// "  12.3k tok   $0.04   1m05s"; nothing where nothing was used.
std::string figures(std::int64_t tokens, model::Microdollars cost, const std::string& elapsed) {
  return right(tokens > 0 ? tokens_text(tokens) : "", kTokens) + (tokens > 0 ? " tok" : "    ") +
         right(cost > 0 ? cost_text(cost) : "", kCost) + right(elapsed, kElapsed);
}

// What stands at the left, cut or filled so that the figures are below each other.
Line with_figures(Line words, std::size_t width, const std::string& numbers, bool unicode) {
  std::size_t used = 0;
  const std::size_t room = width - columns(numbers);
  for (Span& span : words) {
    span.text = shortened(span.text, room - std::min(room, used), unicode);
    used += columns(span.text);
  }
  if (numbers.empty()) return words;
  words.push_back({std::string(room - std::min(room, used), ' ') + numbers, Tone::kDim});
  return words;
}

Line entry_line(const ProgressEntry& entry, const BlockLook& look) {
  const std::size_t width = look.width > 0 ? look.width - 1 : 0;
  const bool has_figures = width >= kFigures + kLeastWords;
  const std::size_t words = has_figures ? width - kFigures : width;
  const EntrySymbol symbol = entry_symbol(entry.faring, look);
  const std::string indent(2 * entry.depth, ' ');
  // The title takes what it needs up to two fifths; a short one of its neighbours is filled up.
  const std::size_t title_width = std::min(words * 2 / 5, words);
  std::string title = shortened(printable(entry.title), title_width, look.unicode);
  if (!entry.doing.empty() || entry.depth == 0) title = padded(title, title_width);
  Line line{{indent},
            {std::string(symbol.text) + " ", symbol.tone},
            {std::move(title), entry.depth == 0 ? Tone::kStrong : Tone::kPlain}};
  // Of a subplan the symbol tells where it is.
  if (entry.depth == 0) line.push_back({"  " + entry.place, Tone::kAccent});
  if (!entry.doing.empty()) line.push_back({"  " + printable(entry.doing), Tone::kDim});
  const std::string numbers =
      has_figures ? figures(entry.tokens, entry.cost, elapsed_text(entry.elapsed)) : "";
  return with_figures(std::move(line), width, numbers, look.unicode);
}

std::string two_digits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

std::string with_tenths(std::int64_t tenths) {
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string more_text(const ProgressView& view, bool unicode) {
  std::string text = (unicode ? "… and " : "... and ") + std::to_string(view.more) + " more";
  if (view.more_done > 0) text += " (" + std::to_string(view.more_done) + " done)";
  return text;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t width, bool unicode) {
  if (columns(text) <= width) return std::string(text);
  const std::string_view ellipsis = unicode ? "…" : "...";
  if (width < columns(ellipsis)) return std::string(width, '.');
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    std::string next = shown;
    base::append_utf8(next, next_code_point(text, at));
    if (columns(next) + columns(ellipsis) > width) break;
    shown = std::move(next);
  }
  return shown.append(ellipsis);
}

std::string elapsed_text(base::Duration elapsed) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 3600;
  if (seconds < kMinute) return std::to_string(seconds) + "s";
  if (seconds < kHour) {
    return std::to_string(seconds / kMinute) + "m" + two_digits(seconds % kMinute) + "s";
  }
  return std::to_string(seconds / kHour) + "h" + two_digits(seconds % kHour / kMinute) + "m";
}

std::string tokens_text(std::int64_t tokens) {
  constexpr std::int64_t kThousand = 1000;
  constexpr std::int64_t kMillion = 1'000'000;
  if (tokens < kThousand) return std::to_string(tokens);
  if (tokens < 100 * kThousand) return with_tenths(tokens / (kThousand / 10)) + "k";
  if (tokens < kMillion) return std::to_string(tokens / kThousand) + "k";
  return with_tenths(tokens / (kMillion / 10)) + "M";
}

std::string cost_text(model::Microdollars cost) {
  constexpr std::int64_t kCent = 10'000;
  constexpr std::int64_t kTenThousandth = 100;
  // Nothing that costs something is shown as nothing.
  const std::int64_t unit = cost < kCent ? kTenThousandth : kCent;
  return dollars((cost + unit - 1) / unit * unit);
}

std::vector<Line> progress_block(const ProgressView& view, const BlockLook& look) {
  std::vector<Line> lines;
  for (const ProgressEntry& entry : view.entries) lines.push_back(entry_line(entry, look));
  if (view.more > 0) lines.push_back({{"  " + more_text(view, look.unicode), Tone::kDim}});
  if (view.roots > 1) {
    const std::string words =
        std::to_string(view.roots_done) + " of " + std::to_string(view.roots) + " tasks done";
    const std::size_t width = look.width > 0 ? look.width - 1 : 0;
    const bool has_figures = width >= kFigures + kLeastWords;
    lines.push_back(with_figures({{words, Tone::kStrong}}, width,
                                 has_figures ? figures(view.tokens, view.cost, "") : "",
                                 look.unicode));
  }
  return lines;
}

}  // namespace clever::cli
