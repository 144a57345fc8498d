#include "cli/live/progress_block.h"

#include <algorithm>
#include <array>

#include "cli/words.h"
#include "service/amounts.h"
#include "service/text.h"

namespace clever::cli {
namespace {

constexpr std::array<std::string_view, 10> kSpinner{"⠋", "⠙", "⠹", "⠸", "⠼",
                                                    "⠴", "⠦", "⠧", "⠇", "⠏"};
constexpr std::array<std::string_view, 4> kPlainSpinner{"|", "/", "-", "\\"};

// The columns of the figures on the right: tokens, cost, time.
constexpr std::size_t kTokens = 6;
constexpr std::size_t kCost = 8;
constexpr std::size_t kElapsed = 6;
constexpr std::size_t kFigures = kTokens + 4 + kCost + kElapsed;
// Below this width the text gets the figures' room.
constexpr std::size_t kLeastWords = 30;

struct EntrySymbol {
  std::string_view text;
  Tone tone;
};

EntrySymbol entry_symbol(WorkStatus status, const BlockLook& look) {
  switch (status) {
    case WorkStatus::kQueued:
      return {look.unicode ? "·" : ".", Tone::kDim};
    case WorkStatus::kWaiting:
      return {look.unicode ? "◦" : "?", Tone::kWarn};
    case WorkStatus::kDone:
      return {look.unicode ? "✓" : "+", Tone::kGood};
    case WorkStatus::kFailed:
      return {look.unicode ? "✗" : "x", Tone::kBad};
    case WorkStatus::kWorking:
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

// "  12.3k tok   $0.04   1m05s"; empty if nothing was used.
std::string figures(std::int64_t tokens, model::Microdollars cost, const std::string& elapsed) {
  return right(tokens > 0 ? service::tokens_text(tokens) : "", kTokens) +
         (tokens > 0 ? " tok" : "    ") + right(cost > 0 ? cost_text(cost) : "", kCost) +
         right(elapsed, kElapsed);
}

// Cuts or pads the left part, so that the figures line up.
Line with_figures(Line words, std::size_t width, const std::string& numbers, bool unicode) {
  std::size_t used = 0;
  const std::size_t room = width - columns(numbers);
  for (Span& span : words) {
    span.text = service::shortened(span.text, room - std::min(room, used), unicode);
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
  const EntrySymbol symbol = entry_symbol(entry.status, look);
  const std::string indent(2 * entry.depth, ' ');
  // The title takes up to two fifths; a short one is padded to line up with its neighbours.
  const std::size_t title_width = std::min(words * 2 / 5, words);
  std::string title = service::shortened(printable(entry.title), title_width, look.unicode);
  if (!entry.doing.empty() || entry.depth == 0) title = padded(title, title_width);
  Line line{{indent},
            {std::string(symbol.text) + " ", symbol.tone},
            {std::move(title), entry.depth == 0 ? Tone::kStrong : Tone::kPlain}};
  // A subplan's symbol shows its state.
  if (entry.depth == 0) line.push_back({"  " + entry.place, Tone::kAccent});
  if (!entry.doing.empty()) line.push_back({"  " + printable(entry.doing), Tone::kDim});
  const std::string numbers =
      has_figures ? figures(entry.tokens, entry.cost, service::elapsed_text(entry.elapsed)) : "";
  return with_figures(std::move(line), width, numbers, look.unicode);
}

std::string more_text(const ProgressView& view, bool unicode) {
  std::string text = (unicode ? "… and " : "... and ") + std::to_string(view.more) + " more";
  if (view.more_done > 0) text += " (" + std::to_string(view.more_done) + " done)";
  return text;
}

}  // namespace

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
