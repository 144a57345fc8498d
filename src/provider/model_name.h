#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace clever::provider {

/// "provider/model". The model may hold further slashes.
struct ModelName {
  std::string provider{};
  std::string model{};

  /// None if `text` is not of that form.
  [[nodiscard]] static std::optional<ModelName> parse(std::string_view text);
  [[nodiscard]] std::string to_string() const { return provider + "/" + model; }
  friend bool operator==(const ModelName&, const ModelName&) = default;
};

/// Letters, digits, `_` and `-`, at least one: what a provider may be called.
[[nodiscard]] bool is_provider_name(std::string_view text) noexcept;

}  // namespace clever::provider
