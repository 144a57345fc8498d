#pragma once
#include <string>
#include <vector>

#include "model/document.h"
#include "model/id.h"
#include "model/time.h"
#include "storage/model_calls.h"

// Spans as OTLP/HTTP sends them in JSON, with OpenTelemetry's GenAI names. A plan is a trace. Pure.
namespace clever::service {

/// A piece of work with a beginning and an end. A value.
struct TraceSpan {
  std::string name{};
  model::PlanId plan{};
  /// Tells it from others of the plan; empty: the plan's own span, the parent of all others.
  std::string key{};
  /// Of what another program did: a call of a model.
  bool is_call = false;
  model::Timestamp begin{};
  model::Timestamp end{};
  /// A map; no contents of the plan.
  model::Document attributes{};
  /// Empty: it succeeded.
  std::string error{};
};

/// "chat MODEL", with the attributes of the call's trace.
[[nodiscard]] TraceSpan span_of(const storage::ModelCallRecord& call);

/// The body of one export.
[[nodiscard]] std::string otlp_body(const std::vector<TraceSpan>& spans);

}  // namespace clever::service
