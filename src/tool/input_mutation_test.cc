// The fuzzers' promises on mutations of good texts, in every run.
#include <gtest/gtest.h>

#include <array>

#include "base/random.h"
#include "support/campaign.h"
#include "tool/internal/exercise_input.h"

namespace clever::tool {
namespace {

constexpr auto kInputs = std::to_array<std::string_view>({
    R"({"path":"a.txt","start_line":1,"end_line":2})",
    R"({"path":"a","old_text":"x","new_text":"y","replace_all":true})",
    "{\"properties\":{\"a\":{\"type\":\"string\",\"pattern\":\"^a\"},\"b\":{\"items\":"
    "{\"$ref\":\"#\"}}},\"required\":[\"a\"],\"additionalProperties\":false}\n---\n"
    "{\"a\":\"abc\",\"b\":[{}]}",
});
constexpr std::string_view kTool =
    "name: t\ndescription: d\ninput_schema: {type: object, required: [a]}\n"
    "command: [a, 'b']\ntimeout_s: 60\ncapabilities: [read_only]\n";

std::string mutated(std::string_view text, base::Random& random) {
  static constexpr std::string_view kBytes = "{}[]\":,0-1.eE\\/ \n&*!#ab\x80\xFF";
  std::string changed(text);
  for (std::uint64_t i = random.below(4) + 1; i > 0; --i) {
    const std::size_t at = random.below(changed.size());
    const char byte = kBytes[random.below(kBytes.size())];
    switch (random.below(3)) {
      case 0:
        changed[at] = byte;
        break;
      case 1:
        changed.insert(at, 1, byte);
        break;
      default:
        if (changed.size() > 1) changed.erase(at, random.below(4));
    }
    if (changed.empty()) changed = "{}";
  }
  return changed;
}

TEST(InputMutation, ToolInput) {
  base::SeededRandom random(1);
  const std::size_t runs = test::campaign(300, 100'000);
  for (std::size_t i = 0; i < runs; ++i) {
    internal::exercise_input(mutated(kInputs[i % kInputs.size()], random));
  }
}

TEST(InputMutation, CustomTools) {
  base::SeededRandom random(1);
  const std::size_t runs = test::campaign(1000, 100'000);
  for (std::size_t i = 0; i < runs; ++i) internal::exercise_custom_tools(mutated(kTool, random));
}

}  // namespace
}  // namespace clever::tool
