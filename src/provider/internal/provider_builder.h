#pragma once
#include <optional>
#include <string>

#include "base/result.h"
#include "config/settings.h"
#include "io/environment.h"
#include "provider/provider_set.h"

namespace clever::provider::internal {

/// A usable provider, or why it is unusable.
struct Built {
  std::optional<ProviderConfig> config{};
  /// What is missing.
  std::string why{};
};

/// Builds a provider from its variables, if it is a known one, and from [provider.NAME].
/// `invalid_argument` for wrong settings, as opposed to missing ones.
[[nodiscard]] base::Result<Built> build_provider(const io::Environment& environment,
                                                 const config::Settings& settings,
                                                 const std::string& name);

}  // namespace clever::provider::internal
