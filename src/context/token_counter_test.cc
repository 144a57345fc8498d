#include "context/token_counter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "context/tokens/internal/tokeniser.h"
#include "io/file.h"
#include "support/built_paths.h"

namespace clever::context {
namespace {

nlohmann::json golden() {
  const auto path = test::source_root() / "src/context/golden/tokens.json";
  return nlohmann::json::parse(io::read_file(path).value());
}

// Made with the npm package gpt-tokenizer from the same tables.
TEST(TokenCounter, CountsAsTheTokenisersThemselvesDo) {
  const auto rows = golden();
  ASSERT_GT(rows.size(), 400U);
  const auto o200k = token_counter_for("openai/gpt-5");
  const auto cl100k = token_counter_for("openai/gpt-4");
  for (const auto& row : rows) {
    const std::string text = row["text"];
    EXPECT_EQ(internal::o200k().tokens(text), row["o200k"].get<std::vector<std::uint32_t>>())
        << row["text"];
    EXPECT_EQ(internal::cl100k().tokens(text), row["cl100k"].get<std::vector<std::uint32_t>>())
        << row["text"];
    EXPECT_EQ(o200k->count(text), row["o200k"].size());
    EXPECT_EQ(cl100k->count(text), row["cl100k"].size());
  }
}

TEST(TokenCounter, CountsALongWordInTime) {
  const auto counter = token_counter_for("openai/gpt-5");
  EXPECT_NEAR(static_cast<double>(counter->count(std::string(1 << 20U, 'a'))), (1 << 20U) / 8.0,
              1000);
  EXPECT_GT(counter->count(std::string(1 << 20U, '\xC3')), 1U << 17U);
  std::string mixed;
  for (unsigned i = 0; mixed.size() < (1U << 20U); i = i * 1664525U + 1013904223U) {
    mixed += static_cast<char>('a' + (i >> 24U) % 26);
  }
  EXPECT_GT(counter->count(mixed), mixed.size() / 4);
}

TEST(TokenCounter, CountsWhatIsNotUtf8AsWhatItIsSentAs) {
  const auto counter = token_counter_for("openai/gpt-5");
  EXPECT_EQ(counter->count("a\xFFz\xC3"), counter->count("a\xEF\xBF\xBDz\xEF\xBF\xBD"));
  EXPECT_GT(counter->count(std::string("\0\x80\xED\xA0\x80\xF5", 6)), 0U);
}

TEST(TokenCounter, NeverCountsMoreThanOneTokenForAByte) {
  for (const auto& row : golden()) {
    const std::string text = row["text"];
    EXPECT_LE(internal::o200k().tokens(text).size(), text.size());
    EXPECT_EQ(internal::o200k().count(text) == 0, text.empty());
  }
}

TEST(TokenCounter, KnowsTheModelsThatItsTablesAreFor) {
  for (const char* model :
       {"openai/gpt-5", "openai/gpt-5-mini", "openai/gpt-5.1-codex", "openai/gpt-4o-2024-08-06",
        "openai/gpt-4.1", "openai/gpt-4.5-preview", "openai/o1", "openai/o3-mini", "openai/o4-mini",
        "azure/gpt-4o", "openrouter/openai/gpt-4o", "ollama/gpt-oss:20b", "gpt-4o",
        "openai/ft:gpt-4o:org::id", "openai/chatgpt-4o-latest"}) {
    EXPECT_EQ(token_counter_for(model)->name(), "o200k") << model;
    EXPECT_EQ(token_counter_for(model)->error(), "");
  }
  for (const char* model : {"openai/gpt-4", "openai/gpt-4-turbo", "openai/gpt-3.5-turbo",
                            "azure/gpt-35-turbo", "openai/text-embedding-3-small"}) {
    EXPECT_EQ(token_counter_for(model)->name(), "cl100k") << model;
    EXPECT_EQ(token_counter_for(model)->error(), "");
  }
  for (const char* model : {"anthropic/claude-opus-4-1", "google/gemini-2.5-pro", "ollama/llama3.3",
                            "", "/", "openai/", "openai/o1x", "ollama/o10", "openai/gpt-40"}) {
    EXPECT_EQ(token_counter_for(model)->name(), "estimate") << model;
    EXPECT_NE(token_counter_for(model)->error(), "");
  }
}

TEST(TokenCounter, EstimatesUpwards) {
  const auto estimate = token_counter_for("anthropic/claude-sonnet-4");
  for (const auto& row : golden()) {
    const std::string text = row["text"];
    EXPECT_GE(estimate->count(text), row["o200k"].size());
    if (!text.empty()) {
      EXPECT_GT(estimate->count(text), row["o200k"].size());
    }
  }
  EXPECT_EQ(estimate->count(""), 0U);
}

TEST(TokenCounter, CountsNoFurtherThanItIsAskedTo) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "word" + std::to_string(i % 700) + " is_said(again);\n";
  for (const char* model : {"openai/gpt-5", "openai/gpt-4", "anthropic/claude-sonnet-4"}) {
    const auto counter = token_counter_for(model);
    const std::size_t all = counter->count(text);
    EXPECT_EQ(counter->count_up_to(text, all), all) << model;
    EXPECT_GT(counter->count_up_to(text, all - 1), all - 1) << model;
    const std::size_t some = counter->count_up_to(text, 100);
    EXPECT_GT(some, 100U) << model;
    EXPECT_LT(some, 200U) << model;
  }
}

}  // namespace
}  // namespace clever::context
