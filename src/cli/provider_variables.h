#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/environment.h"

namespace clever::cli {

/// A provider and the environment variables that configure it. Holds names only, never a value.
struct ProviderVariables {
  std::string_view provider;
  /// Any one of them is enough.
  std::vector<std::string_view> credentials;
  /// Where it is reached.
  std::vector<std::string_view> endpoints;
  /// Both a credential and an endpoint are needed.
  bool needs_endpoint = false;
};

[[nodiscard]] const std::vector<ProviderVariables>& provider_variables();

/// What the environment says of one provider.
struct ProviderState {
  std::string_view provider;
  bool configured = false;
  /// Names of its variables that are set and not empty.
  std::vector<std::string_view> present;
  /// Names that are set, but empty.
  std::vector<std::string_view> empty;
  /// Names that are still missing where something is set, but not enough.
  std::vector<std::string_view> missing;
};

[[nodiscard]] std::vector<ProviderState> provider_states(const io::Environment& environment);
/// Names of those that are configured.
[[nodiscard]] std::vector<std::string_view> configured_providers(
    const io::Environment& environment);

}  // namespace clever::cli
