#include "plan/internal/answers.h"

#include <algorithm>

#include "plan/internal/approval.h"
#include "plan/internal/failure.h"
#include "plan/internal/question.h"
#include "plan/internal/strategize.h"
#include "plan/internal/talk.h"
#include "plan/internal/words.h"

namespace clever::plan {
namespace {

bool is_blank_text(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

// Adds one result for every call of an answer.
void say_results(Draft& draft, const ToolsData& tools, const std::string& of_strategy, bool failed,
                 const std::string& of_others, model::MessageWhy why) {
  model::Message results = failed_results(tools, of_others);
  for (std::size_t i = 0; i < tools.calls.size(); ++i) {
    if (tools.calls[i].name != kSubmitStrategy) continue;
    auto& result = std::get<model::ToolResult>(results.parts[i]);
    result.content = {model::Text{of_strategy}};
    result.failed = failed;
  }
  draft.say(results, why);
}

void submitted(Draft& draft, const Answered& answer, const ToolsData& tools) {
  base::Result<void> fits = answer.strategy->ok() ? (*answer.strategy)->check()
                                                  : base::Result<void>(answer.strategy->error());
  if (fits.ok()) {
    say_results(draft, tools, "accepted", false, "not run: the strategy was accepted",
                model::MessageWhy::kResults);
    return accept(draft, **answer.strategy);
  }
  const std::string why = fits.error().sentence();
  say_results(draft, tools, why, true, "not run: submit_strategy has to be called anew",
              model::MessageWhy::kResults);
  remind(draft, "Call submit_strategy again with this put right: " + why);
}

bool reads_only(const ToolsData& tools) {
  return std::ranges::all_of(
      tools.calls, [](const ToolsData::Call& call) { return call.call_class == CallClass::kRead; });
}

}  // namespace

bool is_usable(Draft& draft, const Answered& answer) {
  const model::WorkLimits& limits = draft.state().settings.limits;
  const auto bytes = static_cast<std::int64_t>(model::to_json({answer.message}).size());
  if (bytes > limits.answer_bytes) {
    misbehave(draft, "the model answered " + std::to_string(bytes) + " bytes; at most " +
                         std::to_string(limits.answer_bytes) + " are taken");
    return false;
  }
  if (!answer.refusal.empty()) {
    fail(draft, {.category = model::ErrorCategory::kRefusal,
                 .message = "the model declined: " + words::beginning(answer.refusal, 1000),
                 .then = std::string(kWholeStep)});
    return false;
  }
  const auto calls = static_cast<std::int64_t>(calls_of(answer).calls.size());
  if (calls > limits.calls_per_turn) {
    remind(draft, "Your answer had " + std::to_string(calls) + " tool calls; at most " +
                      std::to_string(limits.calls_per_turn) +
                      " are possible in one. None was run.");
    return false;
  }
  if (calls == 0 && is_blank_text(words::text_of(answer.message))) {
    remind(draft, "Your answer was empty. Call a tool, or say in words that the work is done.");
    return false;
  }
  return true;
}

void strategize_with(Draft& draft, const Answered& answer) {
  const ToolsData tools = calls_of(answer);
  const base::Sha256Digest body = draft.say(answer.message, model::MessageWhy::kAnswer);
  if (answer.strategy && !tools.calls.empty()) return submitted(draft, answer, tools);
  if (asks_by_tool(draft, answer, tools)) return;
  if (!tools.calls.empty() && reads_only(tools)) return run_tools(draft, answer, body);
  if (!tools.calls.empty()) {
    draft.say(failed_results(tools, "not run: nothing can be changed before the strategy is there"),
              model::MessageWhy::kResults);
    return remind(draft, "Only tools that read can be called now; then call submit_strategy.");
  }
  const std::string prose = words::text_of(answer.message);
  if (draft.state().reminders > 0) return accept(draft, whole_task(draft.state(), prose));
  remind(draft, "Call submit_strategy with the steps; words alone are not carried out.");
}

void run_tools(Draft& draft, const Answered& answer, const base::Sha256Digest& body) {
  ToolsData tools = calls_of(answer);
  tools.answer = body.to_hex();
  refuse_calls(draft.state(), answer, tools);
  auto items = asked_about(answer, tools);
  if (!items.empty()) return hold_tools(draft, tools, std::move(items));
  draft.request(EffectKind::kTools, tools_data(tools));
}

}  // namespace clever::plan
