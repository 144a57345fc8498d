#include "git/internal/object_log.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "git/internal/group_commit.h"
#include "git/object_store.h"

namespace clever::git::internal {
namespace {

std::shared_ptr<const StoredObject> blob_to_log(const std::string& content) {
  return store_form(object_id_of(ObjectKind::kBlob, content), ObjectKind::kBlob, content);
}

LogSource source_of(const std::string& log) {
  return {.size = log.size(),
          .read = [&log](std::uint64_t offset, std::size_t count) -> base::Result<std::string> {
            EXPECT_LE(offset + count, log.size());
            return log.substr(offset, count);
          }};
}

LogScan scan(const std::string& log, std::uint64_t start = 0) {
  return scan_log(source_of(log), start).value();
}

const Batch& first_batch() {
  static const Batch kBatch = {blob_to_log("one"), blob_to_log(std::string(500, 'x')),
                               blob_to_log("")};
  return kBatch;
}

TEST(ObjectLog, GivesBackWhatWasFramed) {
  const std::string log = frame_of(first_batch()) + frame_of(Batch{blob_to_log("later")});
  const LogScan found = scan(log);
  ASSERT_EQ(found.objects.size(), 4U);
  EXPECT_EQ(found.end, log.size());
  for (std::size_t i = 0; i < first_batch().size(); ++i) {
    const LoggedObject& logged = found.objects[i];
    EXPECT_EQ(logged.facts, first_batch()[i]->facts);
    EXPECT_EQ(log.substr(logged.offset, logged.facts.stored_size), first_batch()[i]->bytes);
  }
  EXPECT_EQ(found.objects[0].offset, frame_head_size(3));
}

TEST(ObjectLog, ContinuesWhereAnEarlierScanEnded) {
  const std::string first = frame_of(first_batch());
  const std::string log = first + frame_of(Batch{blob_to_log("later")});
  EXPECT_EQ(scan(log, first.size()).objects.size(), 1U);
  EXPECT_TRUE(scan(log, log.size()).objects.empty());
  EXPECT_TRUE(scan("", 100).objects.empty());
}

TEST(ObjectLog, IgnoresATornEndWhereverItWasTorn) {
  const std::string first = frame_of(first_batch());
  const std::string log =
      first + frame_of(Batch{blob_to_log("torn"), blob_to_log(std::string(300, 'y'))});
  for (std::size_t size = 0; size < log.size(); ++size) {
    const LogScan found = scan(log.substr(0, size));
    EXPECT_EQ(found.end, size < first.size() ? 0 : first.size()) << size;
    EXPECT_EQ(found.objects.size(), size < first.size() ? 0U : 3U) << size;
  }
}

// After a loss of power a file may have its length but not all of its bytes.
TEST(ObjectLog, IgnoresALastFrameWithHoles) {
  const std::string first = frame_of(first_batch());
  const std::string log = first + frame_of(Batch{blob_to_log("some text that is stored")});
  for (std::size_t hole = first.size(); hole < log.size(); ++hole) {
    std::string damaged = log;
    damaged[hole] = static_cast<char>(~static_cast<unsigned char>(damaged[hole]));
    EXPECT_EQ(scan(damaged).end, first.size()) << hole;
  }
}

TEST(ObjectLog, NamesDamageBeforeAWholeFrame) {
  const std::string first = frame_of(first_batch());
  const std::string log = first + frame_of(Batch{blob_to_log("later")});
  for (std::size_t at = 0; at < frame_head_size(first_batch().size()); ++at) {
    std::string damaged = log;
    damaged[at] = static_cast<char>(~static_cast<unsigned char>(damaged[at]));
    EXPECT_EQ(scan_log(source_of(damaged), 0).error().code(), base::ErrorCode::kCorruption) << at;
  }
}

TEST(ObjectLog, TellsAReaderThatFails) {
  const LogSource broken{.size = 1000, .read = [](std::uint64_t, std::size_t) {
                           return base::Result<std::string>(base::unavailable("no disk"));
                         }};
  EXPECT_EQ(scan_log(broken, 0).error().code(), base::ErrorCode::kUnavailable);
}

TEST(StoredObject, KnowsWhenItIsDamaged) {
  const auto stored = blob_to_log(std::string(500, 'x'));
  ASSERT_TRUE(stored->facts.deflated);
  EXPECT_EQ(content_of(stored->facts, stored->bytes).value(), std::string(500, 'x'));
  EXPECT_FALSE(content_of(stored->facts, stored->bytes.substr(1)).ok());
  ObjectFacts lying = stored->facts;
  lying.size = 501;
  EXPECT_FALSE(content_of(lying, stored->bytes).ok());
  lying.size = std::uint64_t{1} << 60U;
  EXPECT_FALSE(content_of(lying, stored->bytes).ok());
  ObjectFacts plain = blob_to_log("plain")->facts;
  plain.size = 4;
  EXPECT_FALSE(content_of(plain, "plain").ok());
}

}  // namespace
}  // namespace clever::git::internal
