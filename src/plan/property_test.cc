// Random commands, sensible and senseless, in any state: every refusal has a reason, the invariants
// hold after every command, the fold of the journal is the state, effects are settled once, money
// that was put aside is settled, conversations are such as providers accept; and whatever happened,
// the plan can be brought to an end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/random.h"
#include "model/budget_events.h"
#include "plan/advice.h"
#include "support/logic_campaign.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::PlanStory;

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}
  bool one_in(std::uint64_t n) { return random_.below(n) == 0; }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }
  template <class T>
  const T& of(const std::vector<T>& values) {
    return values[below(values.size())];
  }

 private:
  base::SeededRandom random_;
};

model::PlanSettings any_settings(Chance& chance) {
  model::PlanSettings settings;
  settings.direct = chance.one_in(3);
  settings.uses_model = !chance.one_in(4);
  settings.profile = chance.of<std::string>(
      {"supervised", "manual", "review", "cautious", "ci", "auto", "trusted"});
  settings.apply_when_ready = chance.one_in(4);
  settings.subplans.max_parallel = static_cast<std::int64_t>(1 + chance.below(4));
  settings.subplans.fail_fast = chance.one_in(3);
  settings.subplans.retry_failed = !chance.one_in(3);
  if (chance.one_in(2)) {
    settings.control.validations = {{.name = "v", .argv = {"v"}},
                                    {.name = "w", .argv = {"w"}, .required = chance.one_in(2)}};
    settings.control.fixes = static_cast<std::int64_t>(chance.below(4));
  }
  settings.limits.turns_per_step = static_cast<std::int64_t>(2 + chance.below(12));
  settings.limits.calls_per_turn = static_cast<std::int64_t>(1 + chance.below(4));
  settings.limits.same_calls = 3;
  if (chance.one_in(4)) settings.control.guards.calls_per_step = 3;
  if (chance.one_in(4))
    settings.control.automation = {.strategy = 1, .decision = 1, .reversion = 1};
  if (chance.one_in(4)) settings.control.invariants = {{.text = "Tests stay."}};
  settings.limits.answer_bytes = 4'000;
  settings.limits.transcript_bytes = static_cast<std::int64_t>(600 + chance.below(2'000));
  return settings;
}

// As of graph actors; one in six cannot be decided.
std::string any_condition(Chance& chance) {
  constexpr std::array<std::string_view, 6> kConditions{
      "true",
      "false",
      "steps.s0.state == \"done\"",
      "plan.attempt == 1",
      "1 / 0 == 1",
      "steps.s1.files > 0 or steps.s0.state == \"skipped\""};
  return std::string(kConditions.at(chance.below(kConditions.size())));
}

model::Strategy any_strategy(Chance& chance) {
  std::vector<model::StrategyStep> steps;
  const std::size_t count = 1 + chance.below(6);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string id = "s" + std::to_string(i);
    std::optional<std::vector<std::string>> needs;
    if (chance.one_in(2)) {
      needs.emplace();
      for (std::size_t j = 0; j < i; ++j) {
        if (chance.one_in(3)) needs->push_back("s" + std::to_string(j));
      }
    }
    steps.push_back(chance.one_in(2) ? test::inline_step(id, needs)
                                     : test::subplan_step(id, needs));
    if (chance.one_in(4)) steps.back().when = any_condition(chance);
  }
  // Now and then one that is refused.
  if (chance.one_in(8)) steps.front().depends_on = {{"nowhere"}};
  model::Strategy strategy = test::strategy_of(steps);
  if (chance.one_in(3)) strategy.confidence = 0.5;
  return strategy;
}

Answered any_answer(PlanStory& story, const model::EffectId& id, Chance& chance) {
  Answered answered{.effect = id, .message = {model::Role::kAssistant, {}}, .spent = {7, 7}};
  if (chance.one_in(3)) {
    answered.message.parts.emplace_back(
        model::Text{chance.one_in(10) ? std::string(5'000, 'x') : "some words"});
  }
  if (chance.one_in(20)) answered.refusal = "no";
  answered.cut = chance.one_in(10);
  const bool thinks = story.state.phase == model::Phase::kStrategize;
  if (thinks && chance.one_in(3)) {
    const std::string id_text = "c" + std::to_string(story.state.sequence);
    answered.message.parts.emplace_back(model::ToolCall{.id = id_text, .name = "submit_strategy"});
    answered.calls.push_back(CallClass::kRead);
    answered.strategy = model::Strategy::parse(any_strategy(chance).to_json());
  }
  const std::size_t calls = chance.one_in(2) ? 0 : chance.below(6);
  for (std::size_t i = 0; i < calls; ++i) {
    const std::string number = std::to_string(story.state.sequence) + "-" + std::to_string(i);
    answered.message.parts.emplace_back(model::ToolCall{.id = number, .name = "tool"});
    answered.calls.push_back(thinks && !chance.one_in(9) ? CallClass::kRead
                                                         : static_cast<CallClass>(chance.below(3)));
  }
  // Now and then one verdict too few.
  const std::size_t judged = chance.one_in(2) ? 0 : answered.calls.size() - chance.below(2);
  for (std::size_t i = 0; i < judged && i < answered.calls.size(); ++i) {
    answered.verdicts.push_back({.verdict = static_cast<model::Verdict>(chance.below(3)),
                                 .shown = "tool",
                                 .why = chance.one_in(2) ? "a rule" : ""});
  }
  return answered;
}

ToolsRan any_run(PlanStory& story, const model::EffectId& id, Chance& chance) {
  ToolsRan ran{.effect = id};
  ran.outcomes.push_back(
      {.tool = "tool",
       .fingerprint = base::sha256(std::to_string(chance.one_in(3) ? 0 : story.state.sequence))});
  const bool thinks = story.state.phase == model::Phase::kStrategize;
  if (chance.one_in(2) && (!thinks || chance.one_in(20))) {
    ran.tree = test::tree(std::to_string(story.state.sequence));
  }
  // Results of a call that was never made.
  ran.results.parts.emplace_back(model::ToolResult{.call = "none"});
  for (const model::OpenConflict& conflict : story.state.conflicts) {
    if (chance.one_in(2)) ran.open_conflicts.push_back(conflict.path);
  }
  return ran;
}

Merged any_merge(PlanStory& story, const model::EffectId& id, Chance& chance) {
  Merged merged{.effect = id, .tree = test::tree(std::to_string(story.state.sequence))};
  for (const Step& step : story.state.steps) {
    const std::string quoted = "\"" + step.definition.id + "\"";
    if (story.state.effects.at(id).data.find(quoted) != std::string::npos) {
      merged.steps.push_back(step.definition.id);
    }
  }
  merged.conflicts = story.state.conflicts;
  if (!merged.steps.empty() && chance.one_in(3)) {
    merged.conflicts.push_back({"f", "content", merged.steps.front(), ""});
  }
  return merged;
}

ChildEnded any_end(PlanStory& story, const model::EffectId& id, Chance& chance) {
  using enum model::PlanState;
  const auto how = chance.one_in(3) ? (chance.one_in(3) ? kCancelled : kErrored) : kComplete;
  return {.effect = id,
          .child = child_of(id),
          .state = how,
          .base = story.state.tree,
          .tree = test::tree(id.to_string())};
}

ApplyCame any_landing(PlanStory& story, const model::EffectId& id, Chance& chance) {
  ApplyCame came{.effect = id, .outcome = {.applied = chance.one_in(2), .reason = "why"}};
  if (!came.outcome.applied && chance.one_in(2)) {
    came.remerged_tree = test::tree(std::to_string(story.state.sequence));
    came.remerged_base = model::BaseTaken{.tree = test::tree("new base")};
  }
  return came;
}

// A part of the work, all of it, or nothing.
Chosen any_choice(PlanStory& story, const model::EffectId& id, Chance& chance) {
  const std::string part = test::tree(std::to_string(story.state.sequence));
  return {.effect = id,
          .tree = chance.of<std::string>({part, part, story.state.tree, story.state.base->tree}),
          .kept = 1,
          .dropped = 1};
}

// All pass, or not; now and then one is not heard of, or another tree was looked at.
Validated any_validation(PlanStory& story, const model::EffectId& id, Chance& chance) {
  Validated validated{.effect = id, .tree = story.state.tree};
  for (const std::string name : {"v", "w"}) {
    if (chance.one_in(12)) continue;
    validated.results.push_back({.name = name, .passed = !chance.one_in(3), .outcome = "why"});
  }
  if (chance.one_in(20)) validated.tree = test::tree("another");
  return validated;
}

// What an effect may come to, if it comes to what it was for.
Command good_end(PlanStory& story, const model::EffectId& id, Chance& chance) {
  using enum EffectKind;
  switch (story.state.effects.at(id).kind) {
    case kBase:
      return BaseIsTaken{id, {.tree = test::tree("base")}};
    case kModel:
      return any_answer(story, id, chance);
    case kTools:
      return any_run(story, id, chance);
    case kActorStrategize:
      return ActorStrategized{id, any_strategy(chance)};
    case kActorWork:
      return ActorWorked{id, "worked", test::tree(std::to_string(story.state.sequence))};
    case kSubplan:
      return any_end(story, id, chance);
    case kMerge:
      return any_merge(story, id, chance);
    case kSeal:
      return Sealed{.effect = id,
                    .digest = chance.one_in(5) ? model::digest_of({})
                                               : base::sha256(std::to_string(story.state.sequence)),
                    .missing = chance.one_in(2) ? std::vector<model::ChangeEntry>()
                                                : std::vector{test::change("m")}};
    case kApply:
      return any_landing(story, id, chance);
    case kUndo:
      return UndoCame{.effect = id, .undone = chance.one_in(2), .reason = "why"};
    case kValidate:
      return any_validation(story, id, chance);
    case kChoose:
      return any_choice(story, id, chance);
    case kTimer:
      story.now = std::max(story.now, due_of(story.state.effects.at(id).data));
      return TimerFired{id};
  }
  return TakenOver{};
}

model::EffectId any_open(const PlanStory& story, Chance& chance) {
  auto one = story.state.effects.begin();
  std::advance(one, static_cast<std::ptrdiff_t>(chance.below(story.state.effects.size())));
  return one->first;
}

Command effect_ends(PlanStory& story, Chance& chance) {
  if (story.state.effects.empty()) return Resume{};
  const model::EffectId id = any_open(story, chance);
  if (story.state.cancel_requested && chance.one_in(2)) return EffectStopped{id, {1, 1}};
  if (!chance.one_in(6)) return good_end(story, id, chance);
  auto category = static_cast<model::ErrorCategory>(chance.below(12));
  if (!story.state.settings.uses_model && category == model::ErrorCategory::kModelMisbehaviour) {
    category = model::ErrorCategory::kToolFailure;
  }
  return RecordError{.effect = id,
                     .category = category,
                     .message = "it went wrong",
                     .lasts = chance.one_in(3),
                     .spent = {3, 3}};
}

// Yes or no to all or some of what is asked, or to something else.
Command any_word(PlanStory& story, Chance& chance) {
  std::vector<std::string> items;
  for (const auto& item : story.state.approval->items) {
    if (chance.one_in(3)) items.push_back(item.id);
  }
  if (chance.one_in(10)) items.emplace_back("nothing");
  const std::int64_t number = chance.one_in(5) ? 1 : 0;
  if (chance.one_in(2)) return Approve{.number = number, .items = std::move(items)};
  return Reject{.number = number, .items = std::move(items), .reason = "no"};
}

Command person_says(PlanStory& story, Chance& chance) {
  if (story.state.approval && !chance.one_in(3)) return any_word(story, chance);
  switch (chance.below(14)) {
    case 0:
      return Cancel{"enough"};
    case 1:
    case 2:
      return Prompt{.message = test::user("and this")};
    case 3:
      return Undo{};
    case 4:
    case 5:
      return Rollback{
          story.state.checkpoints.empty() ? 3 : chance.of(story.state.checkpoints).sequence};
    case 6:
    case 7:
    case 8:
      return story.apply();
    case 9:
      return Apply{{.digest = base::sha256("another")}};
    case 10:
    case 11:
      return Choose{
          .reviewed = chance.one_in(5) ? base::sha256("another") : story.apply().request.digest,
          .keep = chance.one_in(5) ? std::vector<std::string>() : std::vector<std::string>{"h"}};
    default:
      return Resume{};
  }
}

// Of a decision in force, mostly; now and then of one that is superseded or that was never made.
Command any_correction(PlanStory& story, Chance& chance) {
  model::DecisionId decision(test::plan_id(78).ulid());
  if (!chance.one_in(12)) decision = chance.of(story.state.decisions).id;
  if (!story.state.superseded.empty() && chance.one_in(8)) {
    decision = chance.of(story.state.superseded);
  }
  const auto mode =
      chance.one_in(3) ? model::CorrectionMode::kAppend : model::CorrectionMode::kRevert;
  return Correct{decision, mode, test::user("otherwise")};
}

Command nonsense(PlanStory& story, Chance& chance) {
  const auto nobody = model::EffectId(test::plan_id(77).ulid());
  const model::EffectId id =
      story.state.effects.empty() || chance.one_in(2) ? nobody : any_open(story, chance);
  switch (chance.below(15)) {
    case 0:
      return BaseIsTaken{id, {.tree = "x"}};
    case 1:
      return Answered{.effect = id};
    case 2:
      return ToolsRan{.effect = id};
    case 3:
      return ChildEnded{.effect = id, .child = test::plan_id(8)};
    case 4:
      return ChildWaits{id, child_of(id), chance.one_in(2) ? "money" : ""};
    case 5:
      return Merged{.effect = id};
    case 6:
      return RecordError{.category = static_cast<model::ErrorCategory>(chance.below(12)),
                         .message = "aside"};
    case 7:
      return RecordChanges{model::ChangesetId(test::plan_id(6).ulid())};
    case 8:
      return RecordChanges{model::ChangesetId(test::plan_id(5).ulid()), {}, {test::change("a")}};
    case 9:
      return RecordChanges{story.state.changeset.id, {}, {test::change("b")}};
    case 10:
      return RecordChanges{};
    case 11:
      return EffectStopped{id};
    case 12:
      return Create{};
    case 13:
      return Chosen{.effect = id, .tree = "x"};
    default:
      return Prompt{};
  }
}

Command anything(PlanStory& story, Chance& chance) {
  if (!chance.one_in(5)) return effect_ends(story, chance);
  if (chance.one_in(4)) return TakenOver{};
  if (chance.one_in(8)) return BudgetFreed{};
  if (chance.one_in(4)) return any_correction(story, chance);
  return chance.one_in(2) ? person_says(story, chance) : nonsense(story, chance);
}

std::optional<Command> command_of(Verb verb, PlanStory& story) {
  switch (verb) {
    case Verb::kApprove:
      return Approve{};
    case Verb::kReject:
      return Reject{};
    case Verb::kResume:
      return Resume{};
    case Verb::kPrompt:
      return Prompt{.message = test::user("and this")};
    case Verb::kApply:
    case Verb::kApplyRemerged:
      return story.apply();
    case Verb::kUndo:
      return Undo{};
    case Verb::kCancel:
      return Cancel{"enough"};
    default:
      return std::nullopt;
  }
}

void expect_accepted(PlanStory& story, Verb verb, const std::string& said) {
  auto command = command_of(verb, story);
  if (!command) return;
  if (auto* apply = std::get_if<Apply>(&*command);
      apply != nullptr && said.contains("--without-validation")) {
    for (const model::Validation& one : story.state.settings.control.validations) {
      apply->request.without.push_back(one.name);
    }
  }
  const auto decided = decide(story.state, *command, {.now = story.now});
  EXPECT_TRUE(decided.ok()) << "in " << story.where() << " it was advised: " << said << "; "
                            << decided.error().message();
}

void expect_advice_works(PlanStory& story) {
  for (const Advice& each : advice(story.state)) {
    const std::string name = std::to_string(static_cast<int>(each.verb));
    if (each.plan == story.state.id) expect_accepted(story, each.verb, "verb " + name);
  }
}

// Whatever a sentence tells a person to type about the plan can be typed.
void expect_words_work(PlanStory& story, const std::string& sentence) {
  const std::pair<std::string_view, Verb> words[] = {
      {"resume", Verb::kResume}, {"approve", Verb::kApprove}, {"reject", Verb::kReject},
      {"prompt", Verb::kPrompt}, {"apply", Verb::kApply},     {"undo", Verb::kUndo},
      {"cancel", Verb::kCancel}};
  for (const auto& [word, verb] : words) {
    const std::string line = "`agents plan " + std::string(word) + " " + story.state.id.to_string();
    if (sentence.contains(line)) expect_accepted(story, verb, sentence);
  }
}

void expect_reason(PlanStory& story, const base::Error& error) {
  expect_words_work(story, error.message());
  if (error.code() == base::ErrorCode::kConflict) {
    EXPECT_THAT(error.message(), ::testing::HasSubstr(story.where()));
    EXPECT_THAT(error.message(), ::testing::HasSubstr("; "));
  }
  EXPECT_GT(error.message().size(), 10U);
}

void take_step(PlanStory& story, Chance& chance) {
  const auto decided = story.send(anything(story, chance), !chance.one_in(12));
  if (!decided.ok()) return expect_reason(story, decided.error());
  for (const Outgoing& outgoing : decided->outgoing) {
    EXPECT_TRUE(command_from_json(outgoing.body).ok()) << outgoing.body;
  }
}

void expect_effects_settled_once(const PlanStory& story) {
  std::set<std::string> open;
  std::set<std::string> settled;
  for (const model::StoredEvent& event : story.journal) {
    if (event.kind == model::EffectRequested::kKind) {
      EXPECT_TRUE(open.insert(model::EffectRequested::parse(event.data)->id.to_string()).second);
    } else if (event.kind == model::EffectSettled::kKind) {
      const std::string id = model::EffectSettled::parse(event.data)->id.to_string();
      EXPECT_EQ(open.erase(id), 1U);
      EXPECT_TRUE(settled.insert(id).second);
    }
  }
  EXPECT_EQ(open.size(), story.state.effects.size());
}

// What is put aside is settled once; at rest only what was abandoned is left.
void expect_money_settled(const PlanStory& story) {
  std::map<std::int64_t, model::EffectId> reserved;
  std::set<model::EffectId> begun_anew;
  for (const model::StoredEvent& event : story.journal) {
    if (event.kind == model::BudgetReserved::kKind) {
      const auto read = model::BudgetReserved::parse(event.data);
      for (const auto& [sequence, effect] : reserved) {
        if (effect == read->effect) begun_anew.insert(effect);
      }
      reserved[event.sequence] = read->effect;
    } else if (event.kind == model::BudgetSettled::kKind) {
      EXPECT_EQ(reserved.erase(model::BudgetSettled::parse(event.data)->reservation), 1U);
    } else if (event.kind == model::EffectSettled::kKind) {
      const auto read = model::EffectSettled::parse(event.data);
      if (read->outcome == "abandoned") begun_anew.insert(read->id);
    }
  }
  for (const auto& [sequence, effect] : reserved) {
    EXPECT_TRUE(begun_anew.contains(effect) || story.state.effects.contains(effect));
  }
}

std::vector<std::string> calls_in(const PlanStory& story, const TranscriptEntry& entry) {
  std::vector<std::string> ids;
  for (const auto& part : model::messages_from_json(story.bodies.at(entry.body))->front().parts) {
    if (const auto* call = std::get_if<model::ToolCall>(&part)) ids.push_back(call->id);
  }
  return ids;
}

std::vector<std::string> results_in(const PlanStory& story, const TranscriptEntry& entry) {
  std::vector<std::string> ids;
  for (const auto& part : model::messages_from_json(story.bodies.at(entry.body))->front().parts) {
    if (const auto* result = std::get_if<model::ToolResult>(&part)) ids.push_back(result->call);
  }
  return ids;
}

// Each call exactly one result, right after it; the last answer may be waiting for its own.
void expect_acceptable(const PlanStory& story) {
  const auto& entries = story.state.transcript;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto calls = calls_in(story, entries[i]);
    if (i + 1 == entries.size()) break;
    EXPECT_EQ(results_in(story, entries[i + 1]), calls) << "message " << i;
  }
  if (!entries.empty()) {
    EXPECT_TRUE(calls_in(story, entries.back()).empty() || story.state.unknown ||
                story.state.held || story.state.cancel_requested ||
                story.is_open(EffectKind::kTools) || story.is_open(EffectKind::kTimer));
  }
}

void bring_to_an_end(PlanStory& story) {
  if (story.state.state == model::PlanState::kApplied) return;
  story.must(Cancel{"the end"});
  while (!story.state.effects.empty()) {
    const auto [id, effect] = *story.state.effects.begin();
    story.must(
        effect.kind == EffectKind::kSubplan
            ? Command(ChildEnded{
                  .effect = id, .child = child_of(id), .state = model::PlanState::kCancelled})
            : Command(EffectStopped{id}));
  }
  EXPECT_EQ(story.state.state, model::PlanState::kCancelled);
}

void live(std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Chance chance(seed);
  PlanStory story;
  story.create(any_settings(chance));
  for (int i = 0; i < 60 && !testing::Test::HasFailure(); ++i) {
    take_step(story, chance);
    expect_acceptable(story);
    expect_advice_works(story);
    if (story.state.is_at_rest()) expect_words_work(story, story.state.reason);
  }
  EXPECT_EQ(fold(story.journal).value(), story.state);
  expect_effects_settled_once(story);
  expect_money_settled(story);
  bring_to_an_end(story);
}

TEST(AnyLife, KeepsItsPromises) {
  for (std::uint64_t seed = 1; seed <= test::logic_campaign(300, 20'000) && !HasFailure(); ++seed)
    live(seed);
}

// Left alone, with models that sometimes fail, a plan comes to rest.
TEST(AnyLife, ComesToRestByItself) {
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Chance chance(seed);
    PlanStory story;
    story.create(any_settings(chance));
    int steps = 0;
    while (!story.state.is_at_rest() && !HasFailure()) {
      ASSERT_LT(++steps, 2'000) << story.where();
      const auto decided = story.send(effect_ends(story, chance));
      if (!decided.ok()) expect_reason(story, decided.error());
    }
  }
}

}  // namespace
}  // namespace clever::plan
