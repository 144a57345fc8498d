#pragma once
#include "base/result.h"
#include "provider/provider_set.h"
#include "service/context.h"

namespace clever::service {

/// find_providers() as who asks may see them: where they are is for administrators alone. For
/// showing only.
[[nodiscard]] base::Result<provider::ProviderSettings> shown_providers(Context& context);

}  // namespace clever::service
