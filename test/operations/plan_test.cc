#include "service/commands/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/ulid.h"
#include "cli/words.h"
#include "git/project.h"
#include "model/effect_events.h"
#include "plan/decide.h"
#include "service/commands/plan_follow.h"
#include "storage/budgets.h"
#include "storage/journal.h"
#include "storage/leases.h"
#include "storage/value.h"
#include "support/cli_run.h"

namespace clever::cli {
namespace {

using storage::DatabaseUrl;
using test::CliRun;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A plan as whoever drives it knows it.
struct Held {
  model::PlanId id{};
  storage::Lease lease{};
  storage::Head head{};
  plan::State state{};

  [[nodiscard]] model::EffectId effect(plan::EffectKind kind) const {
    for (const auto& [name, open] : state.effects) {
      if (open.kind == kind) return name;
    }
    return {};
  }
};

// Journals as the engine writes them, without any effect having run.
class PlanCommandTest : public testing::Test {
 protected:
  PlanCommandTest() {
    EXPECT_EQ(cli_.run({"db", "migrate"}), 0);
    engine_ =
        cli_.databases().open(DatabaseUrl::file(cli_.home() / "cleveragents.db"), {}, {}).value();
    project_ = git::Project::find(cli_.work()).value().root.string();
  }

  Held hold(const model::PlanId& id) {
    Held held{.id = id};
    held.lease = storage::Leases(*engine_).acquire(id, owner_, std::chrono::minutes(1)).value();
    held.state.id = id;
    return held;
  }

  // What decide() answers, written down as it would be.
  void tell(Held& held, const plan::Command& command) {
    auto decided = plan::decide(held.state, command, {.now = model::to_timestamp(1'000'000)});
    ASSERT_TRUE(decided.ok()) << decided.error().sentence();
    append(held, std::move(decided->events), std::move(decided->bodies));
  }
  void append(Held& held, std::vector<model::Event> events, std::vector<plan::Body> bodies = {}) {
    storage::Append append{.plan = held.id, .expected = held.head, .epoch = held.lease.epoch};
    append.events = std::move(events);
    for (plan::Body& body : bodies) append.bodies.push_back({body.hash, std::move(body.content)});
    storage::Journal journal(*engine_, clock_);
    held.head = journal.append(std::move(append)).value();
    for (const auto& event : journal.read(held.id, held.state.sequence + 1, 1000).value()) {
      ASSERT_TRUE(plan::evolve(held.state, event).ok());
    }
  }

  static plan::Create task(const std::string& title, const std::string& project) {
    plan::Create create{.title = title, .project = project};
    create.settings.uses_model = false;
    create.settings.actor = "local/codemod";
    create.settings.direct = true;
    create.prompt = {model::Role::kUser, {model::Text{title}}};
    return create;
  }
  Held create(const std::string& title, bool direct = true) {
    Held held = hold(model::PlanId(ids_.next()));
    plan::Create command = task(title, project_);
    command.settings.direct = direct;
    tell(held, command);
    return held;
  }
  static std::string tree(char digit) { return std::string(40, digit); }
  void take_base(Held& held) {
    tell(held, plan::BaseIsTaken{held.effect(plan::EffectKind::kBase),
                                 {.tree = tree('1'), .branch = "refs/heads/main"}});
  }
  // A plan that changed one file, and is ready to be applied.
  Held complete(const std::string& title) {
    Held held = create(title);
    take_base(held);
    const model::ChangeEntry entry{
        .path = "a.txt",
        .operation = model::ChangeOperation::kCreate,
        .after = model::FileState{.hash = base::sha256("a"), .object = tree('3')}};
    tell(held, plan::ActorWorked{.effect = held.effect(plan::EffectKind::kActorWork),
                                 .summary = "wrote a.txt",
                                 .tree = tree('2')});
    const auto net = model::net_changes(std::vector{entry});
    tell(held, plan::Sealed{.effect = held.effect(plan::EffectKind::kSeal),
                            .digest = model::digest_of(net),
                            .missing = {entry}});
    return held;
  }
  void release(const Held& held) {
    EXPECT_TRUE(storage::Leases(*engine_).release(held.lease, owner_).ok());
  }

  int run(std::vector<std::string> words) {
    words.insert(words.begin(), "plan");
    return cli_.run(words);
  }

  CliRun cli_;
  base::SystemClock clock_;
  base::SeededRandom random_{1};
  base::UlidGenerator ids_{clock_, random_};
  std::shared_ptr<storage::Engine> engine_;
  std::string project_;
  storage::OwnerLock owner_ =
      storage::OwnerLock::acquire(cli_.home() / "owners", model::OwnerId(ids_.next())).value();
};

TEST_F(PlanCommandTest, WithoutAPlanItSaysHowToMakeOne) {
  EXPECT_EQ(run({"status"}), 3);
  EXPECT_THAT(cli_.error_output, HasSubstr("agents run"));
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("No plan matches."));
}

TEST_F(PlanCommandTest, ListHasTheNewestFirst) {
  create("the older");
  create("the newer");
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_LT(cli_.output.find("the newer"), cli_.output.find("the older"));
  EXPECT_EQ(run({"list", "--limit", "1", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr(R"("summary":"the newer","created_at":)"),
                                 Not(HasSubstr("the older"))));
  EXPECT_EQ(run({"list", "--state", "applied"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("No plan matches."));
}

TEST_F(PlanCommandTest, ListOfAllProjectsNamesThem) {
  project_ = "/elsewhere";
  create("in another folder");
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, Not(HasSubstr("in another folder")));
  EXPECT_EQ(run({"list", "--all-projects"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("in another folder"), HasSubstr("/elsewhere")));
}

TEST_F(PlanCommandTest, NumbersHaveBounds) {
  for (const auto& words : std::vector<std::vector<std::string>>{{"list", "--limit", "0"},
                                                                 {"list", "--limit", "many"},
                                                                 {"events", "--from", "-1"},
                                                                 {"rollback", "--to", "x"}}) {
    EXPECT_EQ(run(words), 2);
    EXPECT_THAT(cli_.error_output, HasSubstr("expected a number from"));
  }
}

TEST_F(PlanCommandTest, AnUnknownOrAmbiguousPlanIsRefused) {
  const Held first = create("one");
  const Held second = create("two");
  EXPECT_EQ(run({"status", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"}), 3);
  EXPECT_EQ(run({"status", "01"}), 4);
  EXPECT_EQ(run({"status", "no id"}), 2);
  EXPECT_EQ(run({"status", first.id.to_string()}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("one"));
}

TEST_F(PlanCommandTest, StatusShowsWhatIsDoneAndWhatIsNext) {
  const Held held = complete("write a file");
  EXPECT_EQ(run({"status"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("task: write a file"), HasSubstr("execute/complete"),
                                 HasSubstr(held.state.changeset.digest->to_hex()),
                                 HasSubstr("next: agents diff")));
  EXPECT_EQ(cli_.run({"status", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr(R"("plan_id":")" + held.id.to_string()),
                                 HasSubstr(R"("phase":"execute","state":"complete")"),
                                 HasSubstr(R"("steps":[{"id":"task")")));
}

TEST_F(PlanCommandTest, AnErrorIsShownWithItsHint) {
  Held held = create("something hard");
  take_base(held);
  tell(held, plan::RecordError{.effect = held.effect(plan::EffectKind::kActorWork),
                               .category = model::ErrorCategory::kInvariant,
                               .message = "it does not fit"});
  EXPECT_EQ(run({"status"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("it does not fit"), HasSubstr("hint: ")));
  EXPECT_EQ(run({"errors"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("it does not fit"), HasSubstr("invariant")));
  EXPECT_THAT(cli_.error_output, HasSubstr("hint: "));
  EXPECT_EQ(run({"errors", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("category":"invariant","message":"it does not fit")"));
}

TEST_F(PlanCommandTest, WithoutErrorsThereIsNothingToShow) {
  create("all is well");
  EXPECT_EQ(run({"errors"}), 0);
  EXPECT_EQ(cli_.output, "Nothing went wrong.\n");
}

TEST_F(PlanCommandTest, EventsAreShownFromWhereOneWants) {
  const Held held = create("a task");
  EXPECT_EQ(run({"events", "--limit", "2", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr(R"("sequence":1)"), HasSubstr(R"("sequence":2)"),
                                 HasSubstr(R"("kind":"plan.created")"), HasSubstr(R"("data":{)"),
                                 Not(HasSubstr(R"("sequence":3)"))));
  EXPECT_EQ(run({"events", "--from", "2"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("plan.configured"), Not(HasSubstr("plan.created"))));
  EXPECT_EQ(run({"events", "--from", "1000"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("the last one is " + std::to_string(held.head.sequence)));
}

// A plan with a subplan that is under way.
class SubplanCommandTest : public PlanCommandTest {
 protected:
  SubplanCommandTest() {
    parent_ = create("the whole", false);
    take_base(parent_);
    model::Strategy strategy{.summary = "in two parts", .confidence = 0.75};
    strategy.steps = {{.id = "left", .title = "the left part", .mode = model::StepMode::kSubplan},
                      {.id = "right", .title = "the right part"}};
    tell(parent_, plan::ActorStrategized{parent_.effect(plan::EffectKind::kActorStrategize),
                                         strategy.normalised()});
    const model::EffectId spawn = parent_.effect(plan::EffectKind::kSubplan);
    child_ = hold(plan::child_of(spawn));
    plan::Create command = task("the left part", project_);
    command.parent = parent_.id;
    command.settings.spawned_by = spawn;
    command.settings.depth = 1;
    command.settings.ancestors = {parent_.id};
    tell(child_, command);
  }

  Held parent_;
  Held child_;
};

TEST_F(SubplanCommandTest, TreeNestsItBelowItsDecision) {
  EXPECT_EQ(run({"tree"}), 0);
  const std::string& tree = cli_.output;
  EXPECT_THAT(tree, AllOf(HasSubstr("task the whole"), HasSubstr("strategy in two parts 75 %"),
                          HasSubstr("subplan left: the left part running"),
                          HasSubstr("step right: the right part pending")));
  EXPECT_LT(tree.find("subplan left"), tree.find("plan " + child_.id.to_string()));
  EXPECT_EQ(run({"tree", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("children":[)"));
  cli_.set("LANG", "C.UTF-8");
  EXPECT_EQ(run({"tree", "--all"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("└─ "));
}

TEST_F(SubplanCommandTest, ExplainTellsWhatADecisionLedTo) {
  const std::string strategy = parent_.state.strategy_decision.to_string();
  EXPECT_EQ(run({"explain", strategy}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("chosen: in two parts"), HasSubstr("confidence: 75 %"),
                                 HasSubstr("holds: in force"), HasSubstr("below it"),
                                 HasSubstr("left: the left part")));
  EXPECT_EQ(run({"explain", strategy.substr(20), "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("kind":"strategy_choice")"));
  const std::string left = parent_.state.steps[0].decision.to_string();
  EXPECT_EQ(run({"explain", parent_.id.to_string(), left}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("step: left: running"), HasSubstr("influenced"),
                                 HasSubstr("right: the right part")));
}

TEST_F(SubplanCommandTest, ExplainFindsDecisionsOfSubplansAndRefusesOthers) {
  const std::string task = child_.state.root_decision.to_string();
  EXPECT_EQ(run({"explain", parent_.id.to_string(), task}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("plan: " + child_.id.to_string()),
                                 HasSubstr("Nothing depends on it.")));
  EXPECT_EQ(run({"explain"}), 2);
  EXPECT_EQ(run({"explain", "4711"}), 3);
  EXPECT_EQ(run({"explain", parent_.id.to_string(), task.substr(0, 2)}), 4);
  EXPECT_THAT(cli_.error_output, HasSubstr("several decisions"));
}

TEST_F(SubplanCommandTest, ListHasSubplansOnRequest) {
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, Not(HasSubstr("the left part")));
  EXPECT_EQ(run({"list", "--subplans"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("↳ the left part"));
  EXPECT_EQ(run({"list", "--subplans", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("parent":")" + parent_.id.to_string()));
}

TEST_F(SubplanCommandTest, StatusShowsTheSteps) {
  EXPECT_EQ(run({"status"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("subplans: 1 queued"), HasSubstr("the left part"),
                                 HasSubstr(child_.id.to_string()), HasSubstr("strategize/queued")));
  EXPECT_EQ(run({"status", child_.id.to_string(), "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("parent":")" + parent_.id.to_string()));
}

TEST_F(SubplanCommandTest, CostSumsUpWhatAllOfThemUsed) {
  append(child_,
         {model::ModelAnswered{
             .model = "scripted/script", .input_tokens = 1000, .output_tokens = 20, .cost = 2500}
              .to_event()});
  storage::Budgets(*engine_)
      .set_cap("plan/" + parent_.id.to_string(), {.money = 5'000'000})
      .value();
  EXPECT_EQ(run({"cost"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("scripted/script"), HasSubstr("$0.0025"),
                                 HasSubstr("all"), HasSubstr("$5.00")));
  EXPECT_EQ(run({"cost", child_.id.to_string(), "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr(R"("input_tokens":1000)"), HasSubstr(R"("cap_usd":5)"),
                                 HasSubstr(R"("left_usd":5)")));
}

TEST_F(SubplanCommandTest, TheFollowerSeesEveryEventOfBothOnce) {
  service::PlanFollower follower(*engine_, clock_, parent_.id);
  std::map<model::PlanId, std::int64_t> seen;
  const auto note = [&](const plan::State&, const std::vector<model::StoredEvent>& events) {
    for (const auto& event : events) {
      EXPECT_EQ(event.sequence, seen[event.plan] + 1);
      seen[event.plan] = event.sequence;
    }
    return base::Result<void>();
  };
  EXPECT_TRUE(follower.advance(note, {}).ok());
  EXPECT_EQ(seen[parent_.id], parent_.head.sequence);
  EXPECT_EQ(seen[child_.id], child_.head.sequence);
  take_base(child_);
  EXPECT_TRUE(follower.wait({}).ok());
  EXPECT_TRUE(follower.advance(note, {}).ok());
  EXPECT_EQ(seen[child_.id], child_.head.sequence);
  base::StopSource stop;
  stop.request_stop();
  EXPECT_TRUE(follower.advance(note, {}).ok());
  EXPECT_EQ(follower.wait(stop.token()).error().code(), base::ErrorCode::kCancelled);
}

TEST_F(PlanCommandTest, VerifyFindsNothingWrongWithASoundPlan) {
  complete("write a file");
  EXPECT_EQ(run({"verify"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("1 sealed changeset"), HasSubstr("0 open effects")));
  EXPECT_EQ(run({"verify", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("sound":true)"));
}

TEST_F(PlanCommandTest, VerifyShowsWhatOtherHandsChanged) {
  complete("write a file");
  storage::UnitOfWork unit;
  unit.run("UPDATE plan SET state = 'applied'");
  unit.run("UPDATE changeset SET digest = $1", storage::Blob{std::string(32, 'x')});
  unit.run("UPDATE event SET data = $1 WHERE sequence = 3", storage::Blob{"{}"});
  ASSERT_TRUE(engine_->commit(std::move(unit)).ok());
  EXPECT_EQ(run({"verify"}), 1);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("event 3"), HasSubstr("was sealed as 78787878")));
  EXPECT_THAT(cli_.error_output, HasSubstr("was changed after it was written"));
}

TEST_F(PlanCommandTest, VerifyComparesTheListWithTheJournal) {
  complete("write a file");
  storage::UnitOfWork unit;
  unit.run("UPDATE plan SET state = 'applied'");
  ASSERT_TRUE(engine_->commit(std::move(unit)).ok());
  EXPECT_EQ(run({"verify"}), 1);
  EXPECT_THAT(cli_.output, HasSubstr("the list of plans execute/applied"));
}

TEST_F(PlanCommandTest, WatchOfAPlanAtRestTellsItsStoryAndEnds) {
  const Held held = complete("write a file");
  EXPECT_EQ(cli_.run({"watch"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("execute/complete"), HasSubstr("next: agents diff")));
  EXPECT_EQ(cli_.run({"watch", "--format", "jsonl"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr(R"("sequence":1,)"), HasSubstr("\n{\"command\":"),
                                 HasSubstr(R"("kind":"changeset.sealed")")));
}

TEST_F(PlanCommandTest, WatchOfAPlanWithoutADriverSaysSo) {
  const Held held = create("left alone");
  release(held);
  storage::UnitOfWork unit;
  unit.run("UPDATE event SET time = 1");
  ASSERT_TRUE(engine_->commit(std::move(unit)).ok());
  const std::string id = held.id.to_string();
  for (const char* option : {"--format=plain", "--follow"}) {
    EXPECT_EQ(cli_.run({"watch", id, option}), 5) << cli_.error_output;
    EXPECT_THAT(cli_.error_output, AllOf(HasSubstr("no process drives plan " + id),
                                         HasSubstr("`agents plan resume " + id + "`")));
    EXPECT_THAT(cli_.output, HasSubstr("next: agents resume " + id));
  }
}

TEST_F(PlanCommandTest, StatusOfAPlanWithoutADriverAdvisesToResumeIt) {
  const Held held = create("left alone");
  EXPECT_EQ(cli_.run({"status"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("next: agents watch"), Not(HasSubstr("no process"))));
  release(held);
  EXPECT_EQ(cli_.run({"status"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("next: agents resume"), HasSubstr("no process")));
}

TEST_F(PlanCommandTest, WatchEndsWhenThePersonHasSeenEnough) {
  create("a long one");
  cli_.stop.request_stop();
  EXPECT_EQ(cli_.run({"watch"}), 1) << cli_.error_output;
}

TEST_F(PlanCommandTest, DiffNeedsSomethingToCompare) {
  create("not begun");
  EXPECT_EQ(run({"diff"}), 4);
  EXPECT_EQ(run({"diff", "--stat", "--word"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("exclude each other"));
}

TEST_F(PlanCommandTest, ApplyOfWhatIsNotReadyShowsThePresentState) {
  create("not begun");
  EXPECT_EQ(run({"apply", "--yes", "--format", "json"}), 4);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr(R"("phase":"strategize","state":"queued")"),
                                 HasSubstr("there is nothing to apply yet")));
}

TEST_F(PlanCommandTest, ApplyChecksItsWords) {
  const Held held = complete("write a file");
  EXPECT_EQ(run({"apply", "--digest", "123"}), 2);
  EXPECT_EQ(run({"apply", "--digest", "not-a-digest"}), 2);
  EXPECT_EQ(run({"apply", "--yes", "--no-commit", "--branch", "b"}), 2);
  EXPECT_EQ(run({"apply", "--digest", "0123456789"}), 4);
  EXPECT_THAT(cli_.error_output, HasSubstr(held.state.changeset.digest->to_hex()));
}

TEST_F(PlanCommandTest, ApplyNeedsConsentWithoutATerminal) {
  const Held held = complete("write a file");
  EXPECT_EQ(cli_.run({"apply"}), 5);
  EXPECT_THAT(cli_.error_output,
              HasSubstr("--digest " + held.state.changeset.digest->to_hex().substr(0, 12)));
}

TEST_F(PlanCommandTest, WhatWasAppliedAnswersTheSameAgain) {
  Held held = complete("write a file");
  const base::Sha256Digest digest = *held.state.changeset.digest;
  tell(held, plan::Apply{{.digest = digest}});
  tell(held, plan::ApplyCame{
                 .effect = held.effect(plan::EffectKind::kApply),
                 .outcome = {
                     .digest = digest, .applied = true, .commit = tree('c'), .files = {"a.txt"}}});
  EXPECT_EQ(cli_.run({"apply", "--yes"}), 0);
  EXPECT_EQ(cli_.run({"apply", "--digest", digest.to_hex().substr(0, 8), "--format", "json"}), 0);
  EXPECT_THAT(cli_.output,
              AllOf(HasSubstr(R"("state":"applied","digest":")" + digest.to_hex()),
                    HasSubstr(R"("commit":"cccc)"), HasSubstr(R"("files":["a.txt"])")));
}

TEST_F(PlanCommandTest, CheckpointsAreListed) {
  const Held held = complete("write a file");
  EXPECT_EQ(run({"rollback"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("222222222222"));
  EXPECT_EQ(run({"rollback", "--list", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("current":true)"));
  EXPECT_EQ(run({"rollback", "--to", "999"}), 3);
  EXPECT_EQ(run({"rollback", "--to", "9", "--list"}), 2);
}

TEST_F(PlanCommandTest, WithoutCheckpointsTheListSaysSo) {
  create("not begun");
  EXPECT_EQ(run({"rollback"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("no checkpoint yet"));
}

TEST_F(PlanCommandTest, PromptNeedsWords) {
  const Held held = create("a task");
  EXPECT_EQ(run({"prompt"}), 2);
  EXPECT_EQ(run({"prompt", held.id.to_string()}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("the prompt for plan"));
  EXPECT_EQ(run({"prompt", " \n"}), 2);
  EXPECT_EQ(run({"prompt", "@missing.md"}), 3);
  EXPECT_EQ(run({"prompt", "-"}), 2) << "nothing comes in";
}

TEST_F(PlanCommandTest, WhatIsCancelledStaysSo) {
  Held held = complete("write a file");
  tell(held, plan::Cancel{});
  release(held);
  EXPECT_EQ(run({"cancel"}), 0);
  EXPECT_EQ(run({"cancel", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("state":"cancelled")"));
}

TEST(DocumentOfJsonTest, KeepsKindsAndOrder) {
  const Document document =
      service::document_of_json(R"({"b":[1,2.5,true,null,"x"],"a":{"c":-1}})");
  EXPECT_EQ(document, Document::map()
                          .set("b",
                               [] {
                                 Document list = Document::list();
                                 list.push(1).push(2.5).push(true).push(Document()).push("x");
                                 return list;
                               }())
                          .set("a", Document::map().set("c", -1)));
  EXPECT_EQ(service::document_of_json("no json"), Document("no json"));
}

TEST(OneLineTest, ShowsTheFirstLineAsFarAsItFits) {
  EXPECT_EQ(service::one_line("a task\nwith more", 20), "a task");
  EXPECT_EQ(service::one_line("a long task", 6), "a lon…");
}

}  // namespace
}  // namespace clever::cli
