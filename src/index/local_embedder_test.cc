#include "index/local_embedder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/sha256.h"

namespace clever::index {
namespace {

Vector vector_of(std::string_view text) {
  LocalEmbedder embedder;
  return embedder.embed({text}).value().at(0);
}

double cosine(const Vector& a, const Vector& b) {
  double product = 0;
  double first = 0;
  double second = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += double{static_cast<double>(a[i])} * b[i];
    first += double{static_cast<double>(a[i])} * a[i];
    second += double{static_cast<double>(b[i])} * b[i];
  }
  return first == 0 || second == 0 ? 0 : product / std::sqrt(first * second);
}

double alike(std::string_view a, std::string_view b) { return cosine(vector_of(a), vector_of(b)); }

constexpr std::string_view kRetryCode = R"(
Result<Response> HttpClient::send_with_retry(const Request& request, RetryPolicy policy) {
  for (int attempt = 0; attempt < policy.max_attempts(); ++attempt) {
    auto response = connection_.send(request, policy.timeout());
    if (response.ok() || !is_retryable(response.error())) return response;
    clock_.wait(policy.backoff(attempt));
  }
  return unavailable("the server did not answer");
})";
constexpr std::string_view kParserCode = R"(
def parse_expression(self, tokens):
    left = self.parse_term(tokens)
    while tokens.peek() in ("+", "-"):
        operator = tokens.next()
        left = BinaryNode(operator, left, self.parse_term(tokens))
    return left)";
constexpr std::string_view kDeleteCode = R"(
func (s *Store) RemoveUser(ctx context.Context, userID int64) error {
	_, err := s.db.ExecContext(ctx, "DELETE FROM users WHERE id = ?", userID)
	return err
})";
constexpr std::string_view kThemeCode = R"(
export const Button = styled.button`
  background-color: ${(props) => props.theme.palette.primary};
  border-radius: 4px;
`;)";

TEST(LocalEmbedder, SaysWhatItIs) {
  const LocalEmbedder embedder;
  EXPECT_EQ(embedder.name(), "local/1");
  EXPECT_EQ(embedder.dimensions(), 256U);
}

TEST(LocalEmbedder, GivesTheSameTextTheSameVector) {
  LocalEmbedder one;
  LocalEmbedder other;
  const auto alone = one.embed({kRetryCode}).value();
  const auto amongst = other.embed({kParserCode, kRetryCode, "", kRetryCode}).value();
  ASSERT_EQ(amongst.size(), 4U);
  EXPECT_EQ(alone[0], amongst[1]);
  EXPECT_EQ(alone[0], amongst[3]);
  EXPECT_EQ(alone[0].size(), 256U);
}

TEST(LocalEmbedder, GivesUnitLength) {
  for (const std::string_view text : {kRetryCode, kParserCode, std::string_view("lexer")}) {
    const Vector vector = vector_of(text);
    double squares = 0;
    for (const std::int8_t value : vector) squares += double{static_cast<double>(value)} * value;
    EXPECT_NEAR(std::sqrt(squares), 127, 4);
  }
}

TEST(LocalEmbedder, GivesNoDirectionToATextWithoutWords) {
  EXPECT_EQ(vector_of(""), Vector(256));
  EXPECT_EQ(vector_of("+ - { } ;"), Vector(256));
}

struct Task {
  std::string_view text;
  std::string_view code;
};

TEST(LocalEmbedder, PutsATaskNearestToItsCode) {
  const std::vector<std::string_view> codes = {kRetryCode, kParserCode, kDeleteCode, kThemeCode};
  const std::vector<Task> tasks = {
      {"Requests should be retried with exponential backoff when the server times out", kRetryCode},
      {"HTTP client gives up after the first failed attempt", kRetryCode},
      {"The parser gets the precedence of binary operators wrong", kParserCode},
      {"Support a unary minus when terms of an expression are parsed", kParserCode},
      {"Deleting a user leaves rows in the database", kDeleteCode},
      {"Drop accounts from storage by id", kDeleteCode},
      {"The buttons ignore the colour of the theme", kThemeCode},
  };
  for (const Task& task : tasks) {
    for (const std::string_view code : codes) {
      if (code == task.code) continue;
      EXPECT_GT(alike(task.text, task.code), alike(task.text, code)) << task.text << code;
    }
  }
}

TEST(LocalEmbedder, SeesThePartsAndFormsOfWords) {
  EXPECT_GT(alike("parseHttpHeaders", "parsing an HTTP header"), 0.5);
  EXPECT_GT(alike("max_line_length", "the maximum length of lines"), 0.2);
  EXPECT_GT(alike("tokenizer", "tokens"), alike("tokenizer", "schedule"));
}

TEST(LocalEmbedder, KnowsWordsForOneIdea) {
  EXPECT_GT(alike("remove the folder", "delete directory"), 0.2);
  EXPECT_LT(alike("remove the folder", "encrypted palette"), 0.15);
}

TEST(LocalEmbedder, CountsWordsThatAreEverywhereForLittle) {
  EXPECT_GT(alike("return the string of the scheduler", "scheduler"),
            alike("return the string of the scheduler", "return string"));
}

TEST(LocalEmbedder, CountsARepeatedWordForLessEachTime) {
  std::string often = "palette";
  for (int i = 0; i < 200; ++i) often += " scheduler";
  EXPECT_GT(alike(often, "palette"), 0.1);
}

TEST(LocalEmbedder, TakesAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>((i * 7) % 256);
  EXPECT_EQ(vector_of(bytes).size(), 256U);
  EXPECT_NE(vector_of("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E"), Vector(256));
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "word" + std::to_string(i) + "x ";
  EXPECT_NE(vector_of(many), Vector(256));
}

// Vectors are kept on disks: a change of them needs a new name.
TEST(LocalEmbedder, NeverChangesUnderItsName) {
  std::string bytes;
  for (const std::string_view text : {kRetryCode, kParserCode, kDeleteCode, kThemeCode,
                                      std::string_view("Na\xC3\xAFve \xE6\x97\xA5\xE6\x9C\xAC")}) {
    for (const std::int8_t value : vector_of(text)) bytes += static_cast<char>(value);
  }
  EXPECT_EQ(base::sha256(bytes).to_hex(),
            "8253410e26a0303db4d066d276172fb9e75b916216551efb5324f0f0dd711104");
}

TEST(LocalEmbedder, CanBeStopped) {
  LocalEmbedder embedder;
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(embedder.embed({"x"}, stop.token()).error().code(), base::ErrorCode::kCancelled);
  base::SimulatedClock clock;
  const auto late = base::Deadline::after(clock, base::Duration::zero());
  EXPECT_EQ(embedder.embed({"x"}, {}, late).error().code(), base::ErrorCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace clever::index
