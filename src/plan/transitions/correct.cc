#include <algorithm>

#include "model/control_events.h"
#include "model/decision_events.h"
#include "plan/impact.h"
#include "plan/internal/approval.h"
#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/enforce.h"
#include "plan/internal/go_on.h"
#include "plan/internal/stop.h"
#include "plan/internal/strategize.h"
#include "plan/internal/transitions.h"
#include "plan/internal/words.h"

namespace clever::plan::transitions {
namespace {

using model::CorrectionMode;
using model::Phase;
using model::PlanState;
using model::StepState;

constexpr std::size_t kLongestChoice = 1'000;
constexpr std::size_t kLongestCorrectionTitle = 100;

bool is_held(const State& state, const model::DecisionId& id) {
  return std::ranges::find(state.decisions, id, &HeldDecision::id) != state.decisions.end();
}

// The parent of the guidance: the corrected decision, or its nearest ancestor that stays.
model::DecisionId parent_of(const State& state, const Impact& impact,
                            const model::DecisionId& corrected) {
  model::DecisionId id = corrected;
  while (std::ranges::find(impact.superseded, id) != impact.superseded.end()) {
    const auto held = std::ranges::find(state.decisions, id, &HeldDecision::id);
    id = held->parent;
    if (!is_held(state, id)) return state.root_decision;
  }
  return id;
}

/// Records one correction.
class Correcting {
 public:
  Correcting(Draft& draft, const Correct& command, Impact impact)
      : draft_(draft),
        before_(draft.state()),
        command_(command),
        impact_(std::move(impact)),
        text_(words::text_of(command.guidance)) {}

  model::DecisionId revert() {
    withdraw();
    if (!impact_.superseded.empty()) draft_.add(model::DecisionSuperseded{impact_.superseded});
    record_guidance();
    impact_.whole_plan ? begin_anew() : begin_steps_anew();
    return corrected_.id;
  }

  model::DecisionId append() {
    if (!keeps_waiting()) withdraw();
    record_guidance();
    add_step();
    write_down();
    return_to_work();
    return corrected_.id;
  }

 private:
  [[nodiscard]] bool reaches_active() const {
    if (!before_.active || command_.mode == CorrectionMode::kAppend) return false;
    return impact_.whole_plan ||
           std::ranges::find(impact_.steps, *before_.active) != impact_.steps.end();
  }
  // A step that waits for a person and is unaffected keeps waiting.
  [[nodiscard]] bool keeps_waiting() const {
    const bool waits = before_.state == PlanState::kWaiting && before_.phase == Phase::kExecute;
    return waits && (before_.held || before_.unknown) && !impact_.whole_plan && !reaches_active();
  }
  void withdraw() {
    if (before_.approval && !keeps_waiting()) {
      withdraw_approval(draft_, "a decision was corrected");
    }
  }

  void record_guidance() {
    corrected_ = {.id = draft_.make_id<model::DecisionId>(),
                  .decision = command_.decision,
                  .mode = command_.mode,
                  .tree_before = before_.tree,
                  .number = before_.corrections + 1};
    corrected_.guidance = draft_.keep(command_.guidance, corrected_.bytes);
    draft_.add(model::DecisionRecorded{.id = corrected_.id,
                                       .parent = parent_of(before_, impact_, command_.decision),
                                       .kind = model::DecisionKind::kUserIntervention,
                                       .question = "What did a person correct?",
                                       .chosen = words::beginning(text_, kLongestChoice)});
  }

  void write_down() {
    const bool is_timer =
        impact_.effect && before_.effects.at(impact_.effect).kind == EffectKind::kTimer;
    if (!is_timer) corrected_.effect = impact_.effect;
    draft_.add(corrected_);
    // No process works on a timer.
    if (is_timer) draft_.settle(impact_.effect, "cancelled");
    for (const model::PlanId& child : impact_.stopped) {
      draft_.send(child, "cancel/parent", Cancel{"its parent no longer needs it"});
    }
  }

  void begin_anew() {
    write_down();
    if (before_.phase != Phase::kStrategize) {
      draft_.add(model::WorkMoved{.tree = before_.base->tree, .why = "revert"});
    }
    draft_.forget_conversation();
    if (!before_.base) {
      if (before_.effects.empty()) go_on(draft_);
      return;
    }
    draft_.move(Phase::kStrategize, PlanState::kQueued, "corrected");
    draft_.move(PlanState::kProcessing);
    enforce_invariants(draft_);
    go_on_corrected(draft_);
  }

  void begin_steps_anew() {
    for (const std::size_t place : impact_.steps) {
      const model::StrategyStep& step = before_.steps[place].definition;
      const bool first = corrected_.steps.empty();
      const auto parent = first ? corrected_.id : strategy();
      corrected_.decisions.push_back(record_step(draft_, step, parent));
      corrected_.steps.push_back(step.id);
    }
    write_down();
    for (const std::size_t place : impact_.steps) {
      const Step& step = before_.steps[place];
      draft_.add(model::StepMoved{
          .step = step.definition.id, .state = StepState::kPending, .attempt = step.attempt});
    }
    if (!impact_.tree.empty()) {
      draft_.add(model::WorkMoved{
          .tree = impact_.tree, .why = "correct", .to_sequence = impact_.to_sequence});
    }
    if (reaches_active()) draft_.forget_conversation();
    return_to_work();
  }

  [[nodiscard]] model::DecisionId strategy() const {
    const bool held = is_held(draft_.state(), before_.strategy_decision);
    return held ? before_.strategy_decision : before_.root_decision;
  }

  // Depends on the corrected step, or on all steps.
  void add_step() {
    model::StrategyStep step{.id = "append-" + std::to_string(corrected_.number),
                             .title = title(),
                             .detail = text_,
                             .mode = model::StepMode::kSubplan};
    step.depends_on.emplace();
    for (const std::size_t place : impact_.steps) {
      step.depends_on->push_back(before_.steps[place].definition.id);
    }
    corrected_.steps = {step.id};
    corrected_.decisions = {record_step(draft_, step, corrected_.id)};
    draft_.add(model::StepAdded{.step = step, .decision = corrected_.decisions.front()});
  }
  [[nodiscard]] std::string title() const {
    const std::size_t begin = text_.find_first_not_of(" \t\r\n");
    const std::size_t end = text_.find_first_of("\r\n", begin);
    return words::beginning(text_.substr(begin, end - begin), kLongestCorrectionTitle);
  }

  void return_to_work() {
    if (keeps_waiting()) return;
    if (before_.phase == Phase::kApply) draft_.move(Phase::kExecute, PlanState::kQueued);
    open_changeset(draft_);
    if (draft_.state().state == PlanState::kProcessing) return go_on_corrected(draft_);
    go_on(draft_);
  }

  Draft& draft_;
  const State before_;
  const Correct& command_;
  const Impact impact_;
  const std::string text_;
  model::PlanCorrected corrected_;
};

base::Result<void> check_words(const Correct& command) {
  const std::string text = words::text_of(command.guidance);
  if (text.find_first_not_of(" \t\r\n") != std::string::npos) return {};
  return base::invalid_argument("a correction needs words: say what should be different");
}

}  // namespace

base::Result<Decided> transition(const State& state, const Correct& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check_words(command));
  CLEVER_ASSIGN(Impact impact, impact_of(state, command.decision, command.mode));
  Draft draft(state, circumstances);
  Correcting correcting(draft, command, std::move(impact));
  const model::DecisionId id =
      command.mode == CorrectionMode::kAppend ? correcting.append() : correcting.revert();
  return draft.finish("\"correction\":\"" + id.to_string() + "\"");
}

}  // namespace clever::plan::transitions
