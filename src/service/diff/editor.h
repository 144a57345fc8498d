#pragma once
#include <optional>
#include <string>

#include "base/result.h"
#include "service/context.h"

namespace clever::service {

/// Has the person edit a text in $VISUAL, $EDITOR or vi. `name` is what the file is called there,
/// so that the editor knows its kind. None: it was left as it is. `invalid_argument` if what came
/// back cannot be the text of a file that lands (a NUL, conflict markers), `unavailable` if the
/// editor ended with an error or there is none. `run` hands the terminal to the editor.
[[nodiscard]] base::Result<std::optional<std::string>> edited_text(const std::string& name,
                                                                   const std::string& content,
                                                                   Context& context,
                                                                   const Screen::Foreground& run);

}  // namespace clever::service
