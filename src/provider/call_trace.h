#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "provider/answer.h"
#include "provider/failure.h"

// The course of a call, for its row in the traces. Values; no prompt, no key.
namespace clever::provider {

/// One attempt at an answer.
struct AttemptTrace {
  /// "provider/model"
  std::string model{};
  /// Measured from the beginning of the call.
  base::Duration queued_at{};
  base::Duration started_at{};
  base::Duration ended_at{};
  std::optional<base::Duration> first_byte_at{};
  /// None if it was answered.
  std::optional<FailureKind> failure{};
  int status = 0;

  [[nodiscard]] base::Duration waited() const { return started_at - queued_at; }
};

/// A step along the fallback chain.
struct MoveTrace {
  std::string from{};
  std::string to{};
  /// "anthropic/claude: quota: your credit balance is too low"
  std::string reason{};
};

struct CallTrace {
  std::string plan{};
  std::string decision{};
  std::string effect{};
  /// As requested; empty for the default.
  std::string model_asked{};
  /// The model that answered, or was tried last. Empty if none could be tried.
  std::string provider{};
  std::string model{};
  base::WallTime started{};
  base::Duration latency{};
  /// Until the first byte of the answer that was taken.
  std::optional<base::Duration> first_byte{};
  Usage usage{};
  std::vector<AttemptTrace> attempts{};
  std::vector<MoveTrace> moves{};

  [[nodiscard]] std::size_t retries() const { return attempts.empty() ? 0 : attempts.size() - 1; }
};

}  // namespace clever::provider
