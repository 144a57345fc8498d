#pragma once
#include <string>

#include "cli/words.h"

// What a view says of changed files, as text for the terminal or pipe at hand. Private to the
// module.
namespace clever::cli {

/// Each Changes of the view as Raw text, for an output with this look. In a pipe, in plain format,
/// the text is what `git apply` takes.
[[nodiscard]] View with_changes_as_text(View view, const Screen& screen, const Look& look,
                                        std::size_t width);

/// The same for the report of a command, handed to a pager where the changes are long and a person
/// sits at a terminal; a view that they have seen there is empty.
[[nodiscard]] View with_changes_shown(View view, Context& context);

}  // namespace clever::cli
