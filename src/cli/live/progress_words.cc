// The lines of text that a progress model produces.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "cli/live/progress_model.h"
#include "cli/words.h"
#include "model/control_events.h"
#include "model/decision_events.h"
#include "model/work_events.h"
#include "service/plan/plan_log.h"
#include "service/plan/validation_view.h"
#include "service/text.h"

namespace clever::cli {
namespace {

using WordsKind = ProgressWords::Kind;

constexpr std::size_t kMostStepLines = 20;

std::string counted_steps(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " step" : " steps");
}

std::string step_line(const plan::Step& step) {
  const bool alone = step.definition.mode == model::StepMode::kSubplan;
  return "  " + step.definition.id + ": " + step.definition.title + (alone ? " (subplan)" : "");
}

std::string error_line(const model::ErrorRecorded& error) {
  std::string text = "error (" + std::string(to_string(error.category)) + "): " + error.message;
  if (error.recovery == model::Recovery::kRetry) {
    text += "; try " + std::to_string(error.retry) + " follows";
  }
  return text;
}

Tone tone_of_plan_state(model::PlanState state) {
  using enum model::PlanState;
  if (state == kErrored) return Tone::kBad;
  if (state == kWaiting || state == kConstrained || state == kCancelled) return Tone::kWarn;
  return state == kComplete || state == kApplied ? Tone::kGood : Tone::kPlain;
}

}  // namespace

void ProgressModel::add(ProgressWords words) {
  if (words_.size() == kMostWords) {
    words_.pop_front();
    ++dropped_;
  }
  words_.push_back(std::move(words));
}

void ProgressModel::say(const Entry& entry, WordsKind kind, std::string text, Tone tone) {
  if (!entry.label.empty()) text = "[" + entry.label + "] " + text;
  add({kind, std::move(text), tone});
}

std::vector<ProgressWords> ProgressModel::take_words() {
  std::vector<ProgressWords> taken;
  if (const std::size_t dropped = std::exchange(dropped_, 0); dropped > 0) {
    taken.push_back(
        {WordsKind::kLine, "… " + std::to_string(dropped) + " lines left out", Tone::kDim});
  }
  taken.insert(taken.end(), std::make_move_iterator(words_.begin()),
               std::make_move_iterator(words_.end()));
  words_.clear();
  return taken;
}

// Reports a plan's phase. If there is a block, it shows that for subplans.
void ProgressModel::tell_moves(const plan::State& state, Entry& entry) {
  if (entry.phase == state.phase && entry.state == state.state) return;
  const bool same_phase = std::exchange(entry.phase, state.phase) == state.phase;
  const model::PlanState before = std::exchange(entry.state, state.state);
  using enum model::PlanState;
  if (state.state == kQueued) return;
  // The return from a wait in the same phase is news; going from queued to processing is part of
  // the phase.
  std::string text(to_string(state.phase));
  if (state.state != kProcessing) text += " " + std::string(to_string(state.state));
  if (state.state == kProcessing && same_phase && before != kQueued) text += " goes on";
  const bool tells_why = state.state == kWaiting || state.state == kErrored ||
                         state.state == kConstrained || state.state == kCancelled;
  if (tells_why && !state.reason.empty()) text += ": " + state.reason;
  const bool urgent = state.state == kWaiting || state.state == kErrored;
  const bool root = !state.parent;
  say(entry, urgent && root ? WordsKind::kLine : WordsKind::kDetail, std::move(text),
      tone_of_plan_state(state.state));
}

// Creates an entry for a child before its first event, with its label and place.
void ProgressModel::place_child(const plan::State& parent, const model::StepMoved& moved) {
  Entry& child = entries_[moved.child];
  if (child.known) return;
  child.label = moved.step;
  const auto step = std::ranges::find_if(
      parent.steps, [&](const plan::Step& each) { return each.definition.id == moved.step; });
  child.position = static_cast<std::size_t>(step - parent.steps.begin());
}

void ProgressModel::tell_validation(const Entry& entry, const model::ValidationResult& result) {
  const Tone bad = result.required ? Tone::kBad : Tone::kWarn;
  say(entry, WordsKind::kLine, "validation " + result.name + " " + service::result_text(result),
      result.passed ? Tone::kGood : bad);
}

// Reports failed calls of every plan, and other calls only of the plan whose text is streamed.
void ProgressModel::tell_tools(const plan::State& state, Entry& entry,
                               const model::StoredEvent& event) {
  const auto recorded = model::ToolsRecorded::parse(event.data);
  if (!recorded.ok()) return;
  end_text(entry);
  entry.tools.clear();
  for (const model::ToolNote& call : recorded->calls) {
    if (call.failed) {
      say(entry, WordsKind::kLine, service::tool_call_text(call), Tone::kBad);
    } else if (streams(state.id)) {
      say(entry, entry.shown_tools ? WordsKind::kTool : WordsKind::kLine,
          service::tool_call_text(call), Tone::kDim);
    }
  }
}

void ProgressModel::tell_event(const plan::State& state, Entry& entry,
                               const model::StoredEvent& event) {
  if (event.kind == model::StrategyAccepted::kKind && !state.strategy_summary.empty()) {
    // The single implicit step of direct work adds nothing to the title.
    if (state.settings.direct && state.steps.size() == 1) return;
    const bool root = !state.parent;
    const WordsKind kind = root ? WordsKind::kLine : WordsKind::kDetail;
    say(entry, kind, state.strategy_summary + " (" + counted_steps(state.steps.size()) + ")",
        Tone::kAccent);
    for (std::size_t i = 0; root && i < state.steps.size() && i < kMostStepLines; ++i) {
      say(entry, WordsKind::kDetail, step_line(state.steps[i]));
    }
    if (root && state.steps.size() > kMostStepLines) {
      say(entry, WordsKind::kDetail,
          "  … and " + counted_steps(state.steps.size() - kMostStepLines));
    }
  } else if (event.kind == model::StepMoved::kKind) {
    const auto moved = model::StepMoved::parse(event.data);
    if (!moved.ok()) return;
    if (moved->child) place_child(state, *moved);
  } else if (event.kind == model::ToolsRecorded::kKind) {
    tell_tools(state, entry, event);
  } else if (event.kind == model::DecisionRecorded::kKind) {
    const std::string news = service::agent_news(event);
    if (!news.empty()) say(entry, WordsKind::kLine, news, Tone::kWarn);
  } else if (event.kind == model::ErrorRecorded::kKind) {
    if (state.last_error) say(entry, WordsKind::kLine, error_line(*state.last_error), Tone::kWarn);
  } else if (event.kind == model::ChildrenMerged::kKind) {
    const auto merged = model::ChildrenMerged::parse(event.data);
    if (!merged.ok()) return;
    say(entry, WordsKind::kDetail, "merged " + base::joined(merged->steps));
    for (const model::OpenConflict& conflict : merged->conflicts) {
      say(entry, WordsKind::kLine, "conflict in " + conflict.path + " (" + conflict.kind + ")",
          Tone::kWarn);
    }
  } else if (event.kind == model::ValidationsRan::kKind && state.validation) {
    if (std::exchange(entry.shown_validations, false)) return;
    for (const auto& result : state.validation->results) tell_validation(entry, result);
  } else if (event.kind == model::BaseTaken::kKind && state.base) {
    for (const std::string& remark : state.base->remarks) {
      if (!state.parent) say(entry, WordsKind::kLine, remark, Tone::kWarn);
    }
  }
}

}  // namespace clever::cli
