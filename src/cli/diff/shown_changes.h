#pragma once
#include <string>

#include "cli/words.h"

// Turns the changed files of a view into text for this terminal or pipe. Private to the module.
namespace clever::cli {

/// Replaces each Changes of the view by Raw text for an output with this look. In a pipe, in plain
/// format, `git apply` takes the text.
[[nodiscard]] View with_changes_as_text(View view, const Screen& screen, const Look& look,
                                        std::size_t width);

/// The same; at a terminal it shows long changes that may be paged in a pager first, and leaves out
/// of the view what the person has seen there.
[[nodiscard]] View with_changes_shown(View view, const Look& look, Context& context);

}  // namespace clever::cli
