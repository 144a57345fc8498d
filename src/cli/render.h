#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "cli/words.h"
#include "service/view.h"

namespace clever::cli {

/// For a person at a terminal: colours, symbols, boxes, wrapped to the width.
[[nodiscard]] std::string render_rich(const View& view, const Look& look);
/// Stable lines without colour for grep: nothing wraps, each line stands alone.
[[nodiscard]] std::string render_plain(const View& view);
/// Shows everything that has rows as a boxed table.
[[nodiscard]] std::string render_table(const View& view, const Look& look);

/// The text in the tone's colour, if the look has colours.
[[nodiscard]] std::string painted(std::string_view text, Tone tone, const Look& look);
[[nodiscard]] std::string painted(const Line& line, const Look& look);

/// A boxed table; every line has a line end.
[[nodiscard]] std::string boxed(const Table& table, const Look& look);

}  // namespace clever::cli
