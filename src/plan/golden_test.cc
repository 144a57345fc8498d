// Whole lives as every release wrote them: what their events mean must never change. A release that
// adds events adds a folder: `CLEVER_GOLDEN=0.2 plan_test --gtest_filter='Golden.*'` writes the
// lives below into golden/0.2; the older ones stay as they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "model/event_kinds.h"
#include "support/built_paths.h"
#include "support/plan_dump.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::inline_step;
using test::PlanStory;
using test::strategy_of;
using test::subplan_step;
namespace fs = std::filesystem;

fs::path folder() { return test::source_root() / "src/plan/golden"; }

PlanStory direct() {
  PlanStory story;
  story.ready();
  return story;
}

PlanStory subplans() {
  PlanStory story;
  model::PlanSettings settings;
  settings.subplans.max_parallel = 2;
  story.with_strategy(strategy_of({inline_step("look"), subplan_step("a"), subplan_step("b"),
                                   subplan_step("c"), inline_step("join")}),
                      settings);
  story.says("looked");
  story.ends("b");
  story.ends("a", model::PlanState::kErrored);
  story.ends("c");
  story.must(ChildWaits{story.end_of("a").effect, story.end_of("a").child, "money"});
  story.must(ChildWaits{story.end_of("a").effect, story.end_of("a").child, ""});
  story.ends("a");
  story.merges({"a", "b", "c"}, {{"f.txt", "content", "b", "m"}});
  story.calls({"edit_file"});
  story.must(ToolsRan{.effect = story.open(EffectKind::kTools), .tree = test::tree("joined")});
  story.says("joined");
  story.seals();
  return story;
}

PlanStory errors() {
  PlanStory story;
  story.create();
  story.fails(EffectKind::kBase, model::ErrorCategory::kResource);
  story.fires();
  story.based();
  story.submit(strategy_of({}));
  story.submit(strategy_of({inline_step("a")}));
  story.fails(EffectKind::kModel, model::ErrorCategory::kTransientProvider);
  story.fires();
  story.fails(EffectKind::kModel, model::ErrorCategory::kInvariant, "against a rule");
  story.says("I would do it like this.");
  story.says("Like this.");
  story.calls({"write_file", "shell"});
  story.fails(EffectKind::kTools, model::ErrorCategory::kAuthentication, "no room");
  story.must(Resume{});
  story.says("");
  return story;
}

PlanStory cancelled() {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a"), inline_step("b", {{}})}));
  story.must(Cancel{"enough"});
  story.must(TakenOver{});
  story.ends("a", model::PlanState::kCancelled);
  return story;
}

PlanStory applied_and_undone() {
  PlanStory story = direct();
  Apply apply = story.apply();
  apply.request.message = "tidy up";
  story.must(apply);
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply),
                       .outcome = {.reason = "moved on", .moved_on = {"a changed since"}},
                       .remerged_tree = test::tree("remerged"),
                       .remerged_base = model::BaseTaken{.tree = test::tree("new")}});
  story.seals("remerged");
  story.must(story.apply());
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply),
                       .outcome = {.applied = true, .commit = "c1", .files = {"a"}}});
  story.must(Undo{});
  story.must(UndoCame{.effect = story.open(EffectKind::kUndo), .undone = true, .commit = "c2"});
  return story;
}

PlanStory rolled_back() {
  PlanStory story = subplans();
  story.must(Rollback{story.state.checkpoints.at(1).sequence});
  story.must(Prompt{.message = test::user("more carefully")});
  return story;
}

// Back to the work of a strategy that a correction had superseded, sealed as it is, and on from
// there.
PlanStory restored() {
  PlanStory story = subplans();
  const std::int64_t merged = story.state.checkpoints.back().sequence;
  story.must(Correct{story.state.strategy_decision, model::CorrectionMode::kRevert,
                     test::user("otherwise")});
  story.submit(strategy_of({inline_step("c")}));
  story.says("c done");
  story.seals();
  story.must(Rollback{merged});
  story.must(Seal{});
  story.seals();
  story.must(Prompt{.message = test::user("and more")});
  return story;
}

PlanStory asked_about() {
  PlanStory story;
  story.direct();
  story.calls({"send_mail"}, CallClass::kOutside);
  story.must(Prompt{.message = test::user("only once")});
  story.must(TakenOver{});
  return story;
}

PlanStory compacted() {
  PlanStory story;
  model::PlanSettings settings;
  settings.limits.transcript_bytes = 1'500;
  story.direct(settings);
  for (int i = 0; i < 12; ++i) {
    story.calls({"read_file"}, CallClass::kRead);
    story.ran("", i < 3 ? "same" : "");
  }
  return story;
}

PlanStory shown_context() {
  PlanStory story;
  story.create();
  story.based();
  Answered submitted = story.calling({"submit_strategy"}, CallClass::kRead);
  submitted.strategy = strategy_of({inline_step("a")});
  submitted.context = R"({"fragments":[{"path":"a.cc"}]})";
  story.must(submitted);
  Answered answer = story.answer("done");
  answer.context = R"({"fragments":[{"path":"b.cc"}]})";
  story.must(answer);
  return story;
}

// A step, a subplan and in the end the strategy are corrected; more is appended.
PlanStory corrected() {
  PlanStory story;
  story.with_strategy(strategy_of(
      {inline_step("look"), subplan_step("a"), subplan_step("b"), inline_step("join")}));
  story.says("looked");
  const auto revert = [&](const model::DecisionId& decision) {
    story.must(Correct{decision, model::CorrectionMode::kRevert, test::user("not so")});
  };
  const model::EffectId stopped = story.end_of("a").effect;
  revert(story.state.steps[1].decision);
  story.must(ChildEnded{
      .effect = stopped, .child = child_of(stopped), .state = model::PlanState::kCancelled});
  story.ends("a");
  story.ends("b");
  story.merges({"a", "b"});
  story.must(Correct{story.state.steps[2].decision, model::CorrectionMode::kAppend,
                     test::user("and more")});
  revert(story.state.steps[0].decision);
  story.must(EffectStopped{story.open(EffectKind::kModel), {5, 5}});
  revert(story.state.root_decision);
  return story;
}

// A validation fails, is handed back once, fails for good, and passes when it is run again.
PlanStory validated() {
  PlanStory story;
  model::PlanSettings settings;
  settings.control.validations = {{.name = "tests", .argv = {"sh", "-c", "make test"}},
                                  {.name = "lint", .tool = "lint", .required = false}};
  settings.control.fixes = 1;
  const auto checked = [&](bool passed) {
    story.must(Validated{.effect = story.open(EffectKind::kValidate),
                         .tree = story.state.tree,
                         .results = {{.name = "tests",
                                      .passed = passed,
                                      .outcome = passed ? "" : "exit code 1",
                                      .output = "ran",
                                      .took = std::chrono::milliseconds{12}},
                                     {.name = "lint", .outcome = "exit code 2"}}});
  };
  story.direct(settings);
  story.calls({"write_file"});
  story.ran("a");
  story.says("done");
  checked(false);
  story.says("mended");
  checked(false);
  story.seals();
  story.must(Resume{});
  checked(true);
  story.seals();
  return story;
}

// A strategy is rejected, and the next one approved; of three calls one is rejected, then one
// approved alone, then the last; what is asked in the end, another word takes the place of.
PlanStory approved() {
  PlanStory story;
  model::PlanSettings settings;
  settings.profile = "manual";
  settings.control.automation = {.strategy = 1, .write = 1, .reversion = 1};
  settings.control.permissions = {{.verdict = model::Verdict::kAsk,
                                   .pattern = "run_command(git *)",
                                   .origin = "your settings"}};
  const auto asks = [&](std::size_t calls) {
    Answered answered = story.calling(std::vector<std::string>(calls, "run_command"));
    answered.verdicts.assign(calls, {.verdict = model::Verdict::kAsk,
                                     .shown = "run_command git push",
                                     .why = "your settings ask before run_command(git *)"});
    story.must(answered);
  };
  story.with_strategy(strategy_of({inline_step("a")}), settings);
  story.must(Reject{.reason = "too many steps"});
  story.submit(strategy_of({inline_step("b")}));
  story.must(Approve{.number = 2});
  asks(3);
  const auto first = [&] { return story.state.approval->items.front().id; };
  story.must(Reject{.items = {first()}, .reason = "not on a Friday"});
  story.must(Approve{.items = {first()}});
  story.must(TakenOver{});
  story.must(Approve{});
  story.ran("pushed");
  asks(1);
  story.must(Prompt{.message = test::user("do not push at all")});
  return story;
}

const std::map<std::string, std::function<PlanStory()>>& lives() {
  static const std::map<std::string, std::function<PlanStory()>> kLives{
      {"direct", direct},           {"subplans", subplans},
      {"errors", errors},           {"cancelled", cancelled},
      {"rolled_back", rolled_back}, {"applied_and_undone", applied_and_undone},
      {"compacted", compacted},     {"asked_about", asked_about},
      {"shown", shown_context},     {"corrected", corrected},
      {"validated", validated},     {"approved", approved},
      {"restored", restored}};
  return kLives;
}

std::string line_of(const model::StoredEvent& event) {
  return test::json{{"plan", event.plan.to_string()},
                    {"sequence", event.sequence},
                    {"time_us", model::to_microseconds(event.time)},
                    {"kind", event.kind},
                    {"version", event.version},
                    {"data", test::json::parse(event.data)}}
      .dump();
}

model::StoredEvent event_of(const std::string& line) {
  const auto object = test::json::parse(line);
  return {.plan = model::PlanId::parse(object["plan"].get<std::string>()).value(),
          .sequence = object["sequence"].get<std::int64_t>(),
          .time = model::to_timestamp(object["time_us"].get<std::int64_t>()),
          .kind = object["kind"].get<std::string>(),
          .version = object["version"].get<std::int64_t>(),
          .data = object["data"].dump()};
}

void write(const fs::path& to) {
  fs::create_directories(to);
  for (const auto& [name, life] : lives()) {
    const PlanStory story = life();
    std::ofstream journal(to / (name + ".jsonl"));
    for (const model::StoredEvent& event : story.journal) journal << line_of(event) << "\n";
    std::ofstream(to / (name + ".state")) << test::dump(story.state);
  }
}

State fold_file(const fs::path& file) {
  std::ifstream lines(file);
  const model::EventKinds known;
  State state;
  for (std::string line; std::getline(lines, line);) {
    model::StoredEvent event = event_of(line);
    EXPECT_TRUE(known.to_newest(event).ok()) << line;
    const auto evolved = evolve(state, event);
    EXPECT_TRUE(evolved.ok()) << line << (evolved.ok() ? "" : evolved.error().to_string());
  }
  return state;
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Golden, JournalsMeanWhatTheyMeantWhenTheyWereWritten) {
  if (const char* release = std::getenv("CLEVER_GOLDEN")) write(folder() / release);
  std::size_t journals = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder())) {
    if (entry.path().extension() != ".jsonl") continue;
    ++journals;
    SCOPED_TRACE(entry.path().filename().string());
    const State state = fold_file(entry.path());
    fs::path expected = entry.path();
    EXPECT_EQ(test::dump(state), text_of(expected.replace_extension(".state")));
    EXPECT_EQ(check_invariants(state), std::vector<std::string>());
  }
  EXPECT_GE(journals, lives().size());
}

TEST(Golden, LivesEndAsTheirNamesSay) {
  EXPECT_EQ(direct().where(), "execute/complete");
  EXPECT_EQ(subplans().where(), "execute/complete");
  EXPECT_TRUE(subplans().state.conflicts.empty());
  EXPECT_EQ(errors().where(), "execute/processing");
  EXPECT_EQ(cancelled().where(), "execute/cancelled");
  EXPECT_TRUE(applied_and_undone().state.undone);
  EXPECT_EQ(rolled_back().where(), "execute/processing");
  EXPECT_EQ(restored().where(), "execute/processing");
  EXPECT_EQ(restored().state.corrections, 1);
  EXPECT_EQ(asked_about().where(), "execute/waiting");
  EXPECT_EQ(corrected().where(), "strategize/processing");
  EXPECT_EQ(corrected().state.corrections, 4);
  EXPECT_EQ(approved().where(), "execute/processing");
  EXPECT_EQ(approved().state.approvals, 6);
  EXPECT_TRUE(validated().state.is_ready_to_apply());
  EXPECT_TRUE(validated().state.validation->passed());
}

}  // namespace
}  // namespace clever::plan
