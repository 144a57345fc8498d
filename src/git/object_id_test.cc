#include "git/object_id.h"

#include <gtest/gtest.h>

#include <unordered_set>

namespace clever::git {
namespace {

TEST(ObjectId, ReadsAndWritesHexadecimal) {
  const std::string text = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  EXPECT_EQ(ObjectId::from_hex(text).value().to_hex(), text);
  EXPECT_EQ(ObjectId::from_hex("4B825DC642CB6EB9A060E54BF8D69288FBEE4904").value().to_hex(), text);
}

TEST(ObjectId, RefusesOtherTexts) {
  for (const char* text : {"", "4b82", "4b825dc642cb6eb9a060e54bf8d69288fbee490g",
                           "4b825dc642cb6eb9a060e54bf8d69288fbee49040"}) {
    EXPECT_EQ(ObjectId::from_hex(text).error().code(), base::ErrorCode::kInvalidArgument) << text;
  }
}

TEST(ObjectId, IsNothingByDefault) {
  EXPECT_FALSE(ObjectId());
  EXPECT_TRUE(ObjectId::from_hex(std::string(39, '0') + "1").value());
}

TEST(ObjectId, IsAKey) {
  std::unordered_set<ObjectId> ids = {ObjectId()};
  EXPECT_TRUE(ids.contains(ObjectId()));
}

}  // namespace
}  // namespace clever::git
