#include "base/redact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace clever::base {
namespace {

using testing::HasSubstr;
using testing::Not;

void check_redacted(std::string_view text, std::string_view expected) {
  const std::string once = redact(text);
  EXPECT_EQ(once, expected) << "of: " << text;
  EXPECT_EQ(redact(once), once) << "redacting twice differs, of: " << text;
}

void leaves(std::string_view text) { check_redacted(text, text); }

TEST(Redact, KeysOfProviders) {
  check_redacted("key sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL.", "key [redacted].");
  check_redacted("sk-proj-Ab12_cd34-ef56gh78ij90klmn", "[redacted]");
  check_redacted("sk-ant-api03-AbCdEf_GhIjKl-0123456789", "[redacted]");
  check_redacted("sk-or-v1-0123456789abcdef0123456789abcdef", "[redacted]");
  check_redacted("(AIzaSyA1234567890abcdefghijklmnopqrstuv)", "([redacted])");
  check_redacted("gsk_abcdefghijklmnopqrst0123456789", "[redacted]");
  check_redacted("xai-abcdefghijklmnopqrst0123456789", "[redacted]");
  check_redacted("pplx-abcdefghijklmnopqrst0123456789", "[redacted]");
  check_redacted("tgp_v1_abcdefghijklmnopqrst_0123456789", "[redacted]");
  check_redacted("hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", "[redacted]");
  check_redacted("r8_abcdefghijklmnopqrst0123456789", "[redacted]");
}

TEST(Redact, TokensOfForges) {
  check_redacted("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]");
  check_redacted("gho_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]");
  check_redacted("ghs_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]");
  check_redacted("github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz", "[redacted]");
  check_redacted("glpat-abcdefghij0123456789", "[redacted]");
  check_redacted("npm_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]");
}

TEST(Redact, TokensOfClouds) {
  check_redacted("AKIAIOSFODNN7EXAMPLE", "[redacted]");
  check_redacted("ASIAIOSFODNN7EXAMPLE is temporary", "[redacted] is temporary");
  check_redacted("xoxb-123456789012-abcdefABCDEF", "[redacted]");
  check_redacted("xapp-1-A0123456789-abcdef", "[redacted]");
  check_redacted("ya29.a0AfH6SMBxyz0123456789", "[redacted]");
  check_redacted("sk_live_4eC39HqLyjWDarjtT1zdp7dc", "[redacted]");
  check_redacted("AGE-SECRET-KEY-1QQPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", "[redacted]");
}

TEST(Redact, AKeyBehindAnEscape) {
  check_redacted("line\\nsk-abcdefghijklmnop0123456789", "line\\n[redacted]");
  check_redacted("q%3Dsk-abcdefghijklmnop0123456789", "q%3D[redacted]");
}

TEST(Redact, WebTokens) {
  const std::string jwt =
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P";
  check_redacted("got " + jwt + ".", "got [redacted].");
  check_redacted("\"" + jwt + "\"", "\"[redacted]\"");
  check_redacted("eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0.", "[redacted].");
  leaves("eyJhbGciOiJIUzI1NiJ9 alone is a header");
  leaves("eyJhbGciOiJIUzI1NiJ9.short");
  leaves("eyJ.eyJzdWIiOiIxMjM0In0");
}

TEST(Redact, HeadersKeepTheirScheme) {
  check_redacted("Authorization: Bearer abc", "Authorization: Bearer [redacted]");
  check_redacted("authorization: Basic dXNlcjpwYXNz\r\nHost: x",
                 "authorization: Basic [redacted]\r\nHost: x");
  check_redacted("Proxy-Authorization: abc def", "Proxy-Authorization: [redacted]");
  check_redacted("curl -H 'Authorization: token abc' x",
                 "curl -H 'Authorization: token [redacted]' x");
  check_redacted("{\"Authorization\": \"Bearer abc\", \"a\": 1}",
                 "{\"Authorization\": \"Bearer [redacted]\", \"a\": 1}");
  check_redacted("Authorization: Bearer", "Authorization: [redacted]");
}

TEST(Redact, HeadersOfOtherNames) {
  check_redacted("x-api-key: abc", "x-api-key: [redacted]");
  check_redacted("api-key: abc\nnext", "api-key: [redacted]\nnext");
  check_redacted("Cookie: a=b; c=d\nnext", "Cookie: [redacted]\nnext");
  check_redacted("Set-Cookie: session=1; Path=/", "Set-Cookie: [redacted]");
  check_redacted("X-Auth-Token: abcdef012345", "X-Auth-Token: [redacted]");
  leaves("Authorization: ");
  leaves("{\"authorization\": null, \"x\": 1}");
}

TEST(Redact, CredentialsOutsideOfHeaders) {
  check_redacted("sent Bearer abcdef123456 to it", "sent Bearer [redacted] to it");
  check_redacted("Basic dXNlcjpwYXNz", "Basic [redacted]");
  leaves("bearer of bad news");
  leaves("Basic authentication is off");
  leaves("Bearer");
}

TEST(Redact, UrlQueries) {
  check_redacted("https://x/y?api_key=abc&b=1", "https://x/y?api_key=[redacted]&b=1");
  check_redacted("https://x/y?b=1&token=abc#top", "https://x/y?b=1&token=[redacted]");
  check_redacted("next%3Faccess_token%3Dabc&b=1", "next%3Faccess_token%3D[redacted]&b=1");
  check_redacted("?sig=abc%2F&se=1", "?sig=[redacted]&se=1");
}

TEST(Redact, JsonFields) {
  check_redacted(R"({"password": "a\"b c", "n": 1})", R"({"password": "[redacted]", "n": 1})");
  check_redacted(R"({"apiKey":"x"})", R"({"apiKey":"[redacted]"})");
  check_redacted(R"({"token":"}"})", R"({"token":"[redacted]"})");
  check_redacted(R"({"client_secret":12345,"x":1})", R"({"client_secret":[redacted],"x":1})");
  check_redacted(R"("{\"password\":\"abc\",\"x\":1}")",
                 R"("{\"password\":\"[redacted]\",\"x\":1}")");
  check_redacted("{'secret': 'abc'}", "{'secret': '[redacted]'}");
  leaves(R"({"password": "", "x": null})");
  leaves(R"({"password": null, "secret": false})");
  leaves(R"({"max_tokens": 100, "token_count": 7, "total_tokens": 1234567})");
}

TEST(Redact, AStringThatDoesNotEndGoesToTheEndOfTheLine) {
  check_redacted("password=\"abc def\nnext", "password=\"[redacted]\nnext");
  check_redacted("password=\"abc\\", "password=\"[redacted]");
  check_redacted("password=\"abc\\\nnext", "password=\"[redacted]\nnext");
}

TEST(Redact, Assignments) {
  check_redacted("OPENAI_API_KEY=abc PATH=/bin", "OPENAI_API_KEY=[redacted] PATH=/bin");
  check_redacted("export AWS_SECRET_ACCESS_KEY='a b'", "export AWS_SECRET_ACCESS_KEY='[redacted]'");
  check_redacted("password = hunter2", "password = [redacted]");
  check_redacted("db.password: correct-horse", "db.password: [redacted]");
  check_redacted("PGPASSWORD=x", "PGPASSWORD=[redacted]");
  check_redacted("DB_PASS=x", "DB_PASS=[redacted]");
  check_redacted("Server=a;Pwd=x;Uid=b", "Server=a;Pwd=[redacted];Uid=b");
  check_redacted("headers[\"x-api-key\"] = \"abc\"", "headers[\"x-api-key\"] = \"[redacted]\"");
  check_redacted("secret => abc", "secret => [redacted]");
  check_redacted("[token=abc]", "[token=[redacted]]");
  check_redacted("password=a[b]c", "password=[redacted]");
  check_redacted("log\\npassword=abc\\nmore", "log\\npassword=[redacted]\\nmore");
  check_redacted("log\\ndb-pwd=abc", "log\\ndb-pwd=[redacted]");
}

TEST(Redact, Flags) {
  check_redacted("agents --api-key abcd1234 run", "agents --api-key [redacted] run");
  check_redacted("agents --token=abc run", "agents --token=[redacted] run");
  check_redacted("agents --password 'abcd 1234' run", "agents --password '[redacted]' run");
  leaves("--password is required");
}

TEST(Redact, PasswordsInUrls) {
  check_redacted("postgres://me:pw@host/db", "postgres://me:[redacted]@host/db");
  check_redacted("https://me:p@ss:w@host", "https://me:[redacted]@host");
  check_redacted("see \"redis://:pw@host\"", "see \"redis://:[redacted]@host\"");
  check_redacted("https://ghp_abcdefghijklmnopqrstuvwxyz0123456789:x@github.com/a",
                 "https://[redacted]:[redacted]@github.com/a");
  check_redacted("https://abcdefghij0123456789@host/", "https://[redacted]@host/");
  check_redacted("https://user:token=abc@host x", "https://user:[redacted]@host x");
  leaves("https://me@host/path");
  leaves("https://me:@host/path");
  leaves("https://host:8080/a@b");
  leaves("ssh://git@github.com/a/b.git");
}

TEST(Redact, PrivateKeys) {
  const std::string pem =
      "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\ndef=\n-----END RSA PRIVATE KEY-----";
  check_redacted("a\n" + pem + "\nb", "a\n[redacted]\nb");
  check_redacted(pem + pem, "[redacted][redacted]");
  check_redacted("-----BEGIN PRIVATE KEY-----\nMIIabc", "[redacted]");
  check_redacted("-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE", "[redacted]");
  leaves("-----BEGIN CERTIFICATE-----\nMIIabc\n-----END CERTIFICATE-----");
  leaves("-----BEGIN ");
  leaves("-----BEGIN the PRIVATE KEY-----");
}

TEST(Redact, LeavesOrdinaryTextAlone) {
  leaves("");
  leaves("The task-force met; risk-adjusted returns, desk-bound staff.");
  leaves("fix: unexpected token: ')'");
  leaves("token = lexer.next();");
  leaves("std::token::kind");
  leaves("if (token == other) return;");
  leaves("12:30:45 key=value passes=3 tokens=500 pass=12 bypass=1");
  leaves("PWD=/home/me OLDPWD=/tmp");
  leaves("secrets: [a, b]");
  leaves("password:\n  - none");
  leaves("password=");
  leaves("sk-learn is a package");
  leaves("npm_config_registry=http://x");
  leaves("hf_transformers_model_loader_version");
  leaves("AKIAIOSFODNN7EXAMPLEANDMORE is too long, AKIASHORT too short");
  leaves("\xff\xfe\x80 not UTF-8 \xc3");
}

TEST(Redact, LeavesIdsAndHashesAlone) {
  leaves("commit da39a3ee5e6b4b0d3255bfef95601890afd80709");
  leaves("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  leaves("plan 01ARZ3NDEKTSV4RRFFQ69G5FAV");
  leaves("123e4567-e89b-12d3-a456-426614174000");
  leaves("sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Redact, AMarkerIsPartOfTheValueAroundIt) {
  check_redacted("password=a[redacted]b c", "password=[redacted] c");
  leaves("password=[redacted]");
  leaves("token: [redacted]");
  leaves("[redacted]=a");
}

TEST(NamesSecret, TellsSecretsFromCounts) {
  for (const auto* key : {"password", "api_key", "apiKey", "OPENAI_API_KEY", "x-api-key", "token",
                          "GITHUB_TOKEN", "authorization", "db_pass", "clientSecret", "cookie"}) {
    EXPECT_TRUE(names_secret(key)) << key;
  }
  for (const auto* key : {"", "to", "max_tokens", "token_count", "key", "pass", "PWD", "secrets",
                          "tokenizer", "path", "sigma", "api_key_env"}) {
    EXPECT_FALSE(names_secret(key)) << key;
  }
}

class RedactorTest : public testing::Test {
 protected:
  Redactor redactor_;
};

TEST_F(RedactorTest, WithoutSecretsItRedactsByShape) {
  EXPECT_EQ(redactor_.redact("password=x and text"), "password=[redacted] and text");
}

TEST_F(RedactorTest, ReplacesAKnownValueAnywhere) {
  EXPECT_TRUE(redactor_.add("correct horse"));
  EXPECT_EQ(redactor_.redact("a correct horse, acorrect horseb"), "a [redacted], a[redacted]b");
}

TEST_F(RedactorTest, IgnoresValuesTooShortToTell) {
  EXPECT_FALSE(redactor_.add("correcthors"));
  EXPECT_FALSE(redactor_.add(""));
  EXPECT_EQ(redactor_.redact("correcthors"), "correcthors");
  EXPECT_TRUE(redactor_.add("correcthorse"));
  EXPECT_EQ(redactor_.redact("correcthorse"), "[redacted]");
}

TEST_F(RedactorTest, IgnoresAPartOfItsOwnMarker) {
  EXPECT_FALSE(redactor_.add("secret-withheld"));
  EXPECT_EQ(redactor_.redact("password=x"), "password=[redacted]");
}

TEST_F(RedactorTest, AddingTwiceIsAddingOnce) {
  EXPECT_TRUE(redactor_.add("correct horse"));
  EXPECT_TRUE(redactor_.add("correct horse"));
  EXPECT_EQ(redactor_.redact("correct horse"), "[redacted]");
}

TEST_F(RedactorTest, SeesThroughPercentEncoding) {
  redactor_.add("p@ss wörd/1");
  EXPECT_EQ(redactor_.redact("q=p%40ss%20w%C3%B6rd%2F1&x"), "q=[redacted]&x");
  EXPECT_EQ(redactor_.redact("q=p%40ss%20w%c3%b6rd%2f1&x"), "q=[redacted]&x");
  EXPECT_EQ(redactor_.redact("q=p%40ss+w%C3%B6rd%2F1&x"), "q=[redacted]&x");
}

TEST_F(RedactorTest, SeesThroughJsonEscapes) {
  redactor_.add(
      "a\"b\\c/d\ne\x01"
      "fg");
  EXPECT_EQ(redactor_.redact(R"({"x":"a\"b\\c/d\ne\u0001fg"})"), R"({"x":"[redacted]"})");
  EXPECT_EQ(redactor_.redact(R"({"x":"a\"b\\c\/d\ne\u0001fg"})"), R"({"x":"[redacted]"})");
}

TEST_F(RedactorTest, SeesThroughBase64AtEveryAlignment) {
  redactor_.add("correct?horse>");
  EXPECT_EQ(redactor_.redact("is Y29ycmVjdD9ob3JzZT4= ok"), "is [redacted] ok");
  EXPECT_EQ(redactor_.redact("is dTpjb3JyZWN0P2hvcnNlPg== ok"), "is [redacted] ok");  // u:…
  EXPECT_EQ(redactor_.redact("is bWU6Y29ycmVjdD9ob3JzZT4= ok"), "is [redacted] ok");  // me:…
  EXPECT_EQ(redactor_.redact("is YTpjb3JyZWN0P2hvcnNlPmI= ok"), "is [redacted] ok");  // a:…b
  EXPECT_EQ(redactor_.redact("is eGNvcnJlY3Q_aG9yc2U-eXo ok"), "is [redacted] ok");   // x…yz, URL
}

TEST_F(RedactorTest, OverlappingSecretsLeaveNothing) {
  redactor_.add("abcdefghijkl12");
  redactor_.add("kl1234567890");
  redactor_.add("abcdefghijkl");
  EXPECT_EQ(redactor_.redact("xabcdefghijkl1234567890y abcdefghijkl!"), "x[redacted]y [redacted]!");
}

TEST_F(RedactorTest, TheRestOfAValueGoesWithTheKnownPart) {
  redactor_.add("correcthorse");
  EXPECT_EQ(redactor_.redact("password=1correcthorse2 x"), "password=[redacted] x");
}

TEST_F(RedactorTest, AWordBehindAKnownValueIsLookedAt) {
  redactor_.add("correcthorse");
  EXPECT_EQ(redactor_.redact("correcthorseAKIAIOSFODNN7EXAMPLE"), "[redacted][redacted]");
}

TEST_F(RedactorTest, DoesNotLookIntoMarkers) {
  redactor_.add("redacted] xy");
  EXPECT_EQ(redactor_.redact("[redacted] xy"), "[redacted] xy");
}

// Texts made of what the scanner knows, so that its rules meet each other.
std::string rubbish(Random& random) {
  static const std::vector<std::string> kPieces = {"password",
                                                   "token",
                                                   "api_key",
                                                   "Authorization",
                                                   "cookie",
                                                   "Bearer ",
                                                   "Basic ",
                                                   "sk-",
                                                   "AKIA",
                                                   "IOSFODNN7EXAMPLE",
                                                   "eyJ",
                                                   "hbGciOiJI",
                                                   ".",
                                                   "=",
                                                   ":",
                                                   "://",
                                                   "@",
                                                   "%3D",
                                                   "\"",
                                                   "'",
                                                   "\\\"",
                                                   "\\",
                                                   "\\n",
                                                   " ",
                                                   "\n",
                                                   "&",
                                                   ";",
                                                   ",",
                                                   "[",
                                                   "]",
                                                   "{",
                                                   "}",
                                                   "[redacted]",
                                                   "redacted",
                                                   "null",
                                                   "a",
                                                   "Zz",
                                                   "0123456789",
                                                   "abcdefghijklmnop",
                                                   "--",
                                                   "-----BEGIN ",
                                                   "PRIVATE KEY-----",
                                                   "-----END ",
                                                   "ghp_",
                                                   "xoxb-",
                                                   "user",
                                                   "host",
                                                   "/",
                                                   "?",
                                                   "pwd",
                                                   "\xff",
                                                   "my_secret_"};
  std::string text;
  const auto count = random.below(24);
  for (std::uint64_t i = 0; i < count; ++i) text += kPieces[random.below(kPieces.size())];
  return text;
}

TEST(RedactFuzz, RedactingTwiceIsRedactingOnce) {
  SeededRandom random(1);
  for (int i = 0; i < 200'000; ++i) {
    const std::string text = rubbish(random);
    const std::string once = redact(text);
    ASSERT_EQ(redact(once), once) << "of: " << text;
  }
}

TEST(RedactFuzz, BytesAtRandomDoNoHarm) {
  SeededRandom random(2);
  for (int i = 0; i < 20'000; ++i) {
    std::string text(random.below(64), '\0');
    random.fill(std::as_writable_bytes(std::span(text)));
    const std::string once = redact(text);
    ASSERT_EQ(redact(once), once);
  }
}

TEST(RedactFuzz, AKnownSecretNeverSurvives) {
  SeededRandom random(3);
  for (int i = 0; i < 300; ++i) {
    Redactor redactor;
    std::vector<std::string> secrets;
    for (int s = 0; s < 4; ++s) {
      std::string secret;
      const auto size = 12 + random.below(6);
      for (std::uint64_t c = 0; c < size; ++c) secret += "abAB01!%/ "[random.below(10)];
      redactor.add(secret);
      secrets.push_back(std::move(secret));
    }
    for (int t = 0; t < 100; ++t) {
      std::string text = rubbish(random);
      for (const auto& secret : secrets) text.insert(random.below(text.size() + 1), secret);
      const std::string once = redactor.redact(text);
      for (const auto& secret : secrets) ASSERT_THAT(once, Not(HasSubstr(secret))) << text;
      ASSERT_EQ(redactor.redact(once), once) << "of: " << text;
    }
  }
}

// A pattern repeated to a megabyte: a scanner that starts again at each repetition would run into
// the test's time limit.
void check_linear(std::string_view pattern) {
  Redactor redactor;
  redactor.add("correcthorse");
  std::string text;
  while (text.size() < (std::size_t{1} << 20U)) text += pattern;
  EXPECT_FALSE(redactor.redact(text).empty()) << pattern;
}

TEST(Redact, IsLinearOnRubbish) {
  for (const auto* pattern : {"sk-",
                              "sk-a",
                              "eyJ-",
                              "eyJabcdefgh.",
                              "eyJ.a-",
                              "token:",
                              "token: \"",
                              "token=",
                              "token = ",
                              "password: [",
                              "password=[",
                              "\"",
                              "\\",
                              "\\\"",
                              "://",
                              "a://a:a",
                              "@",
                              "://@:",
                              "bearer ",
                              "-----BEGIN ",
                              "-----BEGIN PRIVATE KEY",
                              "-",
                              " ",
                              "=",
                              "[",
                              "]",
                              "--token ",
                              "--token a ",
                              "cookie:",
                              "authorization: ",
                              "correcthors",
                              "Y29ycmVjdGhvcnN",
                              "%3D",
                              "a",
                              "[redacted",
                              "[redacted]",
                              "xoxb-",
                              "AKIA",
                              "\n",
                              "'"}) {
    check_linear(pattern);
  }
}

}  // namespace
}  // namespace clever::base
