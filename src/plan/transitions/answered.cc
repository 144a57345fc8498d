#include <algorithm>

#include "plan/internal/answers.h"
#include "plan/internal/draft.h"
#include "plan/internal/execute.h"
#include "plan/internal/go_on.h"
#include "plan/internal/question.h"
#include "plan/internal/refuse.h"
#include "plan/internal/talk.h"
#include "plan/internal/transitions.h"
#include "plan/internal/words.h"

namespace clever::plan::transitions {
namespace {

// Stored once; decisions name it.
std::optional<base::Sha256Digest> new_context(Draft& draft, const std::string& context) {
  if (context.empty() || draft.state().context == base::sha256(context)) return std::nullopt;
  return draft.keep(context);
}

void record_answer(Draft& draft, const Answered& answer) {
  draft.settle(answer.effect, "done", answer.spent);
  const std::optional<base::Sha256Digest> context = new_context(draft, answer.context);
  draft.add(model::ModelAnswered{.effect = answer.effect,
                                 .model = answer.model,
                                 .input_tokens = std::max<std::int64_t>(answer.input_tokens, 0),
                                 .output_tokens = std::max<std::int64_t>(answer.output_tokens, 0),
                                 .cost = std::max<std::int64_t>(answer.spent.money, 0),
                                 .context = context,
                                 .withheld = std::max<std::int64_t>(answer.withheld, 0)});
}

void work_on(Draft& draft, const Answered& answer) {
  const ToolsData tools = calls_of(answer);
  const base::Sha256Digest body = draft.say(answer.message, model::MessageWhy::kAnswer);
  if (asks_by_tool(draft, answer, tools)) return;
  if (!tools.calls.empty()) return run_tools(draft, answer, body);
  if (answer.cut) return remind(draft, "Your answer was cut off; go on, in smaller pieces.");
  const std::string text = words::text_of(answer.message);
  if (!asks_in_words(draft, text)) finish_step(draft, text);
}

}  // namespace

base::Result<Decided> transition(const State& state, const Answered& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(open_effect(state, command.effect, {EffectKind::kModel}));
  Draft draft(state, circumstances);
  record_answer(draft, command);
  if (finish_cancel(draft)) return draft.finish();
  if (!is_usable(draft, command)) return draft.finish();
  if (state.phase == model::Phase::kStrategize) {
    strategize_with(draft, command);
  } else {
    work_on(draft, command);
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions
