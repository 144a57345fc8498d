#include "provider/call_record.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/redact.h"
#include "model/time.h"

namespace clever::provider {
namespace {

using nlohmann::json;
using std::chrono::duration_cast;
using std::chrono::microseconds;

// The well-known values of gen_ai.provider.name; other providers keep our name.
std::string_view telemetry_name(std::string_view provider) {
  if (provider == "google") return "gcp.gemini";
  if (provider == "azure") return "azure.ai.openai";
  if (provider == "mistral") return "mistral_ai";
  return provider;
}

double seconds(base::Duration duration) { return std::chrono::duration<double>(duration).count(); }

void add_usage(json& attributes, const Usage& usage) {
  if (!usage.known) return;
  attributes["gen_ai.usage.input_tokens"] = usage.input;
  attributes["gen_ai.usage.output_tokens"] = usage.output;
  attributes["gen_ai.usage.cache_read.input_tokens"] = usage.cache_read;
  attributes["gen_ai.usage.cache_creation.input_tokens"] = usage.cache_write;
  attributes["gen_ai.usage.reasoning.output_tokens"] = usage.reasoning;
}

void add_result(json& attributes, const CallEnd& end) {
  if (const auto* failure = std::get_if<Failure>(&end.result)) {
    attributes["error.type"] = to_string(failure->kind);
    attributes["clever.error.message"] = base::redact(failure->message);
    if (failure->status != 0) attributes["http.response.status_code"] = failure->status;
    return;
  }
  const auto& answer = std::get<ModelAnswer>(end.result);
  attributes["gen_ai.response.id"] = answer.id;
  attributes["gen_ai.response.model"] = answer.model;
  attributes["gen_ai.response.finish_reasons"] = json::array({to_string(answer.stop)});
}

json attempt(const AttemptTrace& trace) {
  json result{{"model", trace.model},
              {"waited_s", seconds(trace.waited())},
              {"duration_s", seconds(trace.ended_at - trace.started_at)}};
  if (trace.failure) result["error.type"] = to_string(*trace.failure);
  if (trace.status != 0) result["http.response.status_code"] = trace.status;
  return result;
}

// Why the call took this route.
void add_way(json& attributes, const CallTrace& trace) {
  for (const AttemptTrace& each : trace.attempts) {
    attributes["clever.attempts"].push_back(attempt(each));
  }
  for (const MoveTrace& move : trace.moves) {
    attributes["clever.moves"].push_back(
        {{"from", move.from}, {"to", move.to}, {"reason", base::redact(move.reason)}});
  }
}

void add_prompts(json& attributes, const ModelRequest& request, const CallEnd& end) {
  attributes["gen_ai.system_instructions"] = base::redact(request.system);
  attributes["gen_ai.input.messages"] = base::redact(model::to_json(request.messages.to_vector()));
  if (!end.answered()) return;
  const auto& answer = std::get<ModelAnswer>(end.result);
  attributes["gen_ai.output.messages"] = base::redact(model::to_json({answer.message}));
}

json attributes(const ModelRequest& request, const CallEnd& end, const RecordOptions& options) {
  json result{{"gen_ai.operation.name", "chat"},
              {"gen_ai.provider.name", telemetry_name(end.trace.provider)},
              {"gen_ai.request.model", end.trace.model},
              {"gen_ai.request.max_tokens", request.max_output_tokens}};
  if (request.temperature) result["gen_ai.request.temperature"] = *request.temperature;
  add_usage(result, end.trace.usage);
  add_result(result, end);
  add_way(result, end.trace);
  if (options.with_prompts) add_prompts(result, request, end);
  return result;
}

}  // namespace

storage::ModelCallRecord call_record(const ModelRequest& request, const CallEnd& end,
                                     const RecordOptions& options) {
  const CallTrace& trace = end.trace;
  storage::ModelCallRecord call{
      .plan = options.plan,
      .decision = options.decision,
      .effect = options.effect,
      .provider = trace.provider,
      .model = trace.model,
      .started = std::chrono::time_point_cast<microseconds>(trace.started),
      .latency = duration_cast<microseconds>(trace.latency),
      .retries = static_cast<std::int64_t>(trace.retries()),
      .input_tokens = trace.usage.input,
      .output_tokens = trace.usage.output,
      .cache_read_tokens = trace.usage.cache_read,
      .cache_write_tokens = trace.usage.cache_write,
      .cost = options.cost};
  if (trace.first_byte) call.first_byte = duration_cast<microseconds>(*trace.first_byte);
  for (const AttemptTrace& each : trace.attempts) {
    call.waited += duration_cast<microseconds>(each.waited());
  }
  if (const auto* failure = std::get_if<Failure>(&end.result))
    call.error = to_string(failure->kind);
  call.attributes =
      attributes(request, end, options).dump(-1, ' ', false, json::error_handler_t::replace);
  return call;
}

}  // namespace clever::provider
