#pragma once
#include <optional>
#include <string>

#include "base/result.h"
#include "service/context.h"

namespace clever::service {

/// Has the person edit a text. None: it was left as it is. `invalid_argument` if what came back
/// cannot be the text of a file that lands (a NUL, conflict markers).
[[nodiscard]] base::Result<std::optional<std::string>> edited_text(const std::string& name,
                                                                   const std::string& content,
                                                                   Context& context,
                                                                   const Screen::Foreground& run);

/// Opens a text in $VISUAL, $EDITOR or vi on this machine; returns it as the person left it. `name`
/// is what the file is called there, so that the editor knows its kind. `run` hands the terminal to
/// the editor. `unavailable` if the editor ended with an error or there is none.
[[nodiscard]] base::Result<std::string> text_from_editor(const std::string& name,
                                                         const std::string& content,
                                                         const Context& context,
                                                         const Screen::Foreground& run);

}  // namespace clever::service
