#pragma once
#include <optional>
#include <string>

#include "base/result.h"
#include "config/settings.h"
#include "io/environment.h"
#include "provider/provider_set.h"

namespace clever::provider::internal {

/// A provider as it can be used, or why it cannot.
struct Built {
  std::optional<ProviderConfig> config{};
  /// What is missing.
  std::string why{};
};

/// Puts a provider together from its variables, if it is a known one, and from [provider.NAME].
/// `invalid_argument` for whatever is wrong rather than missing.
[[nodiscard]] base::Result<Built> build_provider(const io::Environment& environment,
                                                 const config::Settings& settings,
                                                 const std::string& name);

}  // namespace clever::provider::internal
