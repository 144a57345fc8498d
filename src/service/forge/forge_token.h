#pragma once
// The token for a forge: from the environment or from the forge's own program. Private to the
// module.
#include "base/result.h"
#include "service/context.h"
#include "service/forge/forge_client.h"

namespace clever::service {

/// From then on the context's redactor knows it. `permission_denied` says where a token was looked
/// for.
[[nodiscard]] base::Result<ForgeToken> find_forge_token(const Forge& forge, Context& context);

}  // namespace clever::service
