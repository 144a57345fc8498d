#include "context/internal/history_cache.h"

#include <gtest/gtest.h>

#include <string>

#include "base/sha256.h"
#include "context/internal/log_output.h"

namespace clever::context::internal {
namespace {

using base::ErrorCode;

const std::string kZero(1, '\0');
constexpr CacheKey kKey{100, 60};

std::string hex(char digit) { return std::string(40, digit); }

CommitTable example() {
  CommitTable table;
  read_log(kZero + hex('a') + " 200 " + hex('b') + kZero + "Parse lines\n\nof text" + kZero +
               kZero + "\nM" + kZero + "src/line.cc" + kZero + "R090" + kZero + "old.h" + kZero +
               "new.h" + kZero + "D" + kZero + "gone" + kZero + kZero + hex('b') + " -5 " + kZero +
               "" + kZero + kZero + "\nA" + kZero + "old.h" + kZero,
           60, table);
  table.heads = {table.commits.at(0).id};
  table.cut = true;
  return table;
}

std::string signed_again(std::string body) {
  const auto digest = base::sha256(body);
  return body.append(reinterpret_cast<const char*>(digest.bytes().data()), digest.bytes().size());
}

TEST(HistoryCache, ReturnsWhatWasKept) {
  const CommitTable table = example();
  ASSERT_EQ(table.commits.size(), 2U);
  EXPECT_EQ(table.commits[0].changes.size(), 3U);
  const CommitTable again = cache_from(cache_bytes(table, kKey), kKey).value();
  EXPECT_EQ(again.commits, table.commits);
  EXPECT_EQ(again.heads, table.heads);
  EXPECT_TRUE(again.cut);
  ASSERT_EQ(again.paths.size(), table.paths.size());
  for (std::uint32_t i = 0; i < table.paths.size(); ++i) EXPECT_EQ(again.paths[i], table.paths[i]);
  EXPECT_EQ(again.words.find("pars"), table.words.find("pars"));
  EXPECT_EQ(cache_bytes(again, kKey), cache_bytes(table, kKey));
}

TEST(HistoryCache, IsOfNoUseForOtherLimits) {
  const std::string bytes = cache_bytes(example(), kKey);
  EXPECT_EQ(cache_from(bytes, {100, 61}).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(cache_from(bytes, {101, 60}).error().code(), ErrorCode::kNotFound);
}

TEST(HistoryCache, NoticesEveryChangedByte) {
  const std::string bytes = cache_bytes(example(), kKey);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string spoilt = bytes;
    spoilt[i] = static_cast<char>(spoilt[i] ^ 1);
    EXPECT_EQ(cache_from(spoilt, kKey).error().code(), ErrorCode::kCorruption) << i;
  }
}

TEST(HistoryCache, NoticesEveryCut) {
  const std::string bytes = cache_bytes(example(), kKey);
  const std::string body = bytes.substr(0, bytes.size() - 32);
  const std::size_t head = body.find('\n', body.find('\n') + 1) + 1;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(cache_from(bytes.substr(0, size), kKey).ok()) << size;
  }
  // Also with a checksum that fits.
  for (std::size_t size = head; size < body.size(); ++size) {
    EXPECT_FALSE(cache_from(signed_again(body.substr(0, size)), kKey).ok()) << size;
  }
  EXPECT_FALSE(cache_from(signed_again(body + "x"), kKey).ok());
  EXPECT_TRUE(cache_from(signed_again(body), kKey).ok());
}

TEST(HistoryCache, TakesNoNumberThatMeansNothing) {
  const std::string bytes = cache_bytes(example(), kKey);
  const std::string body = bytes.substr(0, bytes.size() - 32);
  const std::size_t head = body.find('\n', body.find('\n') + 1) + 1;
  for (std::size_t i = head; i < body.size(); ++i) {
    std::string spoilt = body;
    spoilt[i] = '\x7F';
    // Some bytes are texts and may be anything; none may crash or lead outside the tables.
    const auto table = cache_from(signed_again(spoilt), kKey);
    if (!table.ok()) continue;
    for (const Commit& commit : table->commits) {
      for (const Change& change : commit.changes) EXPECT_LT(change.path, table->paths.size());
      for (const WordCount& word : commit.words) EXPECT_LT(word.word, table->words.size());
    }
  }
}

TEST(LogOutput, LeavesOutAnInvalidCommit) {
  for (const std::string& head : {std::string("nonsense"), hex('g') + " 1 ", hex('a') + " x ",
                                  hex('a') + " 1 parent", hex('a')}) {
    CommitTable table;
    read_log(kZero + head + kZero + "message" + kZero + kZero, 60, table);
    EXPECT_TRUE(table.commits.empty()) << head;
  }
}

TEST(LogOutput, EndsWhereverTheOutputEnds) {
  const std::string whole = kZero + hex('a') + " 1 " + kZero + "message" + kZero + kZero +
                            "\nR100" + kZero + "from" + kZero + "to" + kZero;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CommitTable table;
    read_log(whole.substr(0, size), 60, table);
    EXPECT_LE(table.commits.size(), 1U);
    if (!table.commits.empty()) {
      EXPECT_TRUE(table.commits[0].changes.empty()) << size;
    }
  }
}

TEST(LogOutput, OfACommitOfManyFilesKeepsWhatWasRenamedAndDeleted) {
  std::string text =
      kZero + hex('a') + " 1 " + kZero + "message" + kZero + kZero + "\nM" + kZero + "m" + kZero;
  text += "R100" + kZero + "from" + kZero + "to" + kZero + "D" + kZero + "gone" + kZero;
  CommitTable table;
  read_log(text, 2, table);
  ASSERT_EQ(table.commits.size(), 1U);
  EXPECT_EQ(table.commits[0].files, 3U);
  ASSERT_EQ(table.commits[0].changes.size(), 2U);
  EXPECT_EQ(table.commits[0].changes[0].kind, Change::Kind::kRenamed);
  EXPECT_EQ(table.commits[0].changes[1].kind, Change::Kind::kDeleted);
}

}  // namespace
}  // namespace clever::context::internal
