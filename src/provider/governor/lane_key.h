#pragma once
#include <compare>
#include <string>

namespace clever::provider {

/// The scope of a limit: one model behind one address and key. A value; holds no secret.
struct LaneKey {
  /// As configured: "openai".
  std::string provider{};
  /// ProviderRuntime::identity(): the address, and the key's fingerprint.
  std::string identity{};
  std::string model{};

  /// "openai/gpt-5", for people.
  [[nodiscard]] std::string name() const { return provider + "/" + model; }
  /// "openai:9f86d081884c7d65/gpt-5", for stores and circuits.
  [[nodiscard]] std::string text() const { return identity + "/" + model; }
  friend auto operator<=>(const LaneKey&, const LaneKey&) = default;
};

}  // namespace clever::provider
