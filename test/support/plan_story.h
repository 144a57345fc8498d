#pragma once
// A plan's life as a test tells it: commands go to decide(), their events into a journal and into
// the state. Nothing is stored and nothing is run; outcomes of effects are made up by the test.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "base/ulid.h"
#include "model/effect_events.h"
#include "model/event.h"
#include "model/plan_events.h"
#include "model/work_events.h"
#include "plan/advice.h"
#include "plan/command.h"
#include "plan/decide.h"
#include "plan/past.h"
#include "plan/state.h"

namespace clever::test {

inline model::PlanId plan_id(std::uint8_t number) {
  return model::PlanId(base::Ulid({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number}));
}

/// 40 hexadecimal digits that follow from a name.
inline std::string tree(const std::string& name) {
  return base::sha256(name).to_hex().substr(0, 40);
}

inline model::Message user(const std::string& text) {
  return {model::Role::kUser, {model::Text{text}}};
}

inline model::ChangeEntry change(const std::string& path) {
  return {.path = path,
          .operation = model::ChangeOperation::kCreate,
          .after = model::FileState{0100644, base::sha256(path), tree(path)}};
}

class PlanStory {
 public:
  explicit PlanStory(std::uint8_t number = 1) { state.id = plan_id(number); }

  /// Decides and, unless it is refused, folds. Invariants must hold after every command.
  base::Result<plan::Decided> send(const plan::Command& command, bool may_spend = true) {
    auto decided = plan::decide(state, command,
                                {.now = now, .may_spend = may_spend, .past = past_of(command)});
    if (!decided.ok()) {
      EXPECT_NE(decided.error().code(), base::ErrorCode::kInternal) << decided.error().to_string();
      EXPECT_FALSE(decided.error().message().empty());
      return decided;
    }
    take(*decided);
    EXPECT_EQ(state, decided->state) << plan::name_of(command) << " is decided otherwise than told";
    EXPECT_EQ(plan::check_invariants(state), std::vector<std::string>())
        << plan::name_of(command) << " led to " << where() << "\n"
        << tail();
    now += std::chrono::milliseconds(1);
    return decided;
  }

  /// Folds what was decided.
  void take(const plan::Decided& decided) {
    for (const model::Event& event : decided.events) append(event);
    for (const plan::Body& body : decided.bodies) bodies[body.hash] = body.content;
  }

  /// The same, and it must not be refused.
  plan::Decided must(const plan::Command& command, bool may_spend = true) {
    auto decided = send(command, may_spend);
    EXPECT_TRUE(decided.ok()) << (decided.ok() ? "" : decided.error().to_string()) << where();
    return decided.ok() ? std::move(decided).value() : plan::Decided();
  }

  /// It must be refused; the sentence.
  std::string refused(const plan::Command& command,
                      base::ErrorCode code = base::ErrorCode::kConflict) {
    const auto decided = send(command);
    EXPECT_FALSE(decided.ok()) << where();
    if (decided.ok()) return {};
    EXPECT_EQ(decided.error().code(), code) << decided.error().to_string();
    return decided.error().message();
  }

  /// The last events, for a message.
  [[nodiscard]] std::string tail() const {
    std::string text;
    for (std::size_t i = journal.size() > 25 ? journal.size() - 25 : 0; i < journal.size(); ++i) {
      text += std::to_string(journal[i].sequence) + " " + journal[i].kind + " " +
              journal[i].data.substr(0, 200) + "\n";
    }
    return text;
  }

  /// "execute/processing"
  [[nodiscard]] std::string where() const {
    return std::string(model::to_string(state.phase)) + "/" +
           std::string(model::to_string(state.state));
  }

  [[nodiscard]] std::vector<model::EffectId> all_open(plan::EffectKind kind) const {
    std::vector<model::EffectId> ids;
    for (const auto& [id, effect] : state.effects) {
      if (effect.kind == kind) ids.push_back(id);
    }
    return ids;
  }
  /// The open effect of a kind; there must be one.
  [[nodiscard]] model::EffectId open(plan::EffectKind kind) const {
    const auto ids = all_open(kind);
    EXPECT_EQ(ids.size(), 1U) << plan::to_string(kind) << " in " << where();
    return ids.empty() ? model::EffectId() : ids.front();
  }
  [[nodiscard]] bool is_open(plan::EffectKind kind) const { return !all_open(kind).empty(); }

  // ---- the ways of a life

  plan::Decided create(model::PlanSettings settings = {}, const std::string& task = "tidy up") {
    settings.terms.model = "scripted/a";
    settings.terms.input_per_million = 1'000'000;
    settings.terms.output_per_million = 2'000'000;
    return must(
        plan::Create{.project = "p", .settings = std::move(settings), .prompt = user(task)});
  }
  plan::Decided based() {
    return must(plan::BaseIsTaken{open(plan::EffectKind::kBase), {.tree = tree("base")}});
  }
  /// A plan that skips strategize, at its first question.
  void direct(model::PlanSettings settings = {}) {
    settings.direct = true;
    create(std::move(settings));
    based();
  }
  /// A plan whose model submitted this strategy.
  void with_strategy(const model::Strategy& strategy, model::PlanSettings settings = {}) {
    create(std::move(settings));
    based();
    submit(strategy);
  }

  [[nodiscard]] plan::Answered answer(const std::string& text) const {
    return {.effect = open(plan::EffectKind::kModel),
            .message = {model::Role::kAssistant, {model::Text{text}}},
            .model = "scripted/a",
            .input_tokens = 10,
            .output_tokens = 5,
            .spent = {20, 15}};
  }
  plan::Decided says(const std::string& text) { return must(answer(text)); }

  [[nodiscard]] plan::Answered calling(const std::vector<std::string>& tools,
                                       plan::CallClass call_class = plan::CallClass::kWrite) {
    plan::Answered answered = answer("");
    answered.message.parts.clear();
    for (const std::string& tool : tools) {
      answered.message.parts.emplace_back(
          model::ToolCall{.id = "call-" + std::to_string(++calls_), .name = tool});
      answered.calls.push_back(call_class);
    }
    return answered;
  }
  plan::Decided calls(const std::vector<std::string>& tools,
                      plan::CallClass call_class = plan::CallClass::kWrite) {
    return must(calling(tools, call_class));
  }
  plan::Decided submit(const base::Result<model::Strategy>& strategy) {
    plan::Answered answered = calling({"submit_strategy"}, plan::CallClass::kRead);
    answered.strategy = strategy;
    return must(answered);
  }

  /// The open calls ran and led to this tree; `same` is part of what is noticed as a repetition.
  plan::Decided ran(const std::string& to = "", const std::string& same = "") {
    plan::ToolsRan ran{.effect = open(plan::EffectKind::kTools)};
    ran.outcomes.push_back(
        {.tool = "t", .fingerprint = base::sha256(same.empty() ? std::to_string(++calls_) : same)});
    if (!to.empty()) ran.tree = tree(to);
    for (const model::OpenConflict& conflict : state.conflicts) {
      ran.open_conflicts.push_back(conflict.path);
    }
    return must(ran);
  }

  [[nodiscard]] plan::ChildEnded end_of(const std::string& step,
                                        model::PlanState how = model::PlanState::kComplete) const {
    for (const auto& [id, effect] : state.effects) {
      const plan::Step* found = state.step_of(plan::child_of(id));
      if (found == nullptr || found->definition.id != step) continue;
      return {.effect = id,
              .child = plan::child_of(id),
              .state = how,
              .base = tree("base"),
              .tree = tree(step),
              .summary = "did " + step,
              .error = how == model::PlanState::kComplete ? "" : "it broke"};
    }
    ADD_FAILURE() << "no child runs for " << step;
    return {};
  }
  plan::Decided ends(const std::string& step, model::PlanState how = model::PlanState::kComplete) {
    return must(end_of(step, how));
  }

  plan::Decided merges(const std::vector<std::string>& steps,
                       std::vector<model::OpenConflict> conflicts = {}) {
    std::string all = "merged";
    for (const std::string& step : steps) all += " " + step;
    return must(plan::Merged{.effect = open(plan::EffectKind::kMerge),
                             .tree = tree(all),
                             .steps = steps,
                             .conflicts = std::move(conflicts)});
  }
  plan::Decided seals(const std::string& what = "changes") {
    return must(
        plan::Sealed{.effect = open(plan::EffectKind::kSeal), .digest = base::sha256(what)});
  }
  /// A direct plan that is ready to be applied.
  void ready(model::PlanSettings settings = {}) {
    direct(std::move(settings));
    calls({"write_file"});
    ran("a");
    says("done");
    seals();
  }
  [[nodiscard]] plan::Apply apply() const {
    return {{.digest = state.changeset.digest.value_or(base::Sha256Digest())}};
  }
  plan::Decided fails(plan::EffectKind kind, model::ErrorCategory category,
                      const std::string& message = "it went wrong") {
    return must(plan::RecordError{.effect = open(kind), .category = category, .message = message});
  }
  plan::Decided fires() {
    const model::EffectId timer = open(plan::EffectKind::kTimer);
    now = plan::due_of(state.effects.at(timer).data);
    return must(plan::TimerFired{timer});
  }

  /// The words of the last message of the conversation.
  [[nodiscard]] std::string last_words() const {
    return state.transcript.empty() ? "" : bodies.at(state.transcript.back().body);
  }

  plan::State state{};
  std::vector<model::StoredEvent> journal{};
  std::map<base::Sha256Digest, std::string> bodies{};
  model::Timestamp now = model::to_timestamp(1'800'000'000'000'000);

 private:
  [[nodiscard]] std::shared_ptr<const plan::State> past_of(const plan::Command& command) const {
    const auto* rollback = std::get_if<plan::Rollback>(&command);
    if (rollback == nullptr) return nullptr;
    auto past = plan::state_at(journal, rollback->to_sequence);
    return past.ok() ? std::make_shared<const plan::State>(std::move(past).value()) : nullptr;
  }
  void append(const model::Event& event) {
    journal.push_back({.plan = state.id,
                       .sequence = state.sequence + 1,
                       .time = now,
                       .kind = event.kind,
                       .version = event.version,
                       .data = event.data});
    const auto evolved = plan::evolve(state, journal.back());
    EXPECT_TRUE(evolved.ok()) << (evolved.ok() ? "" : evolved.error().to_string());
  }

  int calls_ = 0;
};

/// The kinds of what was decided, with where a plan or a step went:
/// "effect.settled base.taken plan.moved:strategize/processing".
inline std::string kinds(const plan::Decided& decided) {
  std::string text;
  for (const model::Event& event : decided.events) {
    if (!text.empty()) text += " ";
    text += event.kind;
    if (event.kind == "plan.moved") {
      const auto moved = model::PlanMoved::parse(event.data).value();
      text += ":" + std::string(model::to_string(moved.phase)) + "/" +
              std::string(model::to_string(moved.state));
    } else if (event.kind == "step.moved") {
      const auto moved = model::StepMoved::parse(event.data).value();
      text += ":" + moved.step + "=" + std::string(model::to_string(moved.state));
    } else if (event.kind == "effect.requested") {
      text += ":" + model::EffectRequested::parse(event.data).value().kind;
    }
  }
  return text;
}

inline model::StrategyStep inline_step(std::string id,
                                       std::optional<std::vector<std::string>> needs = {}) {
  return {.id = id, .title = "do " + id, .depends_on = std::move(needs)};
}
inline model::StrategyStep subplan_step(std::string id,
                                        std::optional<std::vector<std::string>> needs = {}) {
  return {.id = id,
          .title = "do " + id,
          .mode = model::StepMode::kSubplan,
          .depends_on = std::move(needs)};
}
inline model::Strategy strategy_of(std::vector<model::StrategyStep> steps) {
  return {.summary = "in steps", .steps = std::move(steps)};
}

/// The ids of the steps in a state.
inline std::vector<std::string> steps_in(const PlanStory& story, model::StepState state) {
  std::vector<std::string> ids;
  for (const plan::Step& step : story.state.steps) {
    if (step.state == state) ids.push_back(step.definition.id);
  }
  return ids;
}
inline std::vector<std::string> running_steps(const PlanStory& story) {
  return steps_in(story, model::StepState::kRunning);
}

/// What advice() names, in its order.
inline std::vector<plan::Verb> advised_verbs(const plan::State& state) {
  std::vector<plan::Verb> verbs;
  for (const plan::Advice& advice : plan::advice(state)) verbs.push_back(advice.verb);
  return verbs;
}

}  // namespace clever::test
