#pragma once
#include <chrono>
#include <cstdint>
#include <optional>

namespace clever::provider {

/// One limit as a provider's headers tell it: `limit` per `window`, `remaining` of it left, all of
/// it back after `reset`. What was not said is absent.
struct RateHeader {
  std::optional<std::int64_t> limit{};
  std::optional<std::int64_t> remaining{};
  std::optional<std::chrono::milliseconds> reset{};
  /// Over what time `limit` counts; providers that do not say mean a minute.
  std::chrono::milliseconds window{60'000};
  friend bool operator==(const RateHeader&, const RateHeader&) = default;
};

/// What an answer's headers say about limits. A value.
struct RateObservation {
  RateHeader requests{};
  RateHeader tokens{};        // input and output together
  RateHeader input_tokens{};  // where they are counted apart (Anthropic)
  RateHeader output_tokens{};
  friend bool operator==(const RateObservation&, const RateObservation&) = default;
};

}  // namespace clever::provider
