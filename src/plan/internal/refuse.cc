#include "plan/internal/refuse.h"

#include <algorithm>

#include "plan/advice.h"
#include "plan/internal/draft.h"
#include "plan/internal/moves.h"

namespace clever::plan {

base::Error refuse(const State& state, const std::string& why, const std::string& right) {
  return base::conflict("the plan is in " + to_string(Place{state.phase, state.state}) + ": " +
                        why + "; " + right);
}

base::Result<OpenEffect> open_effect(const State& state, const model::EffectId& id,
                                     std::initializer_list<EffectKind> kinds) {
  const auto open = state.effects.find(id);
  if (open == state.effects.end()) {
    return refuse(state, "effect " + id.to_string() + " is not open: it was already settled",
                  "its outcome counts once");
  }
  if (std::ranges::find(kinds, open->second.kind) == kinds.end()) {
    return base::invalid_argument("effect " + id.to_string() + " is a " +
                                  std::string(to_string(open->second.kind)) +
                                  ", which cannot end this way");
  }
  return open->second;
}

std::string command_line(const State& state, const std::string& verb, const std::string& rest) {
  return "`agents plan " + verb + " " + state.id.to_string() + rest + "`";
}

namespace {

// Empty if the verb only looks.
std::string sentence_of(const State& state, Verb verb) {
  switch (verb) {
    case Verb::kWatch:
      return command_line(state, "watch") + " shows its progress";
    case Verb::kApprove:
      return command_line(state, "approve") + " allows what it asks for";
    case Verb::kReject:
      return command_line(state, "reject") + " does not allow it";
    case Verb::kResume:
      return command_line(state, "resume") + " resumes it";
    case Verb::kResolve:
      return "`agents diff --edit " + state.id.to_string() + "` resolves its conflicts by hand";
    case Verb::kPrompt:
      return command_line(state, "prompt", " TEXT") + " asks for more";
    case Verb::kApply:
      return command_line(state, "apply") + " lands it";
    case Verb::kApplyRemerged:
      return command_line(state, "apply", " --remerge") + " merges it with the present files";
    case Verb::kUndo:
      return command_line(state, "undo") + " undoes it";
    case Verb::kCancel:
      return command_line(state, "cancel") + " cancels it";
    case Verb::kSalvage:
      return "`agents run --from-plan " + state.id.to_string() +
             "` starts a new plan with what it changed";
    default:
      return {};
  }
}

}  // namespace

std::string what_works(const State& state) {
  for (const Advice& each : advice(state)) {
    if (each.verb == Verb::kStatus)
      return "`agents plan status " + each.plan.to_string() + "` shows more";
    if (each.plan != state.id) continue;
    if (std::string sentence = sentence_of(state, each.verb); !sentence.empty()) return sentence;
  }
  return "start a new plan with `agents run`";
}

std::string begin_anew(const State& state) {
  if (state.state == model::PlanState::kCancelled) return what_works(state);
  return "start a new plan with `agents run`";
}

model::PlanId root_of(const State& state) {
  if (!state.parent) return state.id;
  const auto& above = state.settings.ancestors;
  return above.empty() ? state.parent : above.front();
}

base::Result<void> check_not_ended(const State& state) {
  if (!has_ended(state)) return {};
  const model::PlanId root = root_of(state);
  return refuse(state, "it is a subplan that has ended",
                "resume the plan it belongs to: `agents plan resume " + root.to_string() +
                    "` or `agents plan prompt " + root.to_string() + " TEXT`");
}

}  // namespace clever::plan
