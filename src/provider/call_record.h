#pragma once
#include <optional>
#include <string>

#include "model/budget_events.h"
#include "model/id.h"
#include "provider/model_client.h"
#include "storage/model_calls.h"

namespace clever::provider {

/// Facts for the trace of a call that the call itself does not know.
struct RecordOptions {
  model::PlanId plan{};
  model::DecisionId decision{};
  model::EffectId effect{};
  /// None if the model has no known price.
  std::optional<model::Microdollars> cost{};
  /// Whether the redacted texts of request and answer are part of the trace; only on request.
  bool with_prompts = false;
};

/// The row of a call in the traces, with OpenTelemetry's GenAI attributes. Contains no key, and
/// prompts only on request. Pure.
[[nodiscard]] storage::ModelCallRecord call_record(const ModelRequest& request, const CallEnd& end,
                                                   const RecordOptions& options);

}  // namespace clever::provider
