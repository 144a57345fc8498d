// Random lives in which trees have contents: whatever a person corrects, rolls back, resumes, seals
// or prompts, and whenever the process is killed, the tree holds the work of each finished step
// exactly once, and of the step that is worked on what its conversation tells, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/random.h"
#include "plan/internal/effect_data.h"
#include "support/logic_campaign.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::PlanStory;
using Contents = std::multiset<std::string>;

// How many tool calls a model makes for a step.
constexpr std::ptrdiff_t kParts = 2;

std::string part_of(const std::string& step, std::ptrdiff_t part) {
  return step + "/" + std::to_string(part);
}

class Life {
 public:
  explicit Life(std::uint64_t seed) : random_(seed) {
    model::PlanSettings settings;
    settings.direct = one_in(4);
    settings.uses_model = settings.direct || !one_in(4);
    settings.limits.transcript_bytes = 1'000'000;
    settings.limits.turns_per_step = 1'000;
    settings.subplans.max_parallel = static_cast<std::int64_t>(1 + below(3));
    story_.create(settings);
  }

  void take_step() {
    if (!story_.state.effects.empty() && !one_in(8)) return effect_ends();
    person_acts();
  }

  void expect_each_once() {
    if (!story_.state.base || story_.state.phase == model::Phase::kStrategize) return;
    EXPECT_EQ(contents_[story_.state.tree], expected()) << story_.where() << "\n" << story_.tail();
  }

  [[nodiscard]] int rollbacks() const { return rollbacks_; }

 private:
  bool one_in(std::uint64_t n) { return random_.below(n) == 0; }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }

  // A call that was interrupted has a result that says so.
  [[nodiscard]] bool tells_of_work(const TranscriptEntry& entry) const {
    if (entry.why != model::MessageWhy::kResults) return false;
    const auto messages = model::messages_from_json(story_.bodies.at(entry.body));
    return !std::get<model::ToolResult>(messages->front().parts.front()).failed;
  }
  [[nodiscard]] std::ptrdiff_t parts_said() const {
    return std::ranges::count_if(story_.state.transcript,
                                 [&](const auto& entry) { return tells_of_work(entry); });
  }

  Contents work_of(const Step& step) const {
    if (step.definition.mode == model::StepMode::kSubplan) return {part_of(step.definition.id, 0)};
    const bool runs = step.state == model::StepState::kRunning;
    const std::ptrdiff_t all = story_.state.settings.uses_model ? kParts : 1;
    Contents work;
    for (std::ptrdiff_t i = 0; i < (runs ? parts_said() : all); ++i) {
      work.insert(part_of(step.definition.id, i));
    }
    return work;
  }

  Contents expected() {
    Contents all = contents_[story_.state.base->tree];
    for (const Step& step : story_.state.steps) {
      const bool works = story_.state.active &&
                         &story_.state.steps[*story_.state.active] == &step &&
                         story_.state.settings.uses_model;
      if (step.merged || works) all.merge(work_of(step));
    }
    return all;
  }

  std::string keep(const Contents& contents) {
    std::string text = "contents:";
    for (const std::string& one : contents) text += " " + one;
    const std::string tree = test::tree(text);
    contents_[tree] = contents;
    return tree;
  }
  std::string with(const std::string& tree, const std::string& part) {
    Contents contents = contents_[tree];
    contents.insert(part);
    return keep(contents);
  }

  model::Strategy any_strategy() {
    std::vector<model::StrategyStep> steps;
    const std::string name = "s" + std::to_string(++strategies_) + "-";
    const std::size_t count = 1 + below(4);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string id = name + std::to_string(i);
      std::optional<std::vector<std::string>> needs;
      if (one_in(2)) {
        needs.emplace();
        for (std::size_t j = 0; j < i; ++j) {
          if (one_in(2)) needs->push_back(name + std::to_string(j));
        }
      }
      steps.push_back(one_in(2) ? test::inline_step(id, needs) : test::subplan_step(id, needs));
    }
    return test::strategy_of(steps);
  }

  void effect_ends() {
    auto one = story_.state.effects.begin();
    std::advance(one, static_cast<std::ptrdiff_t>(below(story_.state.effects.size())));
    const auto [id, effect] = *one;
    if (effect.stopping) return void(story_.must(EffectStopped{id}));
    story_.must(end_of(id, effect));
  }

  Command end_of(const model::EffectId& id, const OpenEffect& effect) {
    using enum EffectKind;
    switch (effect.kind) {
      case kBase:
        return BaseIsTaken{id, {.tree = keep({})}};
      case kModel:
        return turn();
      case kTools:
        return tools_ran(id, effect);
      case kActorStrategize:
        return ActorStrategized{id, any_strategy().normalised()};
      case kActorWork:
        return ActorWorked{id, "worked", with(story_.state.tree, part_of(active_step(), 0))};
      case kSubplan:
        return child_ends(id);
      case kMerge:
        return merge(id, effect);
      case kSeal:
        return Sealed{.effect = id, .digest = base::sha256(story_.state.tree)};
      case kApply:
        return remerged(id);
      default:
        ADD_FAILURE() << to_string(effect.kind);
        return TakenOver{};
    }
  }

  Command tools_ran(const model::EffectId& id, const OpenEffect& effect) {
    ToolsRan ran{.effect = id,
                 .outcomes = {{.tool = "t", .fingerprint = base::sha256(next_name())}},
                 .tree = with(story_.state.tree, part_of(active_step(), parts_said()))};
    for (const ToolsData::Call& call : read_tools(effect.data).calls) {
      ran.results.parts.emplace_back(model::ToolResult{.call = call.id});
    }
    return ran;
  }

  std::string next_name() { return std::to_string(++names_); }
  const std::string& active_step() {
    return story_.state.steps[*story_.state.active].definition.id;
  }

  Command turn() {
    if (story_.state.phase == model::Phase::kStrategize) {
      Answered submitted = story_.calling({"submit_strategy"}, CallClass::kRead);
      submitted.strategy = any_strategy();
      return submitted;
    }
    return parts_said() < kParts ? story_.calling({"write_file"}) : story_.answer("done");
  }

  Command child_ends(const model::EffectId& id) {
    const Step* step = story_.state.step_of(child_of(id));
    if (step == nullptr) {
      return ChildEnded{.effect = id, .child = child_of(id), .state = model::PlanState::kCancelled};
    }
    return ChildEnded{.effect = id,
                      .child = child_of(id),
                      .state = model::PlanState::kComplete,
                      .base = step->base,
                      .tree = with(step->base, part_of(step->definition.id, 0))};
  }

  Command merge(const model::EffectId& id, const OpenEffect& effect) {
    Merged merged{.effect = id, .steps = read_merge(effect.data)};
    Contents contents = contents_[story_.state.tree];
    for (const std::string& name : merged.steps) {
      const auto step = std::ranges::find_if(
          story_.state.steps, [&](const Step& one) { return one.definition.id == name; });
      std::ranges::set_difference(contents_[step->tree], contents_[step->base],
                                  std::inserter(contents, contents.end()));
    }
    merged.tree = keep(contents);
    return merged;
  }

  // Others changed the project meanwhile.
  Command remerged(const model::EffectId& id) {
    const std::string theirs = "theirs " + next_name();
    return ApplyCame{
        .effect = id,
        .outcome = {.reason = "moved on"},
        .remerged_tree = with(story_.state.tree, theirs),
        .remerged_base = model::BaseTaken{.tree = with(story_.state.base->tree, theirs)}};
  }

  void person_acts() {
    const auto decided = story_.send(any_word());
    if (decided.ok() && story_.state.waits_after_rollback()) ++rollbacks_;
  }

  Command any_word() {
    switch (below(8)) {
      case 0:
        return TakenOver{};
      case 1:
        return Correct{story_.state.decisions[below(story_.state.decisions.size())].id,
                       one_in(3) ? model::CorrectionMode::kAppend : model::CorrectionMode::kRevert,
                       test::user("otherwise")};
      case 2:
      case 3:
        if (story_.state.checkpoints.empty()) return Resume{};
        return Rollback{story_.state.checkpoints[below(story_.state.checkpoints.size())].sequence};
      case 4:
        return one_in(2) ? Command(Prompt{.message = test::user("and this")}) : Command(Resume{});
      case 5:
        return Seal{};
      case 6:
        return story_.apply();
      default:
        return Resume{};
    }
  }

  base::SeededRandom random_;
  PlanStory story_;
  std::map<std::string, Contents> contents_;
  int strategies_ = 0;
  int names_ = 0;
  int rollbacks_ = 0;
};

TEST(WorkOfAStep, IsInTheTreeExactlyOnce) {
  const std::uint64_t seeds = test::logic_campaign(40, 4'000);
  std::uint64_t rollbacks = 0;
  for (std::uint64_t seed = 1; seed <= seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Life life(seed);
    for (int i = 0; i < 150 && !HasFailure(); ++i) {
      life.take_step();
      life.expect_each_once();
    }
    rollbacks += static_cast<std::uint64_t>(life.rollbacks());
  }
  EXPECT_GT(rollbacks, seeds);
}

}  // namespace
}  // namespace clever::plan
