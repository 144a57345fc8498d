#pragma once
#include <compare>
#include <string>

namespace clever::provider {

/// What a limit is counted by: one model behind one address and key. A value; holds no secret.
struct LaneKey {
  /// As configured: "openai".
  std::string provider{};
  /// ProviderRuntime::identity(): address and key, the latter by its fingerprint only.
  std::string identity{};
  std::string model{};

  /// "openai/gpt-5", for people.
  [[nodiscard]] std::string name() const { return provider + "/" + model; }
  /// "openai:9f86d081884c7d65/gpt-5", for stores and circuits.
  [[nodiscard]] std::string text() const { return identity + "/" + model; }
  friend auto operator<=>(const LaneKey&, const LaneKey&) = default;
};

}  // namespace clever::provider
