#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/budget_events.h"
#include "model/id.h"
#include "model/time.h"
#include "storage/engine.h"

namespace clever::storage {

/// The trace of one model call, whatever its outcome. A value. Contains no secret, and no prompt
/// unless a person enabled that.
struct ModelCallRecord {
  model::PlanId plan{};
  model::DecisionId decision{};
  model::EffectId effect{};
  std::string provider{};
  /// The model that answered, or was called last.
  std::string model{};
  model::Timestamp started{};
  /// Until the end, including waits.
  std::chrono::microseconds latency{};
  /// Since the start of the last attempt.
  std::optional<std::chrono::microseconds> first_byte{};
  /// In queues and pauses.
  std::chrono::microseconds waited{};
  std::int64_t retries = 0;
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t cache_read_tokens = 0;
  std::int64_t cache_write_tokens = 0;
  /// None if the model has no known price.
  std::optional<model::Microdollars> cost{};
  /// The kind of failure; empty after an answer.
  std::string error{};
  /// OpenTelemetry's attributes (gen_ai.*), as a JSON object.
  std::string attributes = "{}";

  friend bool operator==(const ModelCallRecord&, const ModelCallRecord&) = default;
};

/// The traces, in the order in which calls ended.
///
/// Thread-safe. The engine must outlive it.
class ModelCalls {
 public:
  explicit ModelCalls(Engine& engine) : engine_(engine) {}

  /// For the transaction that settles the call (Append::also), or a separate one.
  [[nodiscard]] static std::vector<Statement> record(const ModelCallRecord& call);
  static void add(UnitOfWork& unit, const ModelCallRecord& call);

  struct Filter {
    /// None: all plans.
    model::PlanId plan{};
    /// Empty: all providers.
    std::string provider{};
    std::int64_t limit = 100;
  };
  /// The newest first.
  [[nodiscard]] base::Result<std::vector<ModelCallRecord>> list(
      const Filter& filter, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

 private:
  Engine& engine_;
};

}  // namespace clever::storage
