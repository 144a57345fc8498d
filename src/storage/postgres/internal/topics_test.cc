#include "storage/postgres/internal/topics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::storage::postgres {
namespace {

using ::testing::ElementsAre;

TEST(TopicsTest, ReportsEachTopicOnce) {
  EXPECT_THAT(coalesced({"b", "a", "b", "a"}), ElementsAre("a", "b"));
}

TEST(TopicsTest, WhatIsWrittenIsRead) {
  const std::string payload = payload_of("me", {"plan/1", "a,b", "ü"});
  const TopicNews news = read_payload(payload);
  EXPECT_EQ(news.sender, "me");
  ASSERT_TRUE(news.topics.has_value());
  EXPECT_THAT(*news.topics, ElementsAre("plan/1", "a,b", "ü"));
}

void check_everything(const std::vector<std::string>& topics) {
  const std::string payload = payload_of("me", topics);
  EXPECT_LT(payload.size(), 8000U);
  const TopicNews news = read_payload(payload);
  EXPECT_EQ(news.sender, "me");
  EXPECT_FALSE(news.topics.has_value());
}

TEST(TopicsTest, WhatDoesNotFitIsEverything) {
  check_everything(std::vector<std::string>(1000, "a topic of some length"));
  check_everything({std::string(9000, 'x')});
}

TEST(TopicsTest, WhatCannotBeWrittenIsEverything) {
  check_everything({"two\nlines"});
  check_everything({std::string("a\0b", 3)});
  check_everything({"\xff"});
  check_everything({""});
  check_everything({"*"});
}

TEST(TopicsTest, WhatOthersWriteOnTheChannelIsEverything) {
  for (const auto* const payload : {"", "hello"}) {
    const TopicNews news = read_payload(payload);
    EXPECT_EQ(news.sender, "");
    EXPECT_FALSE(news.topics.has_value());
  }
}

}  // namespace
}  // namespace clever::storage::postgres
