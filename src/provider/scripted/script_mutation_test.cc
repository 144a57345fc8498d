// Scripts and cassettes with random damage: whatever is read, the promises of the parsers hold.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/random.h"
#include "provider/testing/exercise_cassette.h"
#include "provider/testing/exercise_script.h"
#include "support/campaign.h"

namespace clever::provider {
namespace {

constexpr std::string_view kScript = R"(about: All of it.
defaults: {chunk: 4, chunk_delay: 1ms, usage: {input: 1, output: 2}}
rules:
- name: greeting
  match: {model: "m*", user: [aaa], user_regex: '(a+) (?:b|c)*?', any_regex: "x{2,3}", turn: 1}
  times: once
  reply: "Hello {1}"
  tool_calls: [{name: read, arguments: {path: "{1}", n: 1.5, deep: [true, null]}}]
- match: {system: s, tool: t, result: r, result_text: x, result_regex: '\d$'}
  replies: [a, {refusal: no}, {error: {status: 429, retry_after: 2s, message: m, body: b}}]
  then: loop
- {reply: x, malformed: sse, reasoning: why, stop: length}
- error: quota
)";
constexpr std::array<std::string_view, 12> kYamlPieces{"{", "}", "[",  "]",  "\n", "- ",
                                                       ":", "'", "\"", "&a", "*a", "|\n"};

std::string damaged(std::string text, base::Random& random) {
  for (std::uint64_t i = random.below(6) + 1; i > 0; --i) {
    const std::size_t at = random.below(text.size());
    switch (random.below(4)) {
      case 0:
        text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        text.erase(at, random.below(20));
        break;
      case 2:
        text.insert(at, kYamlPieces[random.below(kYamlPieces.size())]);
        break;
      default:
        text.insert(random.below(text.size()), text.substr(at, random.below(40)));
    }
    if (text.empty()) text = "x";
  }
  return text;
}

TEST(DamagedInput, ScriptsKeepTheirPromises) {
  base::SeededRandom random(1);
  const std::size_t runs = test::campaign(3000, 200'000);
  for (std::size_t run = 0; run < runs; ++run) {
    internal::exercise_script(damaged(std::string(kScript), random));
  }
}

TEST(DamagedInput, CassettesKeepTheirPromises) {
  const base::Redactor redactor;
  ModelAnswer answer;
  answer.message.parts = {model::Reasoning{"r", "o", "w"}, model::Text{"t"},
                          model::ToolCall{"i", "n", "{}"}};
  const std::string request = canonical_request("p", "m", {.system = "s"}, redactor);
  const std::string tape = cassette_header() +
                           to_line({request, base::sha256(request), answer}, redactor) +
                           to_line({request, base::sha256(request), Failure{}}, redactor);
  base::SeededRandom random(2);
  const std::size_t runs = test::campaign(3000, 200'000);
  for (std::size_t run = 0; run < runs; ++run) {
    internal::exercise_cassette(damaged(tape, random));
  }
}

}  // namespace
}  // namespace clever::provider
