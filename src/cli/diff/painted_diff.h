#pragma once
// Differences for eyes: coloured, and unable to steer the terminal. Pure functions. Private to the
// module.
#include <string>
#include <string_view>
#include <vector>

#include "cli/render.h"
#include "cli/words.h"
#include "diff/tree_diff.h"
#include "service/diff/changed_pieces.h"

namespace clever::cli {

/// A line of one side, its marks set off within its colour.
[[nodiscard]] std::string painted_pieces(const service::LinePieces& pieces, Tone tone,
                                         const Look& look);

/// What diff::unified() printed: added and removed lines in their colours, the words that make the
/// difference set off.
[[nodiscard]] std::string painted_unified(std::string_view text, const Look& look);
/// What diff::word_diff() printed.
[[nodiscard]] std::string painted_words(std::string_view text, const Look& look);
/// What diff::stat() printed.
[[nodiscard]] std::string painted_stat(std::string_view text, const Look& look);
/// One hunk, as within painted_unified().
[[nodiscard]] std::string painted_hunk(const diff::Hunk& hunk, const Look& look);

}  // namespace clever::cli
