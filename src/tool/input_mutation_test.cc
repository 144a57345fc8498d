// The fuzzers' promises on mutations of good texts, in every run.
#include <gtest/gtest.h>

#include <array>

#include "base/random.h"
#include "support/campaign.h"
#include "support/mutated.h"
#include "tool/testing/exercise_input.h"

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

constexpr std::string_view kJsonBytes = "{}[]\":,0-1.eE\\/ \n&*!#ab\x80\xFF";

TEST(InputMutation, ToolInput) {
  base::SeededRandom random(1);
  const std::size_t runs = test::campaign(300, 100'000);
  for (std::size_t i = 0; i < runs; ++i) {
    internal::exercise_input(test::mutated(kInputs[i % kInputs.size()], kJsonBytes, random));
  }
}

TEST(InputMutation, CustomTools) {
  base::SeededRandom random(1);
  const std::size_t runs = test::campaign(1000, 100'000);
  for (std::size_t i = 0; i < runs; ++i)
    internal::exercise_custom_tools(test::mutated(kTool, kJsonBytes, random));
}

}  // namespace
}  // namespace clever::tool
