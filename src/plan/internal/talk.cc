#include "plan/internal/talk.h"

#include <algorithm>

#include "model/budget_events.h"
#include "plan/internal/failure.h"
#include "plan/internal/money.h"
#include "plan/internal/words.h"
#include "plan/who_works.h"

namespace clever::plan {
namespace {

constexpr std::int64_t kMostReminders = 3;

}  // namespace

void take_prompts(Draft& draft) {
  const std::vector<TranscriptEntry> pending = draft.state().pending_prompts;
  for (const TranscriptEntry& prompt : pending) {
    draft.add(model::MessageAdded{model::Role::kUser, prompt.body, prompt.bytes,
                                  model::MessageWhy::kPrompt});
  }
}

namespace {

// The most bytes a conversation may have: less once a provider found it too long.
std::int64_t room_for_talk(const State& state) {
  const std::int64_t limit = state.settings.limits.transcript_bytes;
  return overflows(state) == 0 ? limit : std::min(limit, window_now(state) * 3 / 2);
}

// Drops the oldest messages until the rest fits. A result always keeps its call, and the last
// exchange stays.
void cut_to(Draft& draft, std::int64_t bytes) {
  const State& state = draft.state();
  if (state.transcript.size() < 4) return;
  std::int64_t left = state.transcript_bytes;
  std::size_t cut = 0;
  for (std::size_t i = 0; i + 2 < state.transcript.size() && left > bytes; ++i) {
    left -= state.transcript[i].bytes;
    if (state.transcript[i + 1].why != model::MessageWhy::kResults) cut = i + 1;
  }
  if (cut == 0) return;
  draft.add(model::TranscriptCut{static_cast<std::int64_t>(cut)});
  draft.say(words::summary(state), model::MessageWhy::kSummary);
}

}  // namespace

void ask(Draft& draft) {
  take_prompts(draft);
  const State& state = draft.state();
  if (state.turns_in_step >= state.settings.limits.turns_per_step) {
    return misbehave(draft, "the model took " + std::to_string(state.turns_in_step) +
                                " turns without ending the step");
  }
  compact(draft);
  const CallBounds whole = whole_call(state);
  const auto bounds = draft.left() ? fitting_call(state, draft.left()->cost) : std::optional(whole);
  if (!draft.may_spend() || !bounds) return draft.wait_for_money();
  const auto id = draft.make_id<model::EffectId>();
  draft.add(model::BudgetReserved{budget_scopes(state, draft.now()), bounds->cost, id});
  draft.request(id, EffectKind::kModel, turn_data(state.turns_in_step + 1, *bounds, whole));
}

void compact(Draft& draft) {
  const std::int64_t limit = room_for_talk(draft.state());
  if (draft.state().transcript_bytes > limit) cut_to(draft, limit / 2);
}

void compact_overflow(Draft& draft) {
  const State& state = draft.state();
  cut_to(draft, std::min(state.transcript_bytes, room_for_talk(state)) / 2);
}

void remind(Draft& draft, const std::string& text) {
  if (draft.state().reminders >= kMostReminders) {
    return misbehave(draft, "the model ignored a reminder: " + text);
  }
  draft.say(text, model::MessageWhy::kReminder);
  ask(draft);
}

bool is_exhausted(const State& state) {
  // The person's answer follows the question.
  const bool asked = state.waiting == Waiting::kAnswer;
  if (state.transcript.empty() || state.unknown || asked) return false;
  const model::WorkLimits& limits = state.settings.limits;
  const bool repeats = std::ranges::any_of(
      state.recent_calls, [&](const auto& call) { return call.second >= limits.same_calls; });
  const bool misbehaved =
      state.last_error && state.last_error->category == model::ErrorCategory::kModelMisbehaviour;
  return repeats || misbehaved || state.turns_in_step >= limits.turns_per_step ||
         state.reminders >= kMostReminders ||
         state.transcript.back().why == model::MessageWhy::kAnswer;
}

void misbehave(Draft& draft, const std::string& message) {
  fail(draft, {.category = model::ErrorCategory::kModelMisbehaviour,
               .message = message,
               .then = std::string(kWholeStep)});
}

model::Message failed_results(const ToolsData& tools, const std::string& why) {
  model::Message results;
  for (const ToolsData::Call& call : tools.calls) {
    results.parts.emplace_back(
        model::ToolResult{.call = call.id, .content = {model::Text{why}}, .failed = true});
  }
  return results;
}

model::Message complete_results(const ToolsData& tools, const model::Message& results) {
  model::Message complete = failed_results(tools, "this call returned no result");
  std::vector<bool> used(results.parts.size());
  for (model::Part& wanted : complete.parts) {
    auto& slot = std::get<model::ToolResult>(wanted);
    for (std::size_t i = 0; i < results.parts.size(); ++i) {
      const auto* result = std::get_if<model::ToolResult>(&results.parts[i]);
      if (result == nullptr || used[i] || result->call != slot.call) continue;
      slot = *result;
      used[i] = true;
      break;
    }
  }
  return complete;
}

ToolsData calls_of(const Answered& answer) {
  ToolsData tools;
  for (const model::Part& part : answer.message.parts) {
    const auto* call = std::get_if<model::ToolCall>(&part);
    if (call == nullptr) continue;
    const std::size_t index = tools.calls.size();
    const CallClass call_class =
        index < answer.calls.size() ? answer.calls[index] : CallClass::kOutside;
    tools.calls.push_back({.id = call->id, .name = call->name, .call_class = call_class});
  }
  return tools;
}

}  // namespace clever::plan
