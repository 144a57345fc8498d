#include "storage/access.h"

#include <chrono>

#include "storage/audit_log.h"
#include "storage/engines.h"
#include "storage/topic_watch.h"
#include "support/together.h"

namespace clever::storage {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AccessTest : public testing::EngineTest {
 protected:
  void commit(UnitOfWork unit) { ASSERT_TRUE(engine().commit(std::move(unit)).ok()); }
  static AccessToken token(std::uint8_t number, const std::string& person) {
    base::Ulid::Bytes bytes{};
    bytes.back() = number;
    return {.id = TokenId(base::Ulid(bytes)),
            .person = person,
            .label = "a laptop",
            .rights = {"read", "run"},
            .namespaces = {"a", "b"},
            .created = kNow,
            .expires = kNow + 1h};
  }
  AuditLog log() { return {engine(), clock_}; }
  Access access() { return Access(engine()); }

  static constexpr model::Timestamp kNow = model::to_timestamp(1'700'000'000'000'000);
  base::SimulatedClock clock_;
};

TEST_P(AccessTest, ATokenIsFoundAsItWasMade) {
  commit(Access::add_person("ada", kNow));
  commit(Access::add_token(token(1, "ada"), base::sha256("secret")));
  const KnownToken found = access().find(token(1, "ada").id).value();
  EXPECT_EQ(found.token, token(1, "ada"));
  EXPECT_EQ(found.hash, base::sha256("secret"));
  EXPECT_FALSE(found.orphaned);
  EXPECT_THAT(access().tokens("ada").value(), ElementsAre(token(1, "ada")));
  EXPECT_THAT(access().tokens("").value(), SizeIs(1));
  EXPECT_THAT(access().tokens("bob").value(), IsEmpty());
  EXPECT_EQ(access().find(token(2, "ada").id).error().code(), base::ErrorCode::kNotFound);
}

TEST_P(AccessTest, ATokenTakesAPersonWhoIsThere) {
  const auto missing = engine().commit(Access::add_token(token(1, "ada"), base::sha256("s")));
  EXPECT_EQ(missing.error().code(), base::ErrorCode::kNotFound);
  commit(Access::add_person("ada", kNow));
  commit(Access::add_token(token(1, "ada"), base::sha256("s")));
  commit(Access::remove_person(access().find_person("ada").value(), kNow));
  EXPECT_TRUE(access().find(token(1, "ada").id).value().orphaned);
  const auto removed = engine().commit(Access::add_token(token(2, "ada"), base::sha256("s")));
  EXPECT_EQ(removed.error().code(), base::ErrorCode::kNotFound);
  EXPECT_EQ(engine().commit(Access::add_person("ada", kNow)).error().code(),
            base::ErrorCode::kAlreadyExists);
}

TEST_P(AccessTest, ARevocationHappensOnceAndWakesWhoWatches) {
  commit(Access::add_person("ada", kNow));
  commit(Access::add_token(token(1, "ada"), base::sha256("s")));
  TopicWatch watch(engine(), std::string(Access::kTopic));
  const auto seen = watch.changes();
  const KnownToken known = access().find(token(1, "ada").id).value();
  commit(Access::revoke_token(known, kNow + 1s));
  EXPECT_TRUE(watch.wait(seen, {}, base::Deadline::never()).ok());
  EXPECT_EQ(access().find(known.token.id).value().token.revoked, kNow + 1s);
  EXPECT_EQ(engine().commit(Access::revoke_token(known, kNow)).error().code(),
            base::ErrorCode::kConflict);
  commit(Access::note_use(known.token.id, kNow));
  EXPECT_EQ(access().find(known.token.id).value().token.used, kNow);
  EXPECT_THAT(access().faults().value(), IsEmpty());
}

TEST_P(AccessTest, AnAuditEntryAndItsChangeHappenTogetherOrNotAtAll) {
  const auto done =
      log().append({.caller = "root", .action = "person.add"}, Access::add_person("ada", kNow));
  EXPECT_EQ(done.value().sequence, 1);
  const auto refused =
      log().append({.caller = "root", .action = "person.add"}, Access::add_person("ada", kNow));
  EXPECT_EQ(refused.error().code(), base::ErrorCode::kAlreadyExists);
  const auto all = log().list(0, 10).value();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0], *done);
  EXPECT_THAT(access().people().value(), SizeIs(1));
}

TEST_P(AccessTest, WritersOfTheAuditLogMakeOneChain) {
  constexpr int kWriters = 8;
  constexpr int kEntries = 10;
  test::together(kWriters, [&](int writer) {
    for (int i = 0; i < kEntries; ++i) {
      AuditLog mine(engine(), clock_);
      EXPECT_TRUE(mine.append({.caller = std::to_string(writer), .action = "x"}).ok());
    }
  });
  EXPECT_THAT(log().list(0, 1000).value(), SizeIs(kWriters * kEntries));
  EXPECT_THAT(log().list(78, 1000).value(), SizeIs(2));
  EXPECT_THAT(log().faults().value(), IsEmpty());
}

TEST_P(AccessTest, ALastEntryThatIsGoneIsMissed) {
  for (const char* action : {"a", "b"}) ASSERT_TRUE(log().append({.action = action}).ok());
  UnitOfWork removal;
  removal.run("DELETE FROM audit WHERE sequence = 2");
  commit(std::move(removal));
  EXPECT_THAT(log().faults().value(), ElementsAre(HasSubstr("head")));
}

TEST_P(AccessTest, TextsOfTheAuditLogAreCutToWhatAColumnTakes) {
  const std::string odd = std::string("a\0b\xFF", 4) + std::string(5000, 'x');
  ASSERT_TRUE(log().append({.target = odd}).ok());
  EXPECT_LE(log().list(0, 1).value()[0].target.size(), 1010U);
  EXPECT_THAT(log().faults().value(), IsEmpty());
}

CLEVER_ALL_ENGINES(AccessTest);

}  // namespace
}  // namespace clever::storage
