#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace clever::provider {

/// "provider/model". The model may contain further slashes.
struct ModelName {
  std::string provider{};
  std::string model{};

  /// None if `text` has another form.
  [[nodiscard]] static std::optional<ModelName> parse(std::string_view text);
  [[nodiscard]] std::string to_string() const { return provider + "/" + model; }
  friend bool operator==(const ModelName&, const ModelName&) = default;
};

/// A provider's name: letters, digits, `_` and `-`, at least one.
[[nodiscard]] bool is_provider_name(std::string_view text) noexcept;

}  // namespace clever::provider
