#include "context/tokens/internal/characters.h"

#include <gtest/gtest.h>

#include "context/tokens/internal/token_data.h"

namespace clever::context::internal {
namespace {

using enum CharacterClass;

TEST(Characters, KnowsTheClassesOfUnicode) {
  const Characters characters(characters_data());
  for (const auto& [character, kind] : std::vector<std::pair<char32_t, CharacterClass>>{
           {U'a', kLower},           {U'Z', kUpper},          {U'5', kNumber},     {U' ', kSpace},
           {U'\n', kSpace},          {U'_', kOther},          {U'é', kLower},      {U'É', kUpper},
           {U'ā', kLower},           {U'Ā', kUpper},          {U'漢', kLetter},    {U'ʰ', kLetter},
           {U'\u0301', kMark},       {U'Ⅷ', kNumber},         {U'\u3000', kSpace}, {U'ǅ', kUpper},
           {U'\u200B', kOther},      {U'\U0001F600', kOther}, {U'𐐀', kUpper},      {U'𐐨', kLower},
           {U'\U00020000', kLetter}, {U'\U0010FFFF', kOther}, {0xFFFFFFFF, kOther}}) {
    EXPECT_EQ(characters.of(character), kind) << std::hex << static_cast<unsigned>(character);
  }
}

TEST(Characters, LeavesOutWhatItCannotRead) {
  const Characters characters("zz U\n0041\n0042 0041 U\n0043 00 44 U\n0045 UU\n0046 U");
  EXPECT_EQ(characters.of('A'), kOther);
  EXPECT_EQ(characters.of('B'), kOther);
  EXPECT_EQ(characters.of('E'), kOther);
  EXPECT_EQ(characters.of('F'), kUpper);
}

}  // namespace
}  // namespace clever::context::internal
