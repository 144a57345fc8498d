#include "config/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace clever::config {
namespace {

using base::ErrorCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

KeyInfo of_type(Type type) { return {.name = "x.y", .type = type, .allowed = {"red", "green"}}; }

bool accepts(Type type, std::string_view text) {
  return check_value(of_type(type), "x.y", text).ok();
}

std::string refusal(Type type, std::string_view text) {
  return check_value(of_type(type), "x.y", text).error().message();
}

TEST(Schema, NamesEachKeyOnce) {
  std::set<std::string> names;
  for (const KeyInfo& info : schema()) EXPECT_TRUE(names.insert(info.name).second) << info.name;
}

TEST(Schema, GivesEachEnvironmentVariableOneMeaning) {
  std::set<std::string> names;
  for (const KeyInfo& info : schema()) {
    EXPECT_TRUE(names.insert(environment_name(info.name)).second) << info.name;
  }
}

TEST(Schema, HasDefaultsThatItAccepts) {
  for (const KeyInfo& info : schema()) {
    if (info.default_value.empty()) continue;
    EXPECT_TRUE(check_value(info, info.name, info.default_value).ok()) << info.name;
  }
}

TEST(Schema, DescribesEachKey) {
  for (const KeyInfo& info : schema()) EXPECT_FALSE(info.description.empty()) << info.name;
}

TEST(Schema, LetsNoProjectSayWhereDataGoes) {
  EXPECT_FALSE(find_key("database.url")->project_may_set);
  EXPECT_FALSE(find_key("log.file")->project_may_set);
  EXPECT_TRUE(find_key("model.default")->project_may_set);
}

TEST(Schema, LetsNoProjectSetProvidersOrBudgets) {
  for (const KeyInfo& info : schema()) {
    const bool sensitive = info.name.starts_with("provider.") || info.name.starts_with("budget.");
    EXPECT_EQ(sensitive && info.project_may_set, false) << info.name;
  }
}

TEST(FindKey, MatchesNamesInTheMiddle) {
  ASSERT_NE(find_key("provider.work.base_url"), nullptr);
  EXPECT_EQ(find_key("provider.work.base_url")->name, "provider.*.base_url");
  EXPECT_EQ(find_key("provider.work.headers.X-A")->name, "provider.*.headers.*");
  EXPECT_EQ(find_key("provider.work"), nullptr);
  EXPECT_EQ(find_key("provider..base_url"), nullptr);
  EXPECT_EQ(find_key("provider.a b.base_url"), nullptr);
  EXPECT_EQ(find_key("provider.work.base_url.x"), nullptr);
}

TEST(UnknownKey, OffersWhatIsInAGroupWithAName) {
  EXPECT_THAT(unknown_key(schema(), "provider.work").message(),
              AllOf(HasSubstr("is a group of settings"), HasSubstr("provider.*.base_url"),
                    Not(HasSubstr("provider.script"))));
}

TEST(UnknownKey, GuessesTheEndBehindAName) {
  EXPECT_THAT(unknown_key(schema(), "provider.work.base_ulr").message(),
              HasSubstr("did you mean provider.work.base_url?"));
}

TEST(UnknownKey, SaysWhereAKeyBelongs) {
  for (const char* key : {"provider.work.key", "provider.openai.api_key", "provider.x.token"}) {
    EXPECT_THAT(unknown_key(schema(), key).message(),
                AllOf(HasSubstr("do not keep keys in files"), HasSubstr(".key_env")))
        << key;
  }
}

TEST(CheckValue, KnowsTheLeastNumber) {
  const KeyInfo info{.name = "x.y", .type = Type::kInteger, .least = 1};
  EXPECT_TRUE(check_value(info, "x.y", "1").ok());
  EXPECT_THAT(check_value(info, "x.y", "0").error().message(),
              HasSubstr("a whole number, 1 or more"));
  const KeyInfo money{.name = "x.y", .type = Type::kNumber, .least = 0};
  EXPECT_TRUE(check_value(money, "x.y", "0.5").ok());
  EXPECT_THAT(check_value(money, "x.y", "-0.5").error().message(),
              HasSubstr("a number, 0 or more"));
}

TEST(CheckValue, KnowsTheMost) {
  const KeyInfo info{.name = "x.y", .type = Type::kNumber, .least = 0, .most = 1};
  EXPECT_TRUE(check_value(info, "x.y", "1").ok());
  EXPECT_TRUE(check_value(info, "x.y", "0.8").ok());
  EXPECT_THAT(check_value(info, "x.y", "7").error().message(), HasSubstr("a number from 0 to 1"));
}

TEST(CheckValue, TakesRulesAboutTools) {
  EXPECT_TRUE(accepts(Type::kRules, ""));
  EXPECT_TRUE(accepts(Type::kRules, "write_file(docs/**), run_command(git push *) , mcp__*"));
  EXPECT_TRUE(accepts(Type::kRules, "run_command(printf (%s, x), *)"));
  EXPECT_THAT(
      refusal(Type::kRules, "write_file, run_command(git push"),
      AllOf(HasSubstr("x.y: \"run_command(git push\" is not a rule: the ) at its end is missing"),
            HasSubstr("such as run_command(git push *)")));
  EXPECT_THAT(refusal(Type::kRules, "a,,b"), HasSubstr("it names no tool"));
  EXPECT_FALSE(accepts(Type::kRules, std::string("a(\0)", 4)));
  EXPECT_TRUE(accepts(Type::kRule, "run_command(echo a, b)"));
  EXPECT_THAT(refusal(Type::kRule, "write_file, delete_file"), HasSubstr("is not a rule"));
}

// What a guard does not understand it would not guard against.
TEST(CheckValue, TakesNamesOfToolsWithoutWhatTheyAreCalledWith) {
  EXPECT_TRUE(accepts(Type::kTools, "delete_file, mcp__*"));
  EXPECT_THAT(refusal(Type::kTools, "run_command(rm *)"),
              AllOf(HasSubstr("without their arguments"), HasSubstr("permissions.deny")));
  EXPECT_FALSE(accepts(Type::kTools, "a,,b"));
}

TEST(RulesOf, CommasBetweenParenthesesBelongToTheRule) {
  EXPECT_EQ(rules_of(""), std::vector<std::string>());
  EXPECT_EQ(rules_of(" a , b(c, d) ,e"), (std::vector<std::string>{"a", "b(c, d)", "e"}));
  EXPECT_EQ(rules_of("a(b, c"), (std::vector<std::string>{"a(b, c"}));
}

TEST(CheckValue, TakesLists) {
  EXPECT_TRUE(accepts(Type::kList, ""));
  EXPECT_TRUE(accepts(Type::kList, "a, b c"));
  EXPECT_FALSE(accepts(Type::kList, "a,,b"));
  EXPECT_FALSE(accepts(Type::kList, ","));
  EXPECT_TRUE(accepts(Type::kModels, "a/b, fast"));
  EXPECT_FALSE(accepts(Type::kModels, "a/b, "));
  EXPECT_FALSE(accepts(Type::kModels, "a/b c"));
}

TEST(CheckValue, TakesNamesOfVariables) {
  for (const char* text : {"WORK_KEY", "_x1"}) EXPECT_TRUE(accepts(Type::kVariable, text)) << text;
  for (const char* text : {"", "1X", "A-B", "sk-abc", "A B", "$A"}) {
    EXPECT_FALSE(accepts(Type::kVariable, text)) << text;
  }
  EXPECT_THAT(refusal(Type::kVariable, "1-secret"), Not(HasSubstr("secret")));
}

TEST(DurationOf, ReadsUnits) {
  using namespace std::chrono_literals;
  EXPECT_EQ(duration_of("250ms"), 250ms);
  EXPECT_EQ(duration_of("30s"), 30s);
  EXPECT_EQ(duration_of("5m"), 5min);
  EXPECT_EQ(duration_of("6h"), 6h);
}

TEST(FindKey, FindsByName) {
  ASSERT_NE(find_key("output.format"), nullptr);
  EXPECT_EQ(find_key("output.format")->name, "output.format");
  EXPECT_EQ(find_key("output"), nullptr);
  EXPECT_EQ(find_key("output.form"), nullptr);
  EXPECT_EQ(find_key(""), nullptr);
}

TEST(FindKey, MatchesOneMoreSegmentOfAPattern) {
  ASSERT_NE(find_key("model.alias.Fast_1-x"), nullptr);
  EXPECT_EQ(find_key("model.alias.fast")->name, "model.alias.*");
  for (const char* name : {"model.alias", "model.alias.", "model.alias.a.b", "model.alias.a b",
                           "model.alias.*", "model.alias.\"a\""}) {
    EXPECT_EQ(find_key(name), nullptr) << name;
  }
}

TEST(CheckValue, TakesText) {
  EXPECT_TRUE(accepts(Type::kString, ""));
  EXPECT_TRUE(accepts(Type::kString, "/var/log/ä.log"));
  EXPECT_FALSE(accepts(Type::kString, "\xff"));
  EXPECT_FALSE(accepts(Type::kString, std::string_view("a\0b", 3)));
}

TEST(CheckValue, TakesModels) {
  EXPECT_TRUE(accepts(Type::kModel, "openai/gpt-4o"));
  EXPECT_TRUE(accepts(Type::kModel, "openrouter/meta-llama/llama-3:free"));
  for (const char* text : {"", "gpt-4o", "/gpt", "openai/", "openai//x", "open ai/x", "openai/a b",
                           "openai/x/", "openai/\x1b[2J"}) {
    EXPECT_FALSE(accepts(Type::kModel, text)) << text;
  }
  EXPECT_THAT(refusal(Type::kModel, "gpt-4o"), HasSubstr("a model such as provider/model"));
}

TEST(CheckValue, TakesWholeNumbers) {
  EXPECT_TRUE(accepts(Type::kInteger, "-42"));
  EXPECT_TRUE(accepts(Type::kInteger, "9223372036854775807"));
  for (const char* text : {"", "1.5", "9223372036854775808", "0x10", "+1", "1 ", "one"}) {
    EXPECT_FALSE(accepts(Type::kInteger, text)) << text;
  }
  EXPECT_THAT(refusal(Type::kInteger, "one"), HasSubstr("a whole number"));
}

TEST(CheckValue, TakesNumbers) {
  EXPECT_TRUE(accepts(Type::kNumber, "1"));
  EXPECT_TRUE(accepts(Type::kNumber, "-0.25"));
  EXPECT_TRUE(accepts(Type::kNumber, "1e5"));
  for (const char* text : {"", "inf", "nan", "1,5", "1e999"}) {
    EXPECT_FALSE(accepts(Type::kNumber, text)) << text;
  }
  EXPECT_THAT(refusal(Type::kNumber, "x"), HasSubstr("a number"));
}

TEST(CheckValue, TakesTrueAndFalse) {
  EXPECT_TRUE(accepts(Type::kBoolean, "true"));
  EXPECT_TRUE(accepts(Type::kBoolean, "false"));
  EXPECT_FALSE(accepts(Type::kBoolean, "yes"));
  EXPECT_THAT(refusal(Type::kBoolean, "yes"), HasSubstr("true or false"));
}

TEST(CheckValue, TakesDurations) {
  for (const char* text : {"250ms", "30s", "5m", "2h", "0s"}) {
    EXPECT_TRUE(accepts(Type::kDuration, text)) << text;
  }
  for (const char* text : {"", "5", "s", "-5s", "1.5s", "5 s", "5d", "12345678901s"}) {
    EXPECT_FALSE(accepts(Type::kDuration, text)) << text;
  }
  EXPECT_THAT(refusal(Type::kDuration, "soon"), HasSubstr("a duration such as"));
}

TEST(CheckValue, TakesSizes) {
  for (const char* text : {"0", "512MiB", "4GiB", "1KiB", "2TiB", "1%", "100%"}) {
    EXPECT_TRUE(accepts(Type::kSize, text)) << text;
  }
  for (const char* text :
       {"", "5", "GiB", "-5GiB", "1.5GiB", "4 GiB", "4GB", "0%", "101%", "1234567KiB"}) {
    EXPECT_FALSE(accepts(Type::kSize, text)) << text;
  }
  EXPECT_THAT(refusal(Type::kSize, "much"), HasSubstr("a size such as"));
}

TEST(SizeOf, CountsBytesAndPercentages) {
  EXPECT_EQ(size_of("0", 1000), 0U);
  EXPECT_EQ(size_of("3KiB", 0), 3072U);
  EXPECT_EQ(size_of("2GiB", 0), std::uint64_t{2} << 30U);
  EXPECT_EQ(size_of("50%", 1000), 500U);
}

TEST(CheckValue, TakesWhatIsAllowedAndSuggestsTheNearest) {
  EXPECT_TRUE(accepts(Type::kChoice, "red"));
  EXPECT_EQ(refusal(Type::kChoice, "gren"),
            "x.y: 'gren' is not one of red, green; did you mean green?");
  EXPECT_EQ(refusal(Type::kChoice, "banana"), "x.y: 'banana' is not one of red, green");
}

TEST(CheckValue, DoesNotRepeatLongOrDangerousText) {
  EXPECT_THAT(refusal(Type::kBoolean, std::string(1000, 'x')),
              HasSubstr(std::string(80, 'x') + "…'"));
  EXPECT_THAT(refusal(Type::kBoolean, std::string(1000, 'x')),
              Not(HasSubstr(std::string(81, 'x'))));
  EXPECT_THAT(refusal(Type::kBoolean, "\x1b[2J"), HasSubstr("'?[2J'"));
}

TEST(CheckValue, CutsBetweenCharacters) {
  std::string text = "x";
  for (int i = 0; i < 60; ++i) text += "é";
  EXPECT_THAT(refusal(Type::kBoolean, text), HasSubstr("é…'"));
}

TEST(CheckValue, DoesNotShowWhatLooksLikeASecret) {
  const std::string key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF";
  EXPECT_THAT(refusal(Type::kModel, key), Not(HasSubstr("abcdefghijklmnop")));
}

TEST(Expectation, IsThereForText) { EXPECT_EQ(expectation(of_type(Type::kString)), "UTF-8 text"); }

TEST(UnknownKey, SuggestsTheNearest) {
  EXPECT_EQ(unknown_key(schema(), "output.fromat").message(),
            "there is no setting 'output.fromat'; did you mean output.format?");
  EXPECT_EQ(unknown_key(schema(), "model.alais.fast").message(),
            "there is no setting 'model.alais.fast'; did you mean model.alias.fast?");
}

TEST(UnknownKey, NamesTheListWhenNoneIsNear) {
  EXPECT_THAT(unknown_key(schema(), "colour").message(),
              HasSubstr("; `agents config list` lists them all"));
}

TEST(UnknownKey, ExplainsAGroup) {
  EXPECT_EQ(unknown_key(schema(), "output").message(),
            "'output' is a group of settings, not a setting: output.format, output.color, "
            "output.theme, output.notify");
}

TEST(EnvironmentName, IsInCapitals) {
  EXPECT_EQ(environment_name("model.default"), "CLEVERAGENTS_MODEL_DEFAULT");
  EXPECT_EQ(environment_name("model.alias.my-fast2"), "CLEVERAGENTS_MODEL_ALIAS_MY_FAST2");
}

}  // namespace
}  // namespace clever::config
