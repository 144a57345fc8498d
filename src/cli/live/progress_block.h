#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cli/live/progress_model.h"
#include "cli/words.h"
#include "service/amounts.h"
#include "service/view.h"

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

using service::cost_text, service::elapsed_text, service::shortened, service::tokens_text;

}  // namespace clever::cli
