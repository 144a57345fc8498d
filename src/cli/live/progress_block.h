#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cli/live/progress_model.h"
#include "cli/view.h"

// What progress looks like. Pure functions.
namespace clever::cli {

struct BlockLook {
  /// Columns of the terminal: no line takes all of them, so that none is broken by it.
  std::size_t width = 80;
  bool unicode = true;
  /// Which picture of the spinner, counted on and on.
  std::size_t frame = 0;
};

/// One line per entry; "… and 12 more" below; for several tasks a line with the sum.
[[nodiscard]] std::vector<Line> progress_block(const ProgressView& view, const BlockLook& look);
/// How many lines of a block are no entries, at most.
inline constexpr std::size_t kBlockExtras = 2;

/// The text, or as much of it as fits into so many columns with an ellipsis.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width, bool unicode);
/// "4s", "1m05s", "2h03m"
[[nodiscard]] std::string elapsed_text(base::Duration elapsed);
/// "980", "12.3k", "1.2M"
[[nodiscard]] std::string tokens_text(std::int64_t tokens);
/// "$0.05", "$0.0012": rounded up.
[[nodiscard]] std::string cost_text(model::Microdollars cost);

}  // namespace clever::cli
