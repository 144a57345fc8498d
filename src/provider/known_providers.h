#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "provider/endpoint.h"

namespace clever::provider {

/// A provider that is found by the usual environment variables. Names only, never a value.
struct KnownProvider {
  std::string_view name;
  Wire wire = Wire::kOpenAiChat;
  Dialect dialect = Dialect::kNone;
  /// Empty: it has no address of its own, and one of base_url_variables must say it.
  std::string_view base_url{};
  /// Any one of them is enough, the first that is set counts; empty: it needs no key.
  std::vector<std::string_view> key_variables{};
  std::vector<std::string_view> base_url_variables{};
  /// Empty: there is none that everybody has.
  std::string_view default_model{};
  /// Where to get a key.
  std::string_view keys_page{};
};

/// A short name that everybody has; a person's own alias of that name goes before it.
struct KnownAlias {
  std::string_view name;
  /// Empty: the first provider on this machine.
  std::string_view provider;
  /// Empty: the provider's default.
  std::string_view model;
};
[[nodiscard]] const std::vector<KnownAlias>& known_aliases();

/// In the order of preference: the first that is configured gives the default model.
[[nodiscard]] const std::vector<KnownProvider>& known_providers();
/// nullptr if there is none of that name.
[[nodiscard]] const KnownProvider* find_known_provider(std::string_view name);

}  // namespace clever::provider
