// Changesets over the real store, on every engine.
#include "sandbox/changeset.h"

#include <gmock/gmock.h>

#include "storage/plan_test.h"

namespace clever::sandbox {
namespace {

using base::ErrorCode;
using model::ChangeEntry;
using ::testing::HasSubstr;

class ChangesetTest : public storage::testing::PlanTest {
 protected:
  [[nodiscard]] model::ChangesetId next_id() { return world().next<model::ChangesetId>(); }

  storage::testing::HeldPlan plan_ = create();
  storage::Journal journal_ = journal();
  storage::PlanAppender appender_{journal_, plan_.id, plan_.lease.epoch, plan_.head};
  std::unique_ptr<ChangeLog> log_ = stored_change_log(appender_, engine());
};
CLEVER_ALL_ENGINES(ChangesetTest);

ChangeEntry written(std::string path, std::string_view before, std::string_view after) {
  const auto state = [](std::string_view content) {
    return model::FileState{0100644, base::sha256(content), {}};
  };
  return {.path = std::move(path), .before = state(before), .after = state(after)};
}

TEST_P(ChangesetTest, IsSealedWithTheDigestOfItsNetChanges) {
  Changeset changeset = Changeset::start(*log_, next_id()).value();
  changeset.record({written("a", "1", "2")}).value();
  changeset.record({written("a", "2", "3"), written("b", "1", "2"), written("b", "2", "1")})
      .value();
  const SealedChangeset sealed = changeset.seal().value();
  ASSERT_EQ(sealed.changes.size(), 1U);
  EXPECT_EQ(sealed.changes[0].before->hash, base::sha256("1"));
  EXPECT_EQ(sealed.changes[0].after->hash, base::sha256("3"));
  EXPECT_EQ(sealed.digest, model::digest_of(sealed.changes));
  EXPECT_EQ(load_sealed(*log_, changeset.id())->digest, sealed.digest);
  EXPECT_EQ(changeset.seal()->digest, sealed.digest) << "sealing again";
}

TEST_P(ChangesetTest, RefusesRecordsOnceItIsSealed) {
  Changeset changeset = Changeset::start(*log_, next_id()).value();
  changeset.seal().value();
  const auto refused = changeset.record({written("a", "1", "2")});
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(refused.error().to_string(), HasSubstr("sealed"));
  EXPECT_TRUE(changeset.entries()->empty());
}

TEST_P(ChangesetTest, NothingToRecordIsNoEvent) {
  Changeset changeset = Changeset::start(*log_, next_id()).value();
  const auto before = journal_.state(plan_.id)->head;
  changeset.record({}).value();
  EXPECT_EQ(journal_.state(plan_.id)->head, before);
}

TEST_P(ChangesetTest, IsNotForApplyWhileItIsOpen) {
  const Changeset changeset = Changeset::start(*log_, next_id()).value();
  EXPECT_EQ(load_sealed(*log_, changeset.id()).error().code(), ErrorCode::kConflict);
}

TEST_P(ChangesetTest, AnEntryChangedByOtherHandsIsCorruption) {
  Changeset changeset = Changeset::start(*log_, next_id()).value();
  changeset.record({written("a", "1", "2")}).value();
  changeset.seal().value();
  edit("UPDATE change_entry SET after_mode = 33261");
  EXPECT_EQ(load_sealed(*log_, changeset.id()).error().code(), ErrorCode::kCorruption);
}

TEST_P(ChangesetTest, IsResumedByItsId) {
  const auto id = next_id();
  EXPECT_EQ(Changeset::resume(*log_, id).error().code(), ErrorCode::kNotFound);
  Changeset::start(*log_, id).value().record({written("a", "1", "2")}).value();
  Changeset again = Changeset::resume(*log_, id).value();
  again.record({written("b", "1", "2")}).value();
  EXPECT_EQ(again.entries()->size(), 2U);
}

TEST_P(ChangesetTest, AFencedOwnerRecordsNothing) {
  Changeset changeset = Changeset::start(*log_, next_id()).value();
  leases().release(plan_.lease, owner()).value();
  EXPECT_EQ(changeset.record({written("a", "1", "2")}).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(changeset.seal().error().code(), ErrorCode::kConflict);
}

}  // namespace
}  // namespace clever::sandbox
