// The fuzzers' promises on mutations of good texts, in every run.
#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/testing/exercise_offer.h"
#include "support/campaign.h"
#include "support/mutated.h"

namespace clever::engine {
namespace {

constexpr std::string_view kNotesSkill =
    "---\nname: notes\ndescription: Writes notes.\nallowed-tools: [a, 'b(c *)']\n---\n# How\n";
constexpr std::string_view kTwoServers =
    R"({"mcpServers":{"a":{"command":"x","args":["-y"],"env":{"A":"${B:-c}"}},)"
    R"("b":{"url":"https://x","headers":{"K":"${A}"}}}})";

TEST(OfferMutation, Skills) {
  internal::exercise_skill(kNotesSkill);
  base::SeededRandom random(1);
  const std::size_t runs = test::campaign(1000, 100'000);
  for (std::size_t i = 0; i < runs; ++i) {
    internal::exercise_skill(test::mutated(kNotesSkill, test::kYamlBytes, random));
  }
}

TEST(OfferMutation, Servers) {
  internal::exercise_mcp_json(kTwoServers);
  base::SeededRandom random(2);
  const std::size_t runs = test::campaign(1000, 100'000);
  for (std::size_t i = 0; i < runs; ++i) {
    internal::exercise_mcp_json(test::mutated(kTwoServers, test::kYamlBytes, random));
  }
}

TEST(OfferMutation, DeepTextsEnd) {
  internal::exercise_mcp_json(std::string(100'000, '['));
  internal::exercise_mcp_json("{\"mcpServers\":" + std::string(100'000, '[') +
                              std::string(100'000, ']') + "}");
  internal::exercise_skill("---\n" + std::string(100'000, '[') + "\n---\n");
}

}  // namespace
}  // namespace clever::engine
