#include "cli/live/progress_model.h"

#include <algorithm>
#include <utility>

#include "model/work_events.h"

namespace clever::cli {
namespace {

using plan::EffectKind;

// Describes an open effect for a person; empty if other lines show it.
std::string_view effect_words(EffectKind kind) {
  switch (kind) {
    case EffectKind::kBase:
      return "looking at the project";
    case EffectKind::kModel:
      return "thinking";
    case EffectKind::kActorStrategize:
      return "planning";
    case EffectKind::kTools:
    case EffectKind::kActorWork:
      return "working";
    case EffectKind::kMerge:
      return "merging";
    case EffectKind::kSeal:
      return "sealing the changes";
    case EffectKind::kValidate:
      return "validating";
    case EffectKind::kChoose:
      return "taking the chosen hunks";
    case EffectKind::kApply:
      return "applying";
    case EffectKind::kUndo:
      return "undoing";
    case EffectKind::kTimer:
      return "waiting before the next attempt";
    case EffectKind::kSubplan:
      break;
  }
  return {};
}

// Counts subplans by status: "3 of 8 done, 4 running".
std::string subplan_progress_text(const plan::State& state) {
  std::size_t all = 0;
  std::size_t done = 0;
  std::size_t running = 0;
  std::size_t failed = 0;
  for (const plan::Step& step : state.steps) {
    if (step.definition.mode != model::StepMode::kSubplan) continue;
    ++all;
    done += step.state == model::StepState::kDone ? 1 : 0;
    running += step.state == model::StepState::kRunning ? 1 : 0;
    failed += step.state == model::StepState::kFailed ? 1 : 0;
  }
  std::string text = std::to_string(done) + " of " + std::to_string(all) + " done";
  if (running > 0) text += ", " + std::to_string(running) + " running";
  if (failed > 0) text += ", " + std::to_string(failed) + " failed";
  return text;
}

std::string doing_words(const plan::State& state) {
  std::string own;
  bool has_subplans = false;
  for (const auto& [id, effect] : state.effects) {
    has_subplans = has_subplans || effect.kind == EffectKind::kSubplan;
    if (const auto words = effect_words(effect.kind); !words.empty()) own = words;
  }
  if (!has_subplans) return own;
  return own.empty() ? subplan_progress_text(state) : subplan_progress_text(state) + "; " + own;
}

}  // namespace

ProgressModel::Entry& ProgressModel::entry(const model::PlanId& plan) { return entries_[plan]; }

// Adds a plan that is seen for the first time, with its place in the tree and its label. When a
// plan resumes, a subplan may appear before its parent.
ProgressModel::Entry& ProgressModel::begin(const plan::State& state, base::TimePoint now) {
  Entry& entry = this->entry(state.id);
  entry.title = state.title;
  if (entry.known) return entry;
  entry.known = true;
  entry.began = now;
  entry.parent = state.parent;
  if (state.parent) {
    adopt(state, entry, now);
  } else {
    add_root(state.id, entry);
    if (!heading_) return entry;
    say(entry, ProgressWords::Kind::kLine, "plan " + state.id.to_string() + ": " + state.title,
        Tone::kStrong);
  }
  return entry;
}

void ProgressModel::add_root(const model::PlanId& plan, Entry& entry) {
  roots_.push_back(plan);
  if (tasks_ > 1) entry.label = std::to_string(roots_.size());
}

void ProgressModel::adopt(const plan::State& state, Entry& entry, base::TimePoint now) {
  Entry& parent = this->entry(state.parent);
  if (!std::exchange(parent.known, true)) {
    parent.began = now;
    add_root(state.parent, parent);
  }
  const auto after = std::ranges::upper_bound(
      parent.children, entry.position, {},
      [this](const model::PlanId& id) { return entries_.at(id).position; });
  parent.children.insert(after, state.id);
  if (entry.label.empty()) entry.label = state.title;
  if (!parent.label.empty()) entry.label = parent.label + "/" + entry.label;
}

void ProgressModel::on_events(const plan::State& state,
                              const std::vector<model::StoredEvent>& events, base::TimePoint now) {
  Entry& entry = begin(state, now);
  entry.wait.clear();
  entry.reason = state.reason;
  entry.tokens = state.usage.input_tokens + state.usage.output_tokens;
  entry.cost = state.usage.cost;
  entry.doing = doing_words(state);
  if (state.effects.empty()) entry.tools.clear();
  for (const model::StoredEvent& event : events) {
    if (event.kind == model::ModelAnswered::kKind) end_text(entry);
    tell_event(state, entry, event);
  }
  tell_moves(state, entry);
  const bool rests = state.is_at_rest();
  if (rests && !entry.ended) entry.ended = now;
  if (rests) entry.shown_tools = false;
  if (!rests) entry.ended.reset();
}

bool ProgressModel::streams(const model::PlanId& plan) const {
  return tasks_ == 1 && !roots_.empty() && roots_.front() == plan;
}

void ProgressModel::on_text(const model::PlanId& plan, std::string_view text, bool reasoning) {
  Entry& entry = this->entry(plan);
  entry.wait.clear();
  entry.doing = reasoning ? "thinking" : "answering";
  if (reasoning || text.empty() || !streams(plan)) return;
  entry.unended = !text.ends_with('\n');
  add({ProgressWords::Kind::kText, std::string(text), Tone::kPlain});
}

void ProgressModel::end_text(Entry& entry) {
  if (!std::exchange(entry.unended, false)) return;
  add({ProgressWords::Kind::kText, "\n", Tone::kPlain});
}

void ProgressModel::on_restart(const model::PlanId& plan) {
  Entry& entry = this->entry(plan);
  entry.doing = "thinking";
  if (!entry.unended) return;
  end_text(entry);
  say(entry, ProgressWords::Kind::kLine, "the answer starts over", Tone::kDim);
}

void ProgressModel::on_wait(const model::PlanId& plan, std::string_view why) {
  Entry& entry = this->entry(plan);
  if (entry.wait == why) return;
  entry.wait = why;
  if (!why.empty()) say(entry, ProgressWords::Kind::kDetail, std::string(why), Tone::kWarn);
}

void ProgressModel::on_validation(const model::PlanId& plan,
                                  const model::ValidationResult& result) {
  Entry& entry = this->entry(plan);
  entry.shown_validations = true;
  tell_validation(entry, result);
}

void ProgressModel::on_tool(const model::PlanId& plan, std::string_view call, bool begins) {
  Entry& entry = this->entry(plan);
  entry.wait.clear();
  if (begins) {
    entry.shown_tools = true;
    entry.tools.emplace_back(call);
    say(entry, ProgressWords::Kind::kDetail, std::string(call));
    return;
  }
  const auto ended = std::ranges::find(entry.tools, call);
  if (ended != entry.tools.end()) entry.tools.erase(ended);
}

}  // namespace clever::cli
