#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/event.h"

namespace clever::model {

/// How an effect is to be run by the job queue. A value.
struct JobRequest {
  std::string queue{};
  std::int64_t priority = 2;  // 0, the first, to 3
  std::int64_t max_attempts = 10;
  /// Of the jobs with one such key one runs at a time; empty: no such limit.
  std::string concurrency{};

  friend bool operator==(const JobRequest&, const JobRequest&) = default;
};

/// Something is to be done outside the journal, once this is durable. A value.
struct EffectRequested {
  static constexpr std::string_view kKind = "effect.requested";

  EffectId id{};
  /// What is to be done: "model.call", "tool.run", …
  std::string kind{};
  /// JSON text, for whoever does it.
  std::string data = "{}";
  /// None: it is not run by the job queue.
  std::optional<JobRequest> job{};

  /// `invalid_argument` if `data` is no JSON.
  [[nodiscard]] base::Result<Event> to_event() const;
  /// `invalid_argument` names the key that is wrong.
  [[nodiscard]] static base::Result<EffectRequested> parse(std::string_view data);
  friend bool operator==(const EffectRequested&, const EffectRequested&) = default;
};

/// It is known what became of an effect. Once per effect. A value.
struct EffectSettled {
  static constexpr std::string_view kKind = "effect.settled";

  EffectId id{};
  /// "done", "failed", "cancelled", …
  std::string outcome{};

  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<EffectSettled> parse(std::string_view data);
  friend bool operator==(const EffectSettled&, const EffectSettled&) = default;
};

/// The idempotency key of everything an effect leads to: its job, and the command that brings its
/// outcome back into the plan's inbox.
[[nodiscard]] std::string effect_key(const EffectId& id);

}  // namespace clever::model
