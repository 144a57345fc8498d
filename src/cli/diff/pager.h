#pragma once
#include <string>

#include "base/result.h"
#include "cli/words.h"
#include "service/context.h"

namespace clever::cli {

/// Shows a long text in the person's pager: $PAGER, or else `less -FRX`. Returns false if the
/// caller must print it: it fits on the screen, there is no terminal, or no pager (PAGER= or
/// PAGER=cat). Private to the module.
[[nodiscard]] bool paged(const std::string& text, Context& context);

}  // namespace clever::cli
