#include "provider/scripted/scripted_backend.h"

#include <algorithm>
#include <utility>

#include "provider/scripted/internal/stepped_attempt.h"

namespace clever::provider {
namespace {

using internal::AttemptPlan;

// An error replaces the answer; damage shows only later.
bool begins(const ScriptedReply& reply) {
  return !reply.error && reply.damage != ScriptedDamage::kHtml;
}

std::vector<internal::AttemptStep> reply_steps(const ScriptedReply& reply) {
  std::vector<internal::AttemptStep> steps;
  for (Delta& delta : deltas_of(reply)) {
    const bool first = steps.empty();
    steps.push_back({first ? std::chrono::milliseconds{0} : reply.chunk_delay, std::move(delta)});
  }
  if (reply.cut) steps.resize(std::min(steps.size(), *reply.cut), {{}, TextDelta{}});
  return steps;
}

AttemptPlan plan_of(const ScriptedAnswer& answer, const ScriptQuery& query, bool stream,
                    const std::string& provider) {
  const ScriptedReply& reply = answer.reply;
  AttemptPlan plan{
      .first_byte = reply.delay, .begins = begins(reply), .end = {to_answer(reply, query)}};
  if (auto failure = failure_of(answer, provider)) plan.end.result = std::move(*failure);
  if (stream && plan.begins) plan.steps = reply_steps(reply);
  return plan;
}

}  // namespace

ScriptedBackend::ScriptedBackend(std::string provider, Script script, base::TimerQueue& timers,
                                 base::Executor& executor)
    : provider_(std::move(provider)),
      timers_(timers),
      executor_(executor),
      player_(std::move(script)) {}

std::unique_ptr<Attempt> ScriptedBackend::start(const std::string& model,
                                                const ModelRequest& request,
                                                std::shared_ptr<AttemptSink> sink) {
  const ScriptQuery query = script_query(model, request);
  auto answer = player_.answer(query);
  AttemptPlan plan{.begins = false, .end = {Failure{}}};
  if (auto* failure = std::get_if<Failure>(&answer)) {
    plan.end.result = std::move(*failure);
  } else {
    plan = plan_of(std::get<ScriptedAnswer>(answer), query, request.stream, provider_);
  }
  return internal::start_attempt(std::move(plan), std::move(sink), timers_, executor_);
}

}  // namespace clever::provider
