#include "model/change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/change_events.h"
#include "support/events.h"

namespace clever::model {
namespace {

using base::ErrorCode;
using test::check_read_back;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

FileState file(std::string_view content, std::uint32_t mode = 0100644) {
  return {mode, base::sha256(content), "object of " + std::string(content)};
}

ChangeEntry entry(std::string path, std::optional<FileState> before,
                  std::optional<FileState> after) {
  return {.path = std::move(path), .before = std::move(before), .after = std::move(after)};
}

TEST(NetChanges, AreWhatIsLeft) {
  const std::vector entries{entry("b", file("1"), file("2")), entry("a", std::nullopt, file("x")),
                            entry("b", file("2"), file("3"))};
  EXPECT_THAT(net_changes(entries), ElementsAre(NetChange{"a", std::nullopt, file("x")},
                                                NetChange{"b", file("1"), file("3")}));
}

TEST(NetChanges, DoNotHoldWhatEndsWhereItBegan) {
  const std::vector entries{entry("a", file("1"), file("2")), entry("a", file("2"), file("1")),
                            entry("b", std::nullopt, file("2")),
                            entry("b", file("2"), std::nullopt)};
  EXPECT_THAT(net_changes(entries), IsEmpty());
}

TEST(NetChanges, DoNotCareWhereBytesAreKept) {
  FileState elsewhere = file("1");
  elsewhere.object = "another";
  EXPECT_THAT(net_changes(std::vector{entry("a", file("1"), elsewhere)}), IsEmpty());
}

TEST(NetChanges, TakeAMoveForADeletionAndACreation) {
  ChangeEntry move = entry("new", file("1"), file("1"));
  move.from = "old";
  move.operation = ChangeOperation::kMove;
  EXPECT_THAT(net_changes(std::vector{move}),
              ElementsAre(NetChange{"new", std::nullopt, file("1")},
                          NetChange{"old", file("1"), std::nullopt}));
  ChangeEntry back = entry("old", file("1"), file("1"));
  back.from = "new";
  EXPECT_THAT(net_changes(std::vector{move, back}), IsEmpty());
}

TEST(ChangesetDigest, DependsOnEveryPartAndNothingElse) {
  const NetChange change{"a", file("1"), file("2")};
  const auto digest = digest_of(std::vector{change});
  NetChange kept_elsewhere = change;
  kept_elsewhere.after->object = "x";
  EXPECT_EQ(digest_of(std::vector{kept_elsewhere}), digest);
  EXPECT_NE(digest_of(std::vector{NetChange{"b", file("1"), file("2")}}), digest);
  EXPECT_NE(digest_of(std::vector{NetChange{"a", std::nullopt, file("2")}}), digest);
  EXPECT_NE(digest_of(std::vector{NetChange{"a", file("1"), std::nullopt}}), digest);
  EXPECT_NE(digest_of(std::vector{NetChange{"a", file("1"), file("2", 0100755)}}), digest);
  EXPECT_NE(digest_of(std::vector{NetChange{"a", file("1"), file("3")}}), digest);
  EXPECT_NE(digest_of(std::vector{change, change}), digest);
  EXPECT_NE(digest_of(std::vector<NetChange>{}), digest);
}

TEST(ChangesetDigest, StaysTheSameForEver) {
  // Approvals name it: another program must compute the same.
  const std::vector changes{NetChange{"src/a.cc", file("before"), file("after", 0100755)},
                            NetChange{"z", file("gone"), std::nullopt}};
  EXPECT_EQ(digest_of(changes).to_hex(),
            "f297a182d6107f0b242e0fd267049cfd6211a992b856a259e85a9b74ff74179d");
}

TEST(ChangeOperations, HaveNames) {
  for (int i = 0; i <= static_cast<int>(ChangeOperation::kRestored); ++i) {
    const auto operation = static_cast<ChangeOperation>(i);
    EXPECT_EQ(change_operation_from_string(to_string(operation)).value(), operation);
  }
  EXPECT_THAT(change_operation_from_string("rename").error().message(), HasSubstr("'rename'"));
}

ChangesetId changeset() {
  return ChangesetId(base::Ulid({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7}));
}

TEST(ChangeEvents, AreReadAsTheyWereWritten) {
  check_read_back(ChangesetStarted{changeset(), {}});
  check_read_back(ChangesetStarted{changeset(), DecisionId(changeset().ulid())});
  check_read_back(ChangesetSealed{changeset(), base::sha256("x"), 12});
  ChangeEntry move = entry("to", file("1"), file("2", 0120000));
  move.from = "from";
  move.operation = ChangeOperation::kMove;
  move.tool = "move_file";
  move.decision = DecisionId(changeset().ulid());
  check_read_back(ChangesRecorded{changeset(), {move, entry("p", std::nullopt, file(""))}});
}

TEST(ChangeEvents, KeepPathsThatAreNoText) {
  ChangeEntry odd = entry("caf\xe9/\xff\n", std::nullopt, file("1"));
  odd.from = std::string("a\xc3", 2);
  check_read_back(ChangesRecorded{changeset(), {odd}});
}

template <class T>
void check_change_refused(std::string_view data, const std::string& why) {
  const auto parsed = T::parse(data);
  ASSERT_FALSE(parsed.ok()) << data;
  EXPECT_EQ(parsed.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(parsed.error().to_string(), HasSubstr(why)) << data;
}

TEST(ChangeEvents, SayWhichKeyIsWrong) {
  const std::string id = changeset().to_string();
  const auto with = [&](const std::string& entry_text) {
    return R"({"changeset":")" + id + R"(","entries":[)" + entry_text + "]}";
  };
  check_change_refused<ChangesetStarted>("{}", "\"id\"");
  check_change_refused<ChangesRecorded>(R"({"changeset":")" + id + R"(","entries":7})",
                                        "an array of objects");
  check_change_refused<ChangesRecorded>(with("3"), "an array of objects");
  check_change_refused<ChangesRecorded>(with("{}"), "\"entries\"[0]: \"path\"");
  check_change_refused<ChangesRecorded>(with(R"({"path":"a","operation":"rename"})"), "'rename'");
  check_change_refused<ChangesRecorded>(with(R"({"path_base64":"*","operation":"create"})"),
                                        "\"path_base64\"");
  check_change_refused<ChangesRecorded>(
      with(R"({"path":"a","operation":"create","after":{"mode":-1,"hash":"","object":""}})"),
      "\"mode\"");
  check_change_refused<ChangesRecorded>(
      with(R"({"path":"a","operation":"create","after":{"mode":1,"hash":"zz","object":""}})"),
      "\"hash\"");
  check_change_refused<ChangesetSealed>(
      R"({"changeset":")" + id + R"(","digest":"ab","entries":1})", "\"digest\"");
  check_change_refused<ChangesetSealed>(R"({"changeset":")" + id + R"(","digest":")" +
                                            base::sha256("").to_hex() + R"(","entries":-1})",
                                        "\"entries\"");
}

}  // namespace
}  // namespace clever::model
