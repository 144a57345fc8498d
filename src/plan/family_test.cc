// A plan and its subplans, each with its own state machine, and between them only what they send
// each other. Whatever the order in which things happen, all come to rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

#include "base/random.h"
#include "support/logic_campaign.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::PlanStory;

class Family {
 public:
  Family(std::uint64_t seed, model::PlanSettings settings) : random_(seed) {
    PlanStory& root = plans_.try_emplace(test::plan_id(1), 1).first->second;
    root.create(std::move(settings));
  }

  PlanStory& root() { return plans_.at(test::plan_id(1)); }
  std::map<model::PlanId, PlanStory>& plans() { return plans_; }

  void send(const model::PlanId& plan, const Command& command) {
    const auto decided = plans_.at(plan).send(command, below(10) != 0);
    if (!decided.ok()) return;
    for (const Outgoing& outgoing : decided->outgoing) {
      if (!sent_.insert(outgoing.plan.to_string() + outgoing.key).second) continue;
      inbox_.push_back(outgoing);
    }
  }

  // A decision of whatever plan.
  void correct_something() {
    auto plan = plans_.begin();
    std::advance(plan, static_cast<std::ptrdiff_t>(below(plans_.size())));
    const auto& decisions = plan->second.state.decisions;
    if (decisions.empty()) return;
    const auto mode =
        below(3) == 0 ? model::CorrectionMode::kAppend : model::CorrectionMode::kRevert;
    send(plan->first, Correct{decisions[below(decisions.size())].id, mode, test::user("not so")});
  }

  // One thing that happens somewhere; false if nothing can.
  bool step() {
    if (!inbox_.empty() && below(2) == 0) {
      deliver();
      return true;
    }
    std::vector<std::pair<model::PlanId, model::EffectId>> open;
    for (const auto& [plan, story] : plans_) {
      for (const auto& [id, effect] : story.state.effects) {
        const bool has_child = effect.kind == EffectKind::kSubplan && plans_.contains(child_of(id));
        if (!has_child) open.emplace_back(plan, id);
      }
    }
    if (open.empty() && inbox_.empty()) return false;
    if (open.empty()) {
      deliver();
      return true;
    }
    const auto& [plan, effect] = open[below(open.size())];
    run(plan, effect);
    return true;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }

  void deliver() {
    const Outgoing outgoing = inbox_.front();
    inbox_.pop_front();
    const auto command = command_from_json(outgoing.body);
    ASSERT_TRUE(command.ok()) << outgoing.body;
    // A child that is cancelled before it was made never begins.
    if (plans_.contains(outgoing.plan)) {
      send(outgoing.plan, *command);
    } else {
      early_.insert(outgoing.plan);
    }
  }

  void make_child(const model::PlanId& parent, const model::EffectId& effect) {
    const State& above = plans_.at(parent).state;
    PlanStory story;
    story.state.id = child_of(effect);
    plans_.emplace(story.state.id, story);
    model::PlanSettings settings = above.settings;
    settings.direct = above.settings.depth >= 1 || below(2) == 0;
    settings.depth = above.settings.depth + 1;
    settings.ancestors.push_back(parent);
    settings.spawned_by = effect;
    settings.base_tree = above.tree;
    send(child_of(effect),
         Create{.parent = parent, .settings = settings, .prompt = test::user("part")});
    if (early_.contains(child_of(effect))) send(child_of(effect), Cancel{"its parent said so"});
  }

  Command answer(PlanStory& story, const model::EffectId& id) {
    Answered answered{.effect = id, .message = {model::Role::kAssistant, {model::Text{"words"}}}};
    if (story.state.phase == model::Phase::kStrategize) {
      answered.message.parts.emplace_back(model::ToolCall{.id = "s", .name = "submit_strategy"});
      answered.calls.push_back(CallClass::kRead);
      answered.strategy = test::strategy_of({test::subplan_step("a"), test::subplan_step("b"),
                                             test::inline_step("c"), test::subplan_step("d")});
    } else if (below(3) == 0) {
      answered.message.parts.emplace_back(model::ToolCall{.id = "t", .name = "write_file"});
      answered.calls.push_back(CallClass::kWrite);
      answered.verdicts.push_back({.verdict = static_cast<model::Verdict>(below(3))});
    }
    return answered;
  }

  Command merge(const PlanStory& story, const model::EffectId& id) {
    Merged merged{.effect = id, .tree = test::tree(id.to_string())};
    for (const Step& step : story.state.steps) {
      const std::string quoted = "\"" + step.definition.id + "\"";
      if (story.state.effects.at(id).data.find(quoted) != std::string::npos) {
        merged.steps.push_back(step.definition.id);
      }
    }
    return merged;
  }

  void run(const model::PlanId& plan, const model::EffectId& id) {
    PlanStory& story = plans_.at(plan);
    const EffectKind kind = story.state.effects.at(id).kind;
    if (kind == EffectKind::kSubplan) return make_child(plan, id);
    if (story.state.cancel_requested) return send(plan, EffectStopped{id});
    if (below(12) == 0) return send(plan, TakenOver{});
    if (below(15) == 0 && kind != EffectKind::kTimer) {
      return send(plan, RecordError{.effect = id,
                                    .category = static_cast<model::ErrorCategory>(below(12)),
                                    .message = "went wrong"});
    }
    send(plan, outcome(story, id, kind));
  }

  Command outcome(PlanStory& story, const model::EffectId& id, EffectKind kind) {
    switch (kind) {
      case EffectKind::kBase:
        return BaseIsTaken{id, {.tree = test::tree("base")}};
      case EffectKind::kModel:
        return answer(story, id);
      case EffectKind::kTools:
        return ToolsRan{.effect = id, .tree = test::tree(id.to_string())};
      case EffectKind::kMerge:
        return merge(story, id);
      case EffectKind::kSeal:
        return Sealed{.effect = id, .digest = base::sha256(story.state.tree)};
      case EffectKind::kValidate:
        return Validated{.effect = id,
                         .tree = story.state.tree,
                         .results = {{.name = "v", .passed = below(3) != 0, .outcome = "red"}}};
      case EffectKind::kChoose:
        return Chosen{.effect = id, .tree = test::tree(id.to_string()), .kept = 1};
      case EffectKind::kApply:
        return ApplyCame{.effect = id, .outcome = {.applied = true}};
      default:
        return TimerFired{id};
    }
  }

  base::SeededRandom random_;
  std::map<model::PlanId, PlanStory> plans_;
  std::deque<Outgoing> inbox_;
  std::set<std::string> sent_;
  std::set<model::PlanId> early_;
};

void rest(Family& family) {
  for (int i = 0; family.step(); ++i) ASSERT_LT(i, 20'000);
  for (const auto& [id, story] : family.plans()) {
    EXPECT_TRUE(story.state.is_at_rest()) << id.to_string() << " " << story.where();
  }
}

TEST(Family, ComesToRestTogether) {
  const std::uint64_t seeds = test::logic_campaign(60, 2'000);
  for (std::uint64_t seed = 1; seed <= seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    model::PlanSettings settings;
    settings.subplans.max_parallel = static_cast<std::int64_t>(1 + seed % 3);
    settings.subplans.fail_fast = seed % 4 == 0;
    if (seed % 3 == 0) settings.control.validations = {{.name = "v", .argv = {"v"}}};
    Family family(seed, settings);
    rest(family);
    // Whatever it waits for: a person who says "go on" often enough, and has patience, sees its
    // end.
    for (int i = 0; i < 200 && !family.root().state.is_ready_to_apply(); ++i) {
      family.send(test::plan_id(1), Resume{});
      rest(family);
    }
    EXPECT_TRUE(family.root().state.is_ready_to_apply()) << family.root().where() << "\n"
                                                         << family.root().state.reason;
  }
}

TEST(Family, APartOfWhatAllMadeIsReadyAsTheWholeWas) {
  const std::uint64_t seeds = test::logic_campaign(50, 500);
  for (std::uint64_t seed = 1; seed <= seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Family family(seed, {});
    rest(family);
    for (int i = 0; i < 200 && !family.root().state.is_ready_to_apply(); ++i) {
      family.send(test::plan_id(1), Resume{});
      rest(family);
    }
    const State before = family.root().state;
    ASSERT_TRUE(before.is_ready_to_apply());
    family.send(test::plan_id(1), Choose{.reviewed = *before.changeset.digest, .keep = {"h"}});
    rest(family);
    const State& after = family.root().state;
    EXPECT_TRUE(after.is_at_rest());
    // Whatever went wrong on the way: what is there is sealed as it is, or a person is asked.
    if (after.is_ready_to_apply() && after.tree != before.tree) {
      EXPECT_NE(after.changeset.digest, before.changeset.digest);
    }
    if (after.tree == before.tree) {
      EXPECT_EQ(after.changeset.digest, before.changeset.digest);
    }
  }
}

// Whatever is corrected, whenever: what it reaches stops, and all come to a good end.
TEST(Family, IsCorrectedTogether) {
  const std::uint64_t seeds = test::logic_campaign(60, 2'000);
  for (std::uint64_t seed = 1; seed <= seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    model::PlanSettings settings;
    settings.subplans.max_parallel = static_cast<std::int64_t>(1 + seed % 4);
    Family family(seed, settings);
    for (int correction = 0; correction < 4; ++correction) {
      for (std::uint64_t i = 0; i < seed % 40; ++i) family.step();
      family.correct_something();
    }
    rest(family);
    for (int i = 0; i < 200 && !family.root().state.is_ready_to_apply(); ++i) {
      family.send(test::plan_id(1), Resume{});
      rest(family);
    }
    EXPECT_TRUE(family.root().state.is_ready_to_apply()) << family.root().where() << "\n"
                                                         << family.root().state.reason;
  }
}

TEST(Family, IsCancelledTogether) {
  const std::uint64_t seeds = test::logic_campaign(60, 2'000);
  for (std::uint64_t seed = 1; seed <= seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Family family(seed, {});
    for (std::uint64_t i = 0; i < seed % 60; ++i) family.step();
    family.send(test::plan_id(1), Cancel{"enough"});
    rest(family);
    EXPECT_EQ(family.root().state.state, model::PlanState::kCancelled);
    for (const auto& [id, story] : family.plans()) {
      EXPECT_TRUE(story.state.effects.empty()) << id.to_string();
    }
  }
}

}  // namespace
}  // namespace clever::plan
