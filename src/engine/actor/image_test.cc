#include "engine/actor/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace clever::engine {
namespace {

using testing::HasSubstr;
using namespace std::string_view_literals;

TEST(ImageMediaType, ByTheFirstBytes) {
  EXPECT_EQ(image_media_type("\x89PNG\r\n\x1A\nrest"sv), "image/png");
  EXPECT_EQ(image_media_type("\xFF\xD8\xFF\xE0"sv), "image/jpeg");
  EXPECT_EQ(image_media_type("GIF89a..."sv), "image/gif");
  EXPECT_EQ(image_media_type("GIF87a..."sv), "image/gif");
  EXPECT_EQ(image_media_type("RIFF\0\0\0\0WEBPVP8 "sv), "image/webp");
  EXPECT_EQ(image_media_type("RIFF\0\0\0\0WAVE"sv), "");
  EXPECT_EQ(image_media_type("RIFF"sv), "");
  EXPECT_EQ(image_media_type(""sv), "");
  EXPECT_EQ(image_media_type("<svg>"sv), "");
}

TEST(LoadImage, WhateverTheFileIsCalled) {
  const test::TemporaryDirectory folder;
  const auto path = folder.write("picture.txt", "GIF89a and more");
  const model::Image image = load_image(path).value();
  EXPECT_EQ(image.media_type, "image/gif");
  EXPECT_EQ(image.bytes, "GIF89a and more");
}

TEST(LoadImage, Mistakes) {
  const test::TemporaryDirectory folder;
  const auto text = folder.write("a.png", "text");
  EXPECT_THAT(load_image(text).error().message(),
              HasSubstr("a.png is not an image that models accept: use PNG, JPEG, GIF or WebP"));
  EXPECT_EQ(load_image(folder / "none").error().code(), base::ErrorCode::kNotFound);
  const auto large = folder.write("large.gif", "GIF89a");
  std::filesystem::resize_file(large, kLargestImage + 1);
  EXPECT_EQ(load_image(large).error().code(), base::ErrorCode::kResourceExhausted);
}

}  // namespace
}  // namespace clever::engine
