#pragma once
#include <optional>
#include <string>

#include "model/budget_events.h"
#include "model/id.h"
#include "provider/model_client.h"
#include "storage/model_calls.h"

namespace clever::provider {

/// What the trace of a call says beside what the call itself knows.
struct RecordOptions {
  model::PlanId plan{};
  model::DecisionId decision{};
  model::EffectId effect{};
  /// None: the model has no known price.
  std::optional<model::Microdollars> cost{};
  /// The request's and the answer's texts, redacted, are part of the trace: only if somebody asked.
  bool with_prompts = false;
};

/// The row in the traces for a call, with OpenTelemetry's GenAI attributes. Holds no key; prompts
/// only if asked for. Pure.
[[nodiscard]] storage::ModelCall call_record(const ModelRequest& request, const CallEnd& end,
                                             const RecordOptions& options);

}  // namespace clever::provider
