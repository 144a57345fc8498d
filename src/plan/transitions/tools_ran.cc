#include <algorithm>

#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/failure.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/talk.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

void record_tools(Draft& draft, const ToolsRan& ran) {
  model::ToolsRecorded recorded{.effect = ran.effect, .calls = ran.outcomes};
  for (const std::string& path : ran.reads) {
    const bool known = std::ranges::binary_search(draft.state().reads, path);
    // Only the merge of a parent uses the reads of a subplan.
    if (!known && draft.state().parent) recorded.reads.push_back(path);
  }
  draft.add(recorded);
}

// How often the most repeated call gave the same result.
std::int64_t most_repeated(const State& state, const ToolsRan& ran) {
  std::int64_t most = 0;
  for (const auto& [fingerprint, count] : state.recent_calls) {
    const bool came_now = std::ranges::any_of(ran.outcomes, [&](const model::ToolNote& outcome) {
      return outcome.fingerprint == fingerprint;
    });
    if (came_now) most = std::max(most, count);
  }
  return most;
}

bool wrote_too_early(const State& state, const ToolsRan& ran) {
  return state.phase == model::Phase::kStrategize && !ran.tree.empty() && ran.tree != state.tree;
}

// Adds the results, with a remark if the model seems to repeat itself.
void say_results(Draft& draft, const ToolsData& tools, const ToolsRan& ran, std::int64_t repeated) {
  model::Message results = complete_results(tools, ran.results);
  const std::int64_t limit = draft.state().settings.limits.same_calls;
  const std::int64_t warning = std::max<std::int64_t>(limit / 3, 2);
  if (repeated >= warning && repeated < limit) {
    results.parts.emplace_back(model::Text{
        "Remark: the same call gave the same result " + std::to_string(repeated) +
        " times. Try another way; after " + std::to_string(limit) + " times this is stopped."});
  }
  draft.say(results, model::MessageWhy::kResults);
}

}  // namespace

base::Result<Decided> transition(const State& state, const ToolsRan& command,
                                 const Circumstances& circumstances) {
  CLEVER_ASSIGN(const OpenEffect effect, open_effect(state, command.effect, {EffectKind::kTools}));
  Draft draft(state, circumstances);
  draft.settle(command.effect, "done");
  if (finish_cancel(draft)) return draft.finish();
  record_tools(draft, command);
  const std::int64_t repeated = most_repeated(draft.state(), command);
  say_results(draft, read_tools(effect.data), command, repeated);
  if (wrote_too_early(state, command)) {
    fail(draft, {.category = model::ErrorCategory::kInvariant,
                 .message = "a tool wrote while the strategy was made",
                 .then = std::string(kWholeStep)});
    return draft.finish();
  }
  move_work(draft, command.tree, "tools");
  resolve_conflicts(draft, command.open_conflicts);
  if (repeated >= state.settings.limits.same_calls) {
    misbehave(draft, "the model made the same call with the same result " +
                         std::to_string(repeated) + " times");
  } else {
    ask(draft);
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions
