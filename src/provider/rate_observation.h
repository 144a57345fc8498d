#pragma once
#include <chrono>
#include <cstdint>
#include <optional>

namespace clever::provider {

/// One limit in a provider's headers: `limit` per `window`, of which `remaining` are left, all
/// available again after `reset`. Missing values are absent.
struct RateHeader {
  std::optional<std::int64_t> limit{};
  std::optional<std::int64_t> remaining{};
  std::optional<std::chrono::milliseconds> reset{};
  /// The span of `limit`; providers that do not report it mean a minute.
  std::chrono::milliseconds window{60'000};
  friend bool operator==(const RateHeader&, const RateHeader&) = default;
};

/// The limits in an answer's headers. A value.
struct RateObservation {
  RateHeader requests{};
  RateHeader tokens{};        // input and output together
  RateHeader input_tokens{};  // where the provider counts them separately (Anthropic)
  RateHeader output_tokens{};
  friend bool operator==(const RateObservation&, const RateObservation&) = default;
};

}  // namespace clever::provider
