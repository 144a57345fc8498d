#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "provider/endpoint.h"

namespace clever::provider {

/// A provider with well-known environment variables. Names only, never a value.
struct KnownProvider {
  std::string_view name;
  Wire wire = Wire::kOpenAiChat;
  Dialect dialect = Dialect::kNone;
  /// Empty: base_url_variables must give the address.
  std::string_view base_url{};
  /// Any one of them is enough; the first that is set counts. Empty: it needs no key.
  std::vector<std::string_view> key_variables{};
  std::vector<std::string_view> base_url_variables{};
  /// Empty: there is no common default.
  std::string_view default_model{};
  /// The page that issues keys.
  std::string_view keys_page{};
};

/// A built-in short name; a person's own alias of that name takes precedence.
struct KnownAlias {
  std::string_view name;
  /// Empty: the first provider on this machine.
  std::string_view provider;
  /// Empty: the provider's default.
  std::string_view model;
};
[[nodiscard]] const std::vector<KnownAlias>& known_aliases();

/// In order of preference: the first configured provider gives the default model.
[[nodiscard]] const std::vector<KnownProvider>& known_providers();
/// nullptr for an unknown name.
[[nodiscard]] const KnownProvider* find_known_provider(std::string_view name);

}  // namespace clever::provider
