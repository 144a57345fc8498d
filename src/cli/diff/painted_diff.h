#pragma once
// Coloured diffs that cannot steer the terminal. Pure functions. Private to the module.
#include <string>
#include <string_view>
#include <vector>

#include "cli/render.h"
#include "cli/words.h"
#include "diff/tree_diff.h"
#include "service/diff/changed_pieces.h"

namespace clever::cli {

/// One line of one side, with its changed words marked within its colour.
[[nodiscard]] std::string painted_pieces(const service::LinePieces& pieces, Tone tone,
                                         const Look& look);

/// Colours the output of diff::unified(): added and removed lines, and the changed words in them.
[[nodiscard]] std::string painted_unified(std::string_view text, const Look& look);
/// Colours the output of diff::word_diff().
[[nodiscard]] std::string painted_words(std::string_view text, const Look& look);
/// Colours the output of diff::stat().
[[nodiscard]] std::string painted_stat(std::string_view text, const Look& look);
/// Colours one hunk, as painted_unified() does.
[[nodiscard]] std::string painted_hunk(const diff::Hunk& hunk, const Look& look);

}  // namespace clever::cli
