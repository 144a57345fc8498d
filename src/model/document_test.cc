#include "model/document.h"

#include <gtest/gtest.h>

namespace clever::model {
namespace {

TEST(DocumentTest, KeepsTheOrderOfKeys) {
  const Document map = Document::map().set("b", 1).set("a", 2);
  const auto& entries = std::get<Document::Map>(map.value());
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].key, "b");
  EXPECT_EQ(entries[1].key, "a");
}

TEST(DocumentTest, SettingAKeyAgainReplacesItsValueInPlace) {
  const Document map = Document::map().set("a", 1).set("b", 2).set("a", "new");
  EXPECT_EQ(map, Document::map().set("a", "new").set("b", 2));
}

TEST(DocumentTest, NullBecomesWhatIsPutIntoIt) {
  Document map;
  map.set("key", true);
  EXPECT_EQ(map, Document::map().set("key", true));
  Document list;
  list.push(1);
  EXPECT_EQ(std::get<Document::List>(list.value()).size(), 1U);
}

TEST(DocumentTest, FindsKeysOfMapsOnly) {
  const Document map = Document::map().set("key", "value");
  ASSERT_NE(map.find("key"), nullptr);
  EXPECT_EQ(*map.find("key"), Document("value"));
  EXPECT_EQ(map.find("other"), nullptr);
  EXPECT_EQ(Document("text").find("key"), nullptr);
}

TEST(DocumentTest, KindsDiffer) {
  EXPECT_NE(Document(true), Document(1));
  EXPECT_NE(Document(1), Document(1.0));
  EXPECT_NE(Document(), Document(""));
  EXPECT_NE(Document::list(), Document::map());
}

TEST(DocumentDeathTest, PuttingIntoAScalarIsABug) {
  Document text("text");
  EXPECT_DEATH(text.set("key", 1), "no map");
  EXPECT_DEATH(text.push(1), "no list");
}

}  // namespace
}  // namespace clever::model
