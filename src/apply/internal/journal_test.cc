#include "apply/internal/journal.h"

#include <gtest/gtest.h>

#include "apply/internal/journal_bytes.h"
#include "io/file.h"
#include "support/temporary_directory.h"

namespace clever::apply::internal {
namespace {

using base::ErrorCode;

Journal whole() {
  Journal journal;
  journal.beginning = {.id = "id",
                       .plan = "plan",
                       .digest = base::sha256("digest"),
                       .mode = Mode::kBranch,
                       .staging = ".staging",
                       .undo = true};
  journal.lock = LockFile{.device = 7, .inode = 1ULL << 40U};
  journal.staged =
      Staged{.operations = {{.path = "a\n\xff",
                             .before = {Image::Kind::kLink, base::sha256("1")},
                             .after = {Image::Kind::kExecutable, base::sha256("2")}}},
             .made_folders = {"a", "a/b"},
             .emptied_folders = {{.path = "c", .mode = 0750}},
             .landing = Landing{.reference = "refs/heads/main",
                                .old_commit = "0",
                                .new_commit = "1",
                                .reflog = "log",
                                .index = true,
                                .entries = {{.path = "a", .mode = 0100644, .object = "o"}}}};
  journal.verified = true;
  journal.back = true;
  return journal;
}

std::vector<std::string> records(const Journal& journal) {
  return {record_of(journal.beginning), record_of(*journal.lock), record_of(*journal.staged),
          verified_record(), back_record()};
}

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

TEST(Journal, ReadsWhatWasWritten) {
  EXPECT_EQ(read_journal(joined(records(whole()))).value(), whole());
}

TEST(Journal, ReadsWhatAGroupWrote) {
  Journal of_group = whole();
  of_group.beginning.group = "/home/groups/one";
  of_group.beginning.projects = {"/one", "/t\nwo"};
  EXPECT_EQ(read_journal(joined(records(of_group))).value(), of_group);
  of_group.beginning.projects.clear();
  EXPECT_EQ(read_journal(joined(records(of_group))).value(), of_group);
}

TEST(Journal, EveryCutEndsBeforeTheTornRecord) {
  const std::vector<std::string> parts = records(whole());
  const std::string all = joined(parts);
  for (std::size_t size = 0; size < all.size(); ++size) {
    const auto journal = read_journal(all.substr(0, size));
    ASSERT_TRUE(journal.ok()) << size;
    EXPECT_EQ(journal->has_value(), size >= parts[0].size());
    if (!journal->has_value()) continue;
    EXPECT_EQ((*journal)->staged.has_value(),
              size >= parts[0].size() + parts[1].size() + parts[2].size());
    EXPECT_FALSE((*journal)->back);
  }
}

TEST(Journal, DistinguishesDamageBeforeTheEnd) {
  const std::vector<std::string> parts = records(whole());
  std::string all = joined(parts);
  all[parts[0].size() + 10] = static_cast<char>(all[parts[0].size() + 10] ^ 1);
  EXPECT_EQ(read_journal(all).error().code(), ErrorCode::kCorruption);
}

TEST(Journal, RefusesRecordsOutOfPlace) {
  const std::vector<std::string> parts = records(whole());
  EXPECT_EQ(read_journal(parts[1] + parts[0]).error().code(), ErrorCode::kCorruption);
  EXPECT_EQ(read_journal(parts[0] + parts[0]).error().code(), ErrorCode::kCorruption);
}

TEST(Journal, OneOfAnOlderVersionIsNotAUndo) {
  Beginning beginning = whole().beginning;
  const std::string payload = ByteWriter()
                                  .text(beginning.id)
                                  .text(beginning.plan)
                                  .digest(beginning.digest)
                                  .number(static_cast<std::uint8_t>(beginning.mode), 1)
                                  .text(beginning.staging)
                                  .take();
  const std::string body = ByteWriter().number(1, 1).text(payload).take();
  beginning.undo = false;
  EXPECT_EQ(read_journal(body + ByteWriter().digest(base::sha256(body)).take()).value()->beginning,
            beginning);
}

TEST(Journal, SaysWhichWayItGoes) {
  Journal journal;
  EXPECT_FALSE(journal.goes_forward());
  journal.staged.emplace();
  EXPECT_FALSE(journal.goes_forward());
  journal.verified = true;
  EXPECT_TRUE(journal.goes_forward());
  journal.back = true;
  EXPECT_FALSE(journal.goes_forward());
}

TEST(Journal, IsWrittenRecordByRecord) {
  const test::TemporaryDirectory folder;
  const Journal journal = whole();
  auto file = JournalFile::begin(folder / "journal", journal.beginning).value();
  file.locked(*journal.lock).value();
  file.staged(*journal.staged).value();
  file.verified().value();
  file.back().value();
  EXPECT_EQ(read_journal(folder.read("journal")).value(), journal);
}

}  // namespace
}  // namespace clever::apply::internal
