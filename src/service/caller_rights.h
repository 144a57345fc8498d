#pragma once
#include "service/caller.h"
#include "service/context.h"

namespace clever::service {

/// Whether who asks has this right; without a caller it is the command line.
[[nodiscard]] bool may(const Context& context, Right right);
/// Whether a file of the home belongs to who asks: not if they came with a token of their own.
[[nodiscard]] bool owns_home(const Context& context);

}  // namespace clever::service
