#include "storage/database_url.h"

#include <gmock/gmock.h>

#include <random>

#include "storage/internal/percent.h"
#include "storage/testing/exercise_url.h"

namespace clever::storage {
namespace {

using testing::HasSubstr;
using testing::Not;

DatabaseUrl::Folders folders() {
  return {.home = "/home/me/.cleveragents", .directory = "/place", .user = "/home/me"};
}

DatabaseUrl parsed_url(std::string_view text) {
  auto parsed = DatabaseUrl::parse(text, folders());
  EXPECT_TRUE(parsed.ok()) << text << ": " << parsed.error().sentence();
  return std::move(parsed).value();
}

DatabaseUrl::Postgres postgres(std::string_view text) {
  return std::get<DatabaseUrl::Postgres>(parsed_url(text).address());
}

std::string refusal(std::string_view text) {
  const auto parsed = DatabaseUrl::parse(text, folders());
  if (parsed.ok()) return "accepted as " + parsed->normalised();
  EXPECT_EQ(parsed.error().code(), base::ErrorCode::kInvalidArgument) << text;
  return parsed.error().sentence();
}

struct Spelling {
  std::string_view text;
  std::string_view normalised;
};
void PrintTo(const Spelling& spelling, std::ostream* out) { *out << spelling.text; }

class DatabaseUrlSpelling : public testing::TestWithParam<Spelling> {};

TEST_P(DatabaseUrlSpelling, IsNormalised) {
  EXPECT_EQ(parsed_url(GetParam().text).normalised(), GetParam().normalised);
}

INSTANTIATE_TEST_SUITE_P(
    Sqlite, DatabaseUrlSpelling,
    testing::Values(Spelling{"", "sqlite:/home/me/.cleveragents/cleveragents.db"},
                    Spelling{"sqlite:/var/x.db", "sqlite:/var/x.db"},
                    Spelling{"SQLite:/var/x.db", "sqlite:/var/x.db"},
                    Spelling{"sqlite:/var//./lib/../x.db", "sqlite:/var/x.db"},
                    Spelling{"sqlite:x.db", "sqlite:/place/x.db"},
                    Spelling{"sqlite:../x.db", "sqlite:/x.db"},
                    Spelling{"sqlite:~/x.db", "sqlite:/home/me/x.db"},
                    Spelling{"sqlite:~x.db", "sqlite:/place/~x.db"},
                    Spelling{"sqlite:/var/a%20b?c#d.db", "sqlite:/var/a%20b?c#d.db"},
                    Spelling{"sqlite:///x.db", "sqlite:/place/x.db"},
                    Spelling{"sqlite:///plans/x.db", "sqlite:/place/plans/x.db"},
                    Spelling{"sqlite:////var/x.db", "sqlite:/var/x.db"},
                    Spelling{"sqlite::memory:", "sqlite::memory:"},
                    Spelling{"sqlite::MEMORY:", "sqlite::memory:"},
                    Spelling{"sqlite://", "sqlite::memory:"},
                    Spelling{"sqlite:///:memory:", "sqlite::memory:"},
                    Spelling{"sqlite::memory:a-B_3.x", "sqlite::memory:a-B_3.x"}));

INSTANTIATE_TEST_SUITE_P(
    Postgres, DatabaseUrlSpelling,
    testing::Values(
        Spelling{"postgresql://db/agents", "postgresql://db:5432/agents"},
        Spelling{"postgres://db/agents", "postgresql://db:5432/agents"},
        Spelling{"PostgreSQL://DB.Example:5432/Agents", "postgresql://db.example:5432/Agents"},
        Spelling{"postgresql://db:/agents", "postgresql://db:5432/agents"},
        Spelling{"postgresql://", "postgresql://:5432/"},
        Spelling{"postgresql:///agents", "postgresql://:5432/agents"},
        Spelling{"postgresql://me@db:6000/agents", "postgresql://me@db:6000/agents"},
        Spelling{"postgresql://m%65:p%40ss@db/agents", "postgresql://me@db:5432/agents"},
        Spelling{"postgresql://me:a@b:c@db/agents", "postgresql://me@db:5432/agents"},
        Spelling{"postgresql://:hunter2@db/agents", "postgresql://db:5432/agents"},
        Spelling{"postgresql://m%2Fe@db/a%2Fb", "postgresql://m%2Fe@db:5432/a%2Fb"},
        Spelling{"postgresql://[::1]/agents", "postgresql://[::1]:5432/agents"},
        Spelling{"postgresql://[FE80::1%25eth0]:1/x", "postgresql://[fe80::1%25eth0]:1/x"},
        Spelling{"postgresql:///x?host=::1", "postgresql://[::1]:5432/x"},
        Spelling{"postgresql://%2Ftmp%2fpg:5433/x", "postgresql://%2Ftmp%2Fpg:5433/x"},
        Spelling{"postgresql:///x?host=/tmp//pg/", "postgresql://%2Ftmp%2Fpg:5432/x"},
        Spelling{"postgresql:///x?host=/", "postgresql://%2F:5432/x"},
        Spelling{"postgresql://db?dbname=x&user=me&port=7", "postgresql://me@db:7/x"},
        Spelling{"postgresql://a:1/b?host=c&port=2&dbname=d", "postgresql://c:2/d"},
        Spelling{"postgresql://db/x?b=2&a=1&a=3", "postgresql://db:5432/x?a=3&b=2"},
        Spelling{"postgresql://db/x?a=b%26c%3Dd", "postgresql://db:5432/x?a=b%26c%3Dd"},
        Spelling{"postgresql://db/x?a=", "postgresql://db:5432/x?a="},
        Spelling{"postgresql://db/x?sslpassword=hunter2&sslmode=require",
                 "postgresql://db:5432/x?sslmode=require"}));

TEST(DatabaseUrlTest, ReadsTheWholeAddress) {
  const auto address = postgres("postgresql://me:p%40:ss@DB:6000/agents?sslmode=require");
  EXPECT_EQ(address, (DatabaseUrl::Postgres{.host = "db",
                                            .port = 6000,
                                            .user = "me",
                                            .password = "p@:ss",
                                            .database = "agents",
                                            .parameters = "sslmode=require"}));
}

TEST(DatabaseUrlTest, ASocketIsAFolder) {
  EXPECT_EQ(postgres("postgresql:///x?host=/tmp/pg").host, "/tmp/pg");
  EXPECT_EQ(postgres("postgresql://%2Ftmp%2Fpg/x").host, "/tmp/pg");
  EXPECT_EQ(postgres("postgresql:///x").host, "");
}

TEST(DatabaseUrlTest, AParameterWinsOverThePartOfTheUrl) {
  EXPECT_EQ(postgres("postgresql://a:b@c/d?user=u&password=p").user, "u");
  EXPECT_EQ(postgres("postgresql://a:b@c/d?user=u&password=p").password, "p");
}

TEST(DatabaseUrlTest, OnlyTheConnectionStringHoldsThePassword) {
  const auto whole = parsed_url("postgresql://me:p%2Fw@db/agents?sslpassword=hunter2");
  EXPECT_EQ(whole.connection_string(), "postgresql://me:p%2Fw@db:5432/agents?sslpassword=hunter2");
  EXPECT_EQ(whole.normalised(), "postgresql://me@db:5432/agents");
  EXPECT_EQ(parsed_url("sqlite:x.db").connection_string(), "sqlite:/place/x.db");
}

TEST(DatabaseUrlTest, SpellingsOfOneDatabaseAreEqual) {
  EXPECT_EQ(parsed_url("sqlite:///x.db"), parsed_url("sqlite:./y/../x.db"));
  EXPECT_EQ(parsed_url("postgres://DB/x?port=5432"), parsed_url("postgresql://db/x"));
  EXPECT_NE(parsed_url("sqlite::memory:"), parsed_url("sqlite::memory:other"));
  EXPECT_NE(parsed_url("sqlite:x.db"), parsed_url("sqlite:X.db"));
}

TEST(DatabaseUrlTest, ARelativePathIsSeenFromTheWorkingDirectoryIfNoneIsGiven) {
  const auto parsed = DatabaseUrl::parse("sqlite:x.db", std::filesystem::path("/home"));
  EXPECT_EQ(parsed.value(), DatabaseUrl::file(std::filesystem::current_path() / "x.db"));
  EXPECT_EQ(DatabaseUrl::file("x.db"), *parsed);
}

TEST(DatabaseUrlTest, ATildeNeedsAHome) {
  const auto parsed = DatabaseUrl::parse("sqlite:~/x.db", std::filesystem::path("/home"));
  ASSERT_FALSE(parsed.ok());
  EXPECT_THAT(parsed.error().sentence(), HasSubstr("write the whole path"));
}

struct Refused {
  std::string_view text;
  std::string_view because;
};
void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.text; }

class DatabaseUrlRefusal : public testing::TestWithParam<Refused> {};

TEST_P(DatabaseUrlRefusal, SaysWhyWithoutRepeatingThePassword) {
  const std::string said = refusal(GetParam().text);
  EXPECT_THAT(said, HasSubstr(std::string(GetParam().because)));
  EXPECT_THAT(said, Not(HasSubstr("hunter2")));
}

constexpr std::string_view kNulInPath("sqlite:a\0b", 10);

INSTANTIATE_TEST_SUITE_P(
    Texts, DatabaseUrlRefusal,
    testing::Values(
        Refused{"mysql://me:hunter2@db", "neither sqlite:PATH nor"},
        Refused{"plans.db", "neither sqlite:PATH nor"}, Refused{" sqlite:x", "neither sqlite:PATH"},
        Refused{"postgresql:me:hunter2@db", "neither sqlite:PATH nor"},
        Refused{"sqlite+pysqlite:///x.db", "names no driver"},
        Refused{"postgresql+psycopg2://me:hunter2@db/x", "names no driver"},
        Refused{"sqlite:", "names a folder"}, Refused{"sqlite:/", "names a folder"},
        Refused{"sqlite:/var/", "names a folder"}, Refused{"sqlite:..", "names a folder"},
        Refused{"sqlite:~", "names a folder"}, Refused{"sqlite:///", "names a folder"},
        Refused{kNulInPath, "a zero byte"}, Refused{"sqlite:file:x?mode=memory", "has no path"},
        Refused{"sqlite://me:hunter2@host/x", "has no host"},
        Refused{"sqlite://x.db", "sqlite:///PATH"},
        Refused{"sqlite:///x.db?mode=ro", "takes no parameters"},
        Refused{"sqlite::memory:?cache=shared", "letters, digits"},
        Refused{"sqlite::memory:a/b", "letters, digits"},
        Refused{"postgresql://me:hunter2@db:port/x", "1 to 65535"},
        Refused{"postgresql://me:hunter2@db:70000", "1 to 65535"},
        Refused{"postgresql://db:0/x", "1 to 65535"}, Refused{"postgresql://db:-1/x", "1 to 65535"},
        Refused{"postgresql://db/x?port=hunter2", "1 to 65535"},
        Refused{"postgresql://a:b:c/x", "1 to 65535"},
        Refused{"postgresql://me:1/hunter2@db/x", "%40, %2F or %3F"},
        Refused{"postgresql://me:1?hunter2=@db/x", "%40, %2F or %3F"},
        Refused{"postgresql://me:1/hunter2/x", "%2F"},
        Refused{"postgresql://one:1,two:2/x", "several hosts"},
        Refused{"postgresql:///x?host=one,two", "several hosts"},
        Refused{"postgresql://a%2Cb/x", "several hosts"},
        Refused{"postgresql://[::1/x", "[ADDRESS]"}, Refused{"postgresql://[]/x", "[ADDRESS]"},
        Refused{"postgresql://[::1]5432/x", "[ADDRESS]"},
        Refused{"postgresql://a%20b/x", "neither a name nor"},
        Refused{"postgresql:///x?host=%5B::1%5D", "neither a name nor"},
        Refused{"postgresql://me:hunter2%zz@db/x", "two hexadecimal digits"},
        Refused{"postgresql://db%4", "two hexadecimal digits"},
        Refused{"postgresql://db/%00", "two hexadecimal digits"},
        Refused{"postgresql://db/x?%=1", "two hexadecimal digits"},
        Refused{"postgresql://db/x?a=%+1", "two hexadecimal digits"},
        Refused{"postgresql://db/x?hunter2", "NAME=VALUE"},
        Refused{"postgresql://db/x?=hunter2", "NAME=VALUE"},
        Refused{"postgresql://db/x?a=1&&b=2", "NAME=VALUE"}));

TEST(PercentTest, EncodesWhatCouldBeMistaken) {
  EXPECT_EQ(internal::percent_encoded("aZ9-._~ /?&=%\xc3\xa9"), "aZ9-._~%20%2F%3F%26%3D%25%C3%A9");
  EXPECT_EQ(internal::percent_decoded("%c3%A9+").value(), "\xc3\xa9+");
}

// The pieces of URLs in random order: what the fuzzer does for longer.
TEST(DatabaseUrlTest, AnyTextIsReadAgainOrRefused) {
  constexpr std::string_view kPieces[] = {"sqlite:",     "postgresql://",
                                          "postgres://", "/",
                                          "//",          ":",
                                          "@",           "?",
                                          "&",           "=",
                                          "%2F",         "%",
                                          "[",           "]",
                                          ":memory:",    "..",
                                          ".",           "~",
                                          "a",           "Host",
                                          "::1",         ",",
                                          "%25",         "5432",
                                          "host=",       "port=",
                                          "password=",   "\n",
                                          "\xff"};
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string text(kPieces[random() % 3]);
    for (auto count = random() % 12; count > 0; --count) {
      text += kPieces[random() % std::size(kPieces)];
    }
    internal::exercise_url(text);
  }
}

}  // namespace
}  // namespace clever::storage
