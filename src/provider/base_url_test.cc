#include "provider/base_url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "base/random.h"

namespace clever::provider {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string parsed(std::string_view text) {
  const auto url = BaseUrl::parse(text);
  return url.ok() ? url->to_string() : "error: " + url.error().message();
}

std::string ollama(std::string_view text) {
  const auto url = parse_ollama_host(text);
  return url.ok() ? url->to_string() : "error: " + url.error().message();
}

TEST(BaseUrl, IsSchemeHostPortAndPath) {
  EXPECT_EQ(parsed("https://api.openai.com/v1"), "https://api.openai.com/v1");
  EXPECT_EQ(parsed("http://localhost:8080"), "http://localhost:8080");
  EXPECT_EQ(parsed("HTTPS://API.Example.COM:8443/a/b/"), "https://api.example.com:8443/a/b");
  EXPECT_EQ(parsed("http://[::1]:11434/"), "http://[::1]:11434");
  EXPECT_EQ(parsed("https://example.com///"), "https://example.com");
}

TEST(BaseUrl, SaysWhatIsWrong) {
  EXPECT_THAT(parsed(""), HasSubstr("empty"));
  EXPECT_THAT(parsed("api.openai.com"), HasSubstr("no http:// or https://"));
  EXPECT_THAT(parsed("ftp://example.com"), HasSubstr("neither http nor https"));
  EXPECT_THAT(parsed("https://"), HasSubstr("no host"));
  EXPECT_THAT(parsed("https:///v1"), HasSubstr("no host"));
  EXPECT_THAT(parsed("https://exa mple.com"), HasSubstr("character that host names cannot have"));
  EXPECT_THAT(parsed("https://example.com:x"), HasSubstr("port"));
  EXPECT_THAT(parsed("https://example.com:0"), HasSubstr("port"));
  EXPECT_THAT(parsed("https://example.com:65536"), HasSubstr("port"));
  EXPECT_THAT(parsed("https://example.com:"), HasSubstr("port"));
  EXPECT_THAT(parsed("https://[::1"), HasSubstr("lacks the closing ]"));
  EXPECT_THAT(parsed("https://[zz]"), HasSubstr("a character that host names cannot have"));
  EXPECT_THAT(parsed("https://[::1]x"), HasSubstr("port"));
  EXPECT_THAT(parsed("https://example.com/a b"), HasSubstr("path"));
  EXPECT_THAT(parsed("https://example.com/v1?key=1"), HasSubstr("query"));
  EXPECT_THAT(parsed("https://example.com/v1#x"), HasSubstr("query"));
}

TEST(BaseUrl, NeverRepeatsAPassword) {
  EXPECT_THAT(parsed("https://me:hunter22@example.com"), HasSubstr("user or password"));
  EXPECT_THAT(parsed("https://me:hunter22@example.com"), Not(HasSubstr("hunter22")));
}

TEST(BaseUrl, KnowsThisMachine) {
  for (const char* text : {"http://localhost", "http://LOCALHOST:1", "http://api.localhost",
                           "http://127.0.0.1", "http://127.8.9.1:80", "http://[::1]"}) {
    EXPECT_TRUE(BaseUrl::parse(text)->is_loopback()) << text;
  }
  for (const char* text :
       {"http://example.com", "http://localhost.example.com", "http://127.0.0.1.x",
        "http://10.0.0.1", "http://127.1", "http://[::2]"}) {
    EXPECT_FALSE(BaseUrl::parse(text)->is_loopback()) << text;
  }
}

TEST(OllamaHost, HasManySpellings) {
  EXPECT_EQ(ollama("localhost"), "http://localhost:11434");
  EXPECT_EQ(ollama("192.168.1.7"), "http://192.168.1.7:11434");
  EXPECT_EQ(ollama("192.168.1.7:9999"), "http://192.168.1.7:9999");
  EXPECT_EQ(ollama(":9999"), "http://127.0.0.1:9999");
  EXPECT_EQ(ollama("::1"), "http://[::1]:11434");
  EXPECT_EQ(ollama("[::1]:9999"), "http://[::1]:9999");
  EXPECT_EQ(ollama("0.0.0.0"), "http://127.0.0.1:11434");
  EXPECT_EQ(ollama("0.0.0.0:8000"), "http://127.0.0.1:8000");
  EXPECT_EQ(ollama("http://box:8000/ollama/"), "http://box:8000/ollama");
  EXPECT_EQ(ollama("https://ollama.example.com"), "https://ollama.example.com");
  EXPECT_EQ(ollama("http://box"), "http://box");
  EXPECT_EQ(ollama(" \"box\" "), "http://box:11434");
}

TEST(OllamaHost, IsAUrlInTheEnd) {
  EXPECT_THAT(ollama("box:x"), HasSubstr("port"));
  EXPECT_THAT(ollama("ftp://box"), HasSubstr("neither http nor https"));
  EXPECT_THAT(ollama(""), HasSubstr("no host"));
}

// Texts of the pieces that matter, in any order.
std::string random_text(base::Random& random) {
  constexpr std::array<std::string_view, 22> kPieces = {
      "http", "https", "://", ":", "/", "//", "@",    "?",  "#",    "[",    "]",
      "::1",  "a.b",   "A",   " ", "%", "0",  "8080", "-1", "\x01", "\xFF", "localhost"};
  std::string text;
  for (std::uint64_t i = random.below(8); i > 0; --i) text += kPieces[random.below(kPieces.size())];
  return text;
}

TEST(BaseUrl, AnyTextIsAUrlOrAMessage) {
  base::SeededRandom random(7);
  int urls = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::string text = random_text(random);
    const auto url = i % 2 == 0 ? BaseUrl::parse(text) : parse_ollama_host(text);
    if (!url.ok()) {
      ASSERT_THAT(url.error().message(), HasSubstr("expected")) << text;
      continue;
    }
    ++urls;
    // What was understood is understood again in the same way.
    ASSERT_EQ(parsed(url->to_string()), url->to_string()) << text;
  }
  EXPECT_GT(urls, 100);
}

}  // namespace
}  // namespace clever::provider
