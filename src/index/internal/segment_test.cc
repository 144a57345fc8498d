#include "index/internal/segment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "git/object_store.h"
#include "index/internal/segment_builder.h"
#include "index/internal/segment_merge.h"
#include "index/internal/syntax_codec.h"
#include "support/temporary_directory.h"

namespace clever::index::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using Postings = std::vector<std::pair<DocumentNumber, std::uint32_t>>;

git::ObjectId blob_of(std::string_view content) {
  return git::object_id_of(git::ObjectKind::kBlob, content);
}

DocumentRecord record_of(std::string_view content) {
  return {.blob = blob_of(content).bytes(), .bytes = static_cast<std::uint32_t>(content.size())};
}

SegmentBuilder::Understood some_syntax() {
  SegmentBuilder::Understood understood;
  understood.syntax.symbols.push_back({.name = "parseLine", .range = {0, 9, 1, 2}});
  understood.syntax.references.push_back({.name = "strlen", .count = 3});
  understood.syntax.imports = {"string.h"};
  understood.chunks.push_back({.range = {0, 9, 1, 2}});
  understood.vectors.push_back({1, 2, -3, 4});
  return understood;
}

std::shared_ptr<const Segment> written(SegmentBuilder& builder, const std::filesystem::path& path) {
  EXPECT_TRUE(builder.write(path, "test/1").ok());
  return Segment::open(path, Segment::Verify::kEverything).value();
}

Postings postings_of(const Segment& segment, Field field, std::string_view text) {
  Postings all;
  for_each_posting(
      segment.postings(field, text), segment.size(),
      [&](DocumentNumber document, std::uint32_t count) { all.emplace_back(document, count); });
  return all;
}

class SegmentTest : public testing::Test {
 protected:
  std::shared_ptr<const Segment> small() {
    const SegmentBuilder::Understood understood = some_syntax();
    builder_.add(record_of("one two two"), "one two two", nullptr);
    builder_.add(record_of("two three"), "two three", &understood);
    return written(builder_, path_);
  }

  const test::TemporaryDirectory folder_;
  const std::filesystem::path path_ = folder_ / "segment-1-1";
  SegmentBuilder builder_;
};

TEST_F(SegmentTest, KnowsWhichDocumentsHoldAWord) {
  const auto segment = small();
  EXPECT_THAT(postings_of(*segment, Field::kContent, "two"), ElementsAre(Pair(0, 2), Pair(1, 1)));
  EXPECT_THAT(postings_of(*segment, Field::kContent, "three"), ElementsAre(Pair(1, 1)));
  EXPECT_THAT(postings_of(*segment, Field::kContent, "four"), IsEmpty());
  EXPECT_THAT(postings_of(*segment, Field::kUsed, "two"), IsEmpty());
}

TEST_F(SegmentTest, KnowsNamesAndTheirWords) {
  const auto segment = small();
  EXPECT_THAT(postings_of(*segment, Field::kDefined, "parseLine"), ElementsAre(Pair(1, 1)));
  EXPECT_THAT(postings_of(*segment, Field::kDefinition, "parse"), ElementsAre(Pair(1, 1)));
  EXPECT_THAT(postings_of(*segment, Field::kUsed, "strlen"), ElementsAre(Pair(1, 3)));
  EXPECT_THAT(postings_of(*segment, Field::kImport, "string"), ElementsAre(Pair(1, 1)));
}

TEST_F(SegmentTest, FindsDocumentsByContentAndLanguage) {
  const auto segment = small();
  EXPECT_EQ(segment->find(blob_of("two three"), syntax::Language::kText, {}), 1U);
  EXPECT_FALSE(segment->find(blob_of("two three"), syntax::Language::kC, {}));
  EXPECT_FALSE(segment->find(blob_of("another"), syntax::Language::kText, {}));
}

TEST_F(SegmentTest, FindsOnlyWhatServes) {
  const auto segment = small();
  const Needs all{.syntax = true, .embedder = "test/1"};
  EXPECT_EQ(segment->find(blob_of("two three"), syntax::Language::kText, all), 1U);
  EXPECT_FALSE(segment->find(blob_of("one two two"), syntax::Language::kText, all));
  EXPECT_FALSE(segment->find(blob_of("two three"), syntax::Language::kText,
                             {.syntax = true, .embedder = "test/2"}));
}

TEST_F(SegmentTest, KeepsWhatWasUnderstood) {
  const auto segment = small();
  EXPECT_EQ(decode_syntax(segment->details(segment->document(1))).value(), some_syntax().syntax);
  EXPECT_EQ(segment->dimensions(), 4U);
  EXPECT_EQ(segment->vector_bytes(segment->document(1)), std::string_view("\x01\x02\xFD\x04"));
  EXPECT_EQ(segment->chunk(segment->document(1), 0).end, 9U);
}

TEST_F(SegmentTest, OfNothingIsEmpty) {
  const auto segment = written(builder_, path_);
  EXPECT_EQ(segment->size(), 0U);
  EXPECT_THAT(postings_of(*segment, Field::kContent, "two"), IsEmpty());
  EXPECT_FALSE(segment->find(blob_of("x"), syntax::Language::kText, {}));
}

TEST_F(SegmentTest, EveryChangedByteIsFound) {
  small();
  const std::string bytes = folder_.read("segment-1-1");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    folder_.write("changed", changed);
    const auto segment = Segment::open(folder_ / "changed", Segment::Verify::kEverything);
    ASSERT_FALSE(segment.ok()) << "byte " << i;
    ASSERT_EQ(segment.error().code(), base::ErrorCode::kCorruption);
  }
}

TEST_F(SegmentTest, EveryCutIsFound) {
  small();
  const std::string bytes = folder_.read("segment-1-1");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    folder_.write("cut", bytes.substr(0, size));
    ASSERT_FALSE(Segment::open(folder_ / "cut", Segment::Verify::kEverything).ok()) << size;
  }
}

TEST_F(SegmentTest, UnverifiedDamageIsHarmless) {
  small();
  const std::string bytes = folder_.read("segment-1-1");
  base::SeededRandom random(7);
  for (int round = 0; round < 100; ++round) {
    std::string changed = bytes;
    for (int i = 0; i < 8; ++i) {
      changed[random.below(changed.size())] = static_cast<char>(random.below(256));
    }
    folder_.write("changed", changed);
    const auto segment = Segment::open(folder_ / "changed", Segment::Verify::kShape);
    if (!segment.ok()) continue;
    for (const char* word : {"one", "two", "three", "zzz"}) {
      (void)postings_of(**segment, Field::kContent, word);
    }
    for (DocumentNumber i = 0; i < (*segment)->size(); ++i) {
      (void)decode_syntax((*segment)->details((*segment)->document(i)));
      (void)(*segment)->vector_bytes((*segment)->document(i));
      (void)(*segment)->chunk((*segment)->document(i), 0);
    }
    (void)(*segment)->find(blob_of("two three"), syntax::Language::kText, {});
    ASSERT_TRUE(merge_segments(
                    {*segment}, [](const DocumentRecord&) { return true; }, folder_ / "merged")
                    .ok());
  }
}

// What is written is read again, whatever the documents, and whether or not it is merged.
TEST_F(SegmentTest, PostingsComeBackAsTheyWere) {
  base::SeededRandom random(11);
  std::map<std::string, std::map<git::ObjectId, std::uint32_t>> expected;
  std::vector<std::shared_ptr<const Segment>> segments;
  int number = 0;
  for (int part = 0; part < 3; ++part) {
    SegmentBuilder builder;
    for (int i = 0; i < 300; ++i) {
      std::string content = "unique" + std::to_string(number++) + " ";
      for (std::uint64_t words = random.below(60); words > 0; --words) {
        content += "word" + std::to_string(random.below(random.below(200) + 1)) + " ";
      }
      std::map<std::string, std::uint32_t> counts;
      for (std::size_t at = 0; at < content.size();) {
        const std::size_t end = content.find(' ', at);
        ++counts[content.substr(at, end - at)];
        at = end + 1;
      }
      for (const auto& [word, count] : counts) expected[word][blob_of(content)] = count;
      builder.add(record_of(content), content, nullptr);
    }
    segments.push_back(written(builder, folder_ / ("part" + std::to_string(part))));
  }
  ASSERT_TRUE(merge_segments(segments, [](const DocumentRecord&) { return true; }, path_).ok());
  const auto merged = Segment::open(path_, Segment::Verify::kEverything).value();
  EXPECT_EQ(merged->size(), 900U);
  for (const auto& [word, documents] : expected) {
    std::map<git::ObjectId, std::uint32_t> found;
    for (const auto& [document, count] : postings_of(*merged, Field::kContent, word)) {
      found[merged->blob(document)] = count;
    }
    ASSERT_EQ(found, documents) << word;
    std::map<git::ObjectId, std::uint32_t> apart;
    for (const auto& segment : segments) {
      for (const auto& [document, count] : postings_of(*segment, Field::kContent, word)) {
        apart[segment->blob(document)] = count;
      }
    }
    ASSERT_EQ(apart, documents) << word;
  }
}

TEST_F(SegmentTest, MergingKeepsEachContentOnceWithMostKnown) {
  const SegmentBuilder::Understood understood = some_syntax();
  SegmentBuilder plain;
  plain.add(record_of("two three"), "two three", nullptr);
  plain.add(record_of("dropped"), "dropped", nullptr);
  const auto first = written(plain, folder_ / "first");
  const auto second = small();
  const auto keeps = [](const DocumentRecord& record) {
    return git::ObjectId(record.blob) != blob_of("dropped");
  };
  ASSERT_TRUE(merge_segments({first, second}, keeps, folder_ / "merged").ok());
  const auto merged = Segment::open(folder_ / "merged", Segment::Verify::kEverything).value();
  ASSERT_EQ(merged->size(), 2U);
  const auto number = merged->find(blob_of("two three"), syntax::Language::kText,
                                   {.syntax = true, .embedder = "test/1"});
  ASSERT_TRUE(number);
  EXPECT_EQ(decode_syntax(merged->details(merged->document(*number))).value(), understood.syntax);
  EXPECT_EQ(merged->vector_bytes(merged->document(*number)), std::string_view("\x01\x02\xFD\x04"));
  EXPECT_THAT(postings_of(*merged, Field::kContent, "dropped"), IsEmpty());
}

TEST_F(SegmentTest, MergingCanBeStopped) {
  base::StopSource stop;
  stop.request_stop();
  const auto merged = merge_segments(
      {small()}, [](const DocumentRecord&) { return true; }, folder_ / "merged", stop.token());
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(merged.error().code(), base::ErrorCode::kCancelled);
}

TEST(SegmentBuilder, SaysWhenTheDiskIsFull) {
  SegmentBuilder builder;
  builder.add(record_of("one"), "one two", nullptr);
  const auto result = builder.write("/dev/full", "");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), base::ErrorCode::kResourceExhausted);
  EXPECT_TRUE(builder.empty());
}

TEST(SegmentBuilder, BinaryContentHasNoWords) {
  const test::TemporaryDirectory folder;
  SegmentBuilder builder;
  DocumentRecord record = record_of("one");
  record.kind = ContentKind::kBinary;
  builder.add(record, "one two", nullptr);
  const auto segment = written(builder, folder / "s");
  EXPECT_THAT(postings_of(*segment, Field::kContent, "two"), IsEmpty());
  EXPECT_TRUE(segment->find(blob_of("one"), syntax::Language::kText, {.syntax = true}));
}

}  // namespace
}  // namespace clever::index::internal
