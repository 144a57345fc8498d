// What plans changed, on every engine.
#include "storage/changesets.h"

#include <gmock/gmock.h>

#include "model/change_events.h"
#include "storage/plan_test.h"
#include "storage/rebuild.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using model::ChangeEntry;
using model::ChangesetId;
using model::ChangesetSealed;
using model::ChangesetStarted;
using model::ChangesRecorded;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ChangesetsTest : public testing::PlanTest {
 protected:
  ChangesetId start(testing::HeldPlan& plan, model::DecisionId decision = {}) {
    const auto id = world().next<ChangesetId>();
    append(plan, {ChangesetStarted{id, decision}.to_event()});
    return id;
  }
  [[nodiscard]] base::ErrorCode refused(const testing::HeldPlan& plan, const model::Event& event) {
    const auto answer = journal().append(make_append(plan, {event}));
    return answer.ok() ? ErrorCode::kInternal : answer.error().code();
  }
  [[nodiscard]] Changesets changesets() { return Changesets(engine()); }
  [[nodiscard]] ChangesetFacts facts(const testing::HeldPlan& plan, const ChangesetId& id) {
    for (ChangesetFacts& one : changesets().of_plan(plan.id).value()) {
      if (one.id == id) return one;
    }
    return {};
  }
};
CLEVER_ALL_ENGINES(ChangesetsTest);

ChangeEntry entry(std::string path) {
  return {.path = std::move(path),
          .operation = model::ChangeOperation::kCreate,
          .after = model::FileState{0100755, base::sha256("x"), std::string(40, 'a')}};
}

std::vector<std::string> paths(const std::vector<ChangeEntry>& entries) {
  std::vector<std::string> paths;
  for (const ChangeEntry& one : entries) {
    paths.push_back(std::to_string(one.sequence) + " " + one.path);
  }
  return paths;
}

TEST_P(ChangesetsTest, EntriesAreNumberedInTheOrderOfTheJournal) {
  auto plan = create();
  const ChangesetId one = start(plan);
  const ChangesetId other = start(plan);
  append(plan, {ChangesRecorded{one, {entry("a"), entry("b")}}.to_event()});
  append(plan, {ChangesRecorded{other, {entry("c")}}.to_event(),
                ChangesRecorded{one, {entry("d")}}.to_event()});
  EXPECT_THAT(paths(changesets().entries(one).value()), ElementsAre("1 a", "2 b", "3 d"));
  EXPECT_THAT(paths(changesets().entries(other).value()), ElementsAre("1 c"));
  EXPECT_EQ(facts(plan, one).entries, 3);
}

TEST_P(ChangesetsTest, AnEntryIsReadAsItWasRecorded) {
  auto plan = create();
  const auto decision = world().next<model::DecisionId>();
  const ChangesetId id = start(plan, decision);
  ChangeEntry move = entry("to \xff\n");
  move.from = "from \xfe";
  move.operation = model::ChangeOperation::kMove;
  move.before = model::FileState{0120000, base::sha256("y"), std::string(40, 'b')};
  move.tool = "move_file";
  move.decision = decision;
  ChangeEntry gone = entry("gone");
  gone.before = gone.after;
  gone.after.reset();
  append(plan, {ChangesRecorded{id, {move, gone}}.to_event()});
  auto entries = changesets().entries(id).value();
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].time, model::to_timestamp(model::to_microseconds(entries[0].time)));
  move.sequence = 1;
  move.time = entries[0].time;
  gone.sequence = 2;
  gone.time = entries[1].time;
  EXPECT_THAT(entries, ElementsAre(move, gone));
  EXPECT_EQ(facts(plan, id).decision, decision);
}

TEST_P(ChangesetsTest, ASealedOneNeverChanges) {
  auto plan = create();
  const ChangesetId id = start(plan);
  append(plan, {ChangesRecorded{id, {entry("a")}}.to_event()});
  const auto digest = base::sha256("net");
  append(plan, {ChangesetSealed{id, digest, 1}.to_event()});
  EXPECT_EQ(facts(plan, id).digest, digest);
  EXPECT_EQ(refused(plan, ChangesRecorded{id, {entry("b")}}.to_event()), ErrorCode::kConflict);
  EXPECT_EQ(refused(plan, ChangesetSealed{id, base::sha256("else"), 1}.to_event()),
            ErrorCode::kConflict);
  EXPECT_THAT(paths(changesets().entries(id).value()), ElementsAre("1 a"));
}

TEST_P(ChangesetsTest, IsSealedOnlyWithAllItsEntries) {
  auto plan = create();
  const ChangesetId id = start(plan);
  append(plan, {ChangesRecorded{id, {entry("a"), entry("b")}}.to_event()});
  EXPECT_EQ(refused(plan, ChangesetSealed{id, {}, 1}.to_event()), ErrorCode::kConflict);
  EXPECT_EQ(facts(plan, id).digest, std::nullopt);
}

TEST_P(ChangesetsTest, BelongsToItsPlan) {
  auto plan = create();
  auto other = create();
  const ChangesetId id = start(plan);
  EXPECT_EQ(refused(other, ChangesRecorded{id, {entry("a")}}.to_event()), ErrorCode::kConflict);
  EXPECT_EQ(refused(other, ChangesetSealed{id, {}, 0}.to_event()), ErrorCode::kConflict);
  EXPECT_EQ(refused(other, ChangesetStarted{id, {}}.to_event()), ErrorCode::kAlreadyExists);
  EXPECT_THAT(changesets().of_plan(other.id).value(), IsEmpty());
  ASSERT_EQ(changesets().of_plan(plan.id)->size(), 1U);
}

TEST_P(ChangesetsTest, OneThatIsNotThereHasNoEntries) {
  EXPECT_THAT(changesets().entries(world().next<ChangesetId>()).value(), IsEmpty());
}

TEST_P(ChangesetsTest, AreMadeAgainFromTheJournal) {
  auto plan = create();
  const ChangesetId id = start(plan);
  append(plan, {ChangesRecorded{id, {entry("a"), entry("b")}}.to_event(),
                ChangesetSealed{id, base::sha256("net"), 2}.to_event()});
  const auto before = changesets().entries(id).value();
  const auto before_facts = facts(plan, id);
  Rebuild(engine()).run_plan(plan.id).value();
  EXPECT_EQ(changesets().entries(id).value(), before);
  EXPECT_EQ(facts(plan, id), before_facts);
}

TEST_P(ChangesetsTest, NameThePathsOfAPlan) {
  auto plan = create();
  auto other = create();
  append(plan, {ChangesRecorded{start(plan), {entry("b"), entry("a")}}.to_event()});
  append(plan, {ChangesRecorded{start(plan), {entry("c"), entry("a")}}.to_event()});
  append(other, {ChangesRecorded{start(other), {entry("z")}}.to_event()});
  EXPECT_THAT(changesets().paths(plan.id, 10).value(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(changesets().paths(plan.id, 2).value(), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace clever::storage
