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

// How progress looks. Pure functions.
namespace clever::cli {

struct BlockLook {
  /// The terminal's columns. No line uses all of them, so that the terminal wraps none.
  std::size_t width = 80;
  bool unicode = true;
  /// The number of the spinner's picture; keeps counting up.
  std::size_t frame = 0;
};

/// One line per entry; "… and 12 more" below; for several tasks a line with the sum.
[[nodiscard]] std::vector<Line> progress_block(const ProgressView& view, const BlockLook& look);
/// The most lines of a block that are not entries.
inline constexpr std::size_t kBlockExtras = 2;

using service::cost_text, service::elapsed_text, service::shortened, service::tokens_text;

}  // namespace clever::cli
