#include "engine/effects/internal/model_turn.h"

#include <algorithm>

#include "engine/actor/turn_request.h"
#include "engine/error_recovery_service.h"
#include "engine/observer.h"
#include "engine/permission_rules.h"
#include "plan/who_works.h"
#include "provider/call_budget.h"
#include "provider/call_record.h"
#include "storage/model_calls.h"

namespace clever::engine::internal {
namespace {

provider::ModelFacts facts_of(const provider::ProviderRegistry& providers,
                              const provider::CallTrace& trace) {
  if (trace.provider.empty()) return {};
  const auto model = providers.snapshot()->resolve(trace.provider + "/" + trace.model);
  return model.ok() ? model->facts : provider::ModelFacts{};
}

// Returns true if the call may have cost something: an answer had started.
bool was_begun(const provider::CallTrace& trace) {
  return std::ranges::any_of(trace.attempts, [](const provider::AttemptTrace& attempt) {
    return attempt.first_byte_at.has_value();
  });
}

model::Cost cost_of(const provider::CallEnd& end, const provider::ModelFacts& facts,
                    const model::Cost& reserved) {
  if (!end.answered() && !was_begun(end.trace)) return {};
  return provider::actual_cost(facts, end.trace.usage, reserved);
}

// Some providers decline without a reason, or put it into the answer.
std::string refusal_of(const provider::ModelAnswer& answer) {
  if (!answer.refusal.empty() || answer.stop != provider::StopReason::kRefusal) {
    return answer.refusal;
  }
  std::string said;
  for (const model::Part& part : answer.message.parts) {
    if (const auto* text = std::get_if<model::Text>(&part)) said += text->text;
  }
  const bool is_blank = said.find_first_not_of(" \t\r\n") == std::string::npos;
  return is_blank ? "it gives no reason" : said;
}

std::size_t bytes_of(const model::Message& message) {
  std::size_t bytes = 0;
  for (const model::Part& part : message.parts) {
    if (const auto* text = std::get_if<model::Text>(&part)) bytes += text->text.size();
    if (const auto* thought = std::get_if<model::Reasoning>(&part)) {
      bytes += thought->text.size() + thought->opaque.size();
    }
    if (const auto* call = std::get_if<model::ToolCall>(&part)) bytes += call->arguments.size();
  }
  return bytes;
}

}  // namespace

void ModelTurn::start(provider::ModelRequest request) {
  shape_.max_output_tokens = request.max_output_tokens;
  shape_.temperature = request.temperature;
  const EffectOrder& order = job_->order();
  const plan::State& plan = job_->plan();
  provider::CallRequest call{.plan = plan.id.to_string(),
                             .decision = plan.decision.to_string(),
                             .effect = order.id.to_string(),
                             .model = plan::terms_now(plan).model,
                             .request = std::move(request)};
  std::shared_ptr<provider::Call> begun = parts_.models.call(std::move(call), shared_from_this());
  way_.with([&](Way& way) {
    if (!way.has_ended) way.call = begun;
  });
  auto on_stop = std::make_unique<base::StopCallback>(
      order.stop, [self = std::weak_ptr<ModelTurn>(shared_from_this())] {
        if (const auto turn = self.lock()) turn->cancel();
      });
  way_.with([&](Way& way) {
    if (!way.has_ended) way.on_stop = std::move(on_stop);
  });
}

void ModelTurn::cancel() {
  const auto call = way_.with([](const Way& way) { return way.call; });
  if (call != nullptr) call->cancel();
}

void ModelTurn::on_wait(const std::string& model, const provider::Wait& wait) {
  Observer* observer = job_->order().observer;
  if (observer == nullptr) return;
  observer->on_wait(job_->plan().id, wait_notice(wait, model, parts_.clock));
}

void ModelTurn::on_delta(const provider::Delta& delta) {
  if (const auto* text = std::get_if<provider::TextDelta>(&delta)) {
    shown_answer_.take(text->text, /*reasoning=*/false);
  } else if (const auto* thought = std::get_if<provider::ReasoningDelta>(&delta)) {
    shown_answer_.take(thought->text, /*reasoning=*/true);
  }
}

void ModelTurn::on_restart() {
  shown_answer_.restart();
  if (Observer* observer = job_->order().observer) observer->on_restart(job_->plan().id);
}

void ModelTurn::on_end(provider::CallEnd end) {
  shown_answer_.finish();
  withhold(end);
  // Released without the lock: a callback's destructor may wait for it.
  const auto [call, on_stop] = way_.with([](Way& way) {
    way.has_ended = true;
    return std::pair(std::move(way.call), std::move(way.on_stop));
  });
  const provider::ModelFacts facts = facts_of(parts_.providers, end.trace);
  const model::Cost spent = cost_of(end, facts, reserved());
  std::optional<model::Microdollars> cost;
  if (facts.price) cost = spent.money;
  // Moves the answer's text into the outcome; the trace does not need it.
  plan::Command outcome = outcome_of(end, spent);
  record(end, cost, std::move(outcome));
}

// Ignores errors of the trace, which is written together with the outcome: no outcome depends on
// it.
void ModelTurn::record(const provider::CallEnd& end, const std::optional<model::Microdollars>& cost,
                       plan::Command outcome) {
  const storage::ModelCallRecord call = provider::call_record(shape_, end,
                                                              {.plan = job_->plan().id,
                                                               .decision = job_->plan().decision,
                                                               .effect = job_->order().id,
                                                               .cost = cost});
  if (Observer* observer = job_->order().observer) observer->on_model_call(call);
  storage::UnitOfWork unit;
  storage::ModelCalls::add(unit, call);
  parts_.database.submit_along(std::move(unit));
  // Releases the project before the effect ends, because its owner may close it then.
  tools_ = {};
  job_->settle(std::move(outcome));
}

plan::Command ModelTurn::outcome_of(provider::CallEnd& end, const model::Cost& spent) const {
  const model::EffectId& effect = job_->order().id;
  if (const auto* failure = std::get_if<provider::Failure>(&end.result)) {
    if (failure->kind == provider::FailureKind::kCancelled) {
      return plan::EffectStopped{.effect = effect, .spent = spent};
    }
    return plan::RecordError{.effect = effect,
                             .category = category_of(failure->kind),
                             .message = failure->message,
                             .lasts = lasts(failure->kind),
                             .retry_after = failure->retry_after,
                             .spent = spent};
  }
  auto& answer = std::get<provider::ModelAnswer>(end.result);
  const auto limit = static_cast<std::size_t>(job_->plan().settings.limits.answer_bytes);
  if (const std::size_t bytes = bytes_of(answer.message); bytes > limit) {
    return plan::RecordError{.effect = effect,
                             .category = model::ErrorCategory::kModelMisbehaviour,
                             .message = "the model answered " + std::to_string(bytes) +
                                        " bytes; at most " + std::to_string(limit) + " are taken",
                             .spent = spent};
  }
  return answered(answer, end.trace, spent);
}

plan::Command ModelTurn::answered(provider::ModelAnswer& answer, const provider::CallTrace& trace,
                                  const model::Cost& spent) const {
  const std::string refusal = refusal_of(answer);
  plan::Answered result{.effect = job_->order().id,
                        .message = std::move(answer.message),
                        .model = trace.provider + "/" + trace.model,
                        .input_tokens = answer.usage.input,
                        .output_tokens = answer.usage.output,
                        .spent = spent,
                        .cut = answer.stop == provider::StopReason::kLength,
                        .refusal = refusal,
                        .context = shown_};
  WithheldAnswer withheld;
  if (parts_.secrets != nullptr) withheld = withhold_from_answer(result.message, *parts_.secrets);
  result.withheld = withheld.parts;
  if (parts_.messages != nullptr) parts_.messages->remember(result.message);
  judge_calls(result, withheld);
  return result;
}

void ModelTurn::judge_calls(plan::Answered& result, const WithheldAnswer& withheld) const {
  const bool strategizes = job_->plan().phase == model::Phase::kStrategize;
  for (const model::Part& part : result.message.parts) {
    const auto* call = std::get_if<model::ToolCall>(&part);
    if (call == nullptr) continue;
    const std::size_t place = result.calls.size();
    const bool is_refused = place < withheld.refused.size() && withheld.refused[place];
    result.calls.push_back(class_of(*call));
    if (is_refused) {
      result.verdicts.push_back({.verdict = model::Verdict::kDeny,
                                 .shown = call->name,
                                 .why = secret_in_arguments(call->name)});
    } else {
      result.verdicts.push_back(verdict_on(*call));
    }
    if (!strategizes || call->name != kSubmitStrategy || result.strategy) continue;
    result.strategy =
        is_refused
            ? base::Result<model::Strategy>(base::invalid_argument(secret_in_arguments(call->name)))
            : model::Strategy::parse(call->arguments);
  }
}

// Failure messages are stored and shown, so they are redacted too.
void ModelTurn::withhold(provider::CallEnd& end) const {
  if (parts_.secrets == nullptr) return;
  if (auto* failure = std::get_if<provider::Failure>(&end.result)) {
    failure->message = parts_.secrets->withhold(failure->message);
  } else {
    auto& answer = std::get<provider::ModelAnswer>(end.result);
    answer.refusal = parts_.secrets->withhold(answer.refusal);
  }
}

// A missing tool is refused whatever the rules are.
plan::CallVerdict ModelTurn::verdict_on(const model::ToolCall& call) const {
  if (call.name == kSubmitStrategy) return {};
  const auto tool = tools_.snapshot->tools().find(call.name);
  if (tool == tools_.snapshot->tools().end()) return {};
  return verdict_of(job_->plan(), call, &tool->second->tool->spec());
}

plan::CallClass ModelTurn::class_of(const model::ToolCall& call) const {
  const auto tool = tools_.snapshot->tools().find(call.name);
  // A missing tool is refused and changes nothing.
  if (tool == tools_.snapshot->tools().end()) return plan::CallClass::kRead;
  const tool::Capabilities& can = tool->second->tool->spec().capabilities;
  if (can.read_only) return plan::CallClass::kRead;
  const bool is_outside = can.side_effects || !can.checkpointable;
  return is_outside && !can.idempotent ? plan::CallClass::kOutside : plan::CallClass::kWrite;
}

model::Cost ModelTurn::reserved() const {
  const auto effect = job_->plan().effects.find(job_->order().id);
  return effect == job_->plan().effects.end() ? model::Cost{} : effect->second.reserved;
}

}  // namespace clever::engine::internal
