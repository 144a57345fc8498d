#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/event.h"

namespace clever::model {

/// How the job queue runs an effect. A value.
struct JobRequest {
  std::string queue{};
  std::int64_t priority = 2;  // 0, the first, to 3
  std::int64_t max_attempts = 10;
  /// Of the jobs with the same key one runs at a time; empty: no such limit.
  std::string concurrency{};

  friend bool operator==(const JobRequest&, const JobRequest&) = default;
};

/// An effect was requested: work outside the journal, to start once this is durable. A value.
struct EffectRequested {
  static constexpr std::string_view kKind = "effect.requested";

  EffectId id{};
  /// The kind of work: "model.call", "tool.run", …
  std::string kind{};
  /// JSON text for the runner.
  std::string data = "{}";
  /// None: the job queue does not run it.
  std::optional<JobRequest> job{};

  /// `invalid_argument` if `data` is not JSON.
  [[nodiscard]] base::Result<Event> to_event() const;
  /// `invalid_argument` names the wrong key.
  [[nodiscard]] static base::Result<EffectRequested> parse(std::string_view data);
  friend bool operator==(const EffectRequested&, const EffectRequested&) = default;
};

/// The outcome of an effect. Once per effect. A value.
struct EffectSettled {
  static constexpr std::string_view kKind = "effect.settled";

  EffectId id{};
  /// "done", "failed", "cancelled", …
  std::string outcome{};

  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<EffectSettled> parse(std::string_view data);
  friend bool operator==(const EffectSettled&, const EffectSettled&) = default;
};

/// The idempotency key of an effect's job, and of the command that returns its outcome to the
/// plan's inbox.
[[nodiscard]] std::string effect_key(const EffectId& id);

}  // namespace clever::model
