#pragma once
#include <string>

#include "cli/words.h"

// Turns the changed files of a view into text for this terminal or pipe. Private to the module.
namespace clever::cli {

/// Replaces each Changes of the view by Raw text for an output with this look. In a pipe, in plain
/// format, `git apply` takes the text.
[[nodiscard]] View with_changes_as_text(View view, const Screen& screen, const Look& look,
                                        std::size_t width);

/// The same for a command's report; at a terminal it shows long changes in a pager, and empties the
/// view that the person has seen there.
[[nodiscard]] View with_changes_shown(View view, Context& context);

}  // namespace clever::cli
