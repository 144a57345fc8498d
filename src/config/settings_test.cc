#include "config/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace clever::config {
namespace {

using base::ErrorCode;
using test::TemporaryDirectory;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A home and a project below it, as on a person's machine.
class SettingsTest : public ::testing::Test {
 protected:
  void user(std::string_view text) { folder_.write("me/.cleveragents/config.toml", text); }
  void project(std::string_view text) { folder_.write("me/here/.cleveragents/config.toml", text); }

  Sources sources() {
    io::Environment::Entries entries = variables_;
    entries.emplace("HOME", (folder_ / "me").string());
    return {.home = folder_ / "me/.cleveragents",
            .project_directory = folder_ / "me/here/src",
            .environment = io::Environment(entries),
            .flags = flags_};
  }
  Settings load() { return load_settings(sources()).value(); }
  base::Error failure() { return load_settings(sources()).error(); }
  std::string user_file_name() { return (folder_ / "me/.cleveragents/config.toml").string(); }

  TemporaryDirectory folder_;
  io::Environment::Entries variables_;
  std::vector<std::pair<std::string, std::string>> flags_;
};

TEST_F(SettingsTest, AreTheDefaultsWithoutFiles) {
  const Settings settings = load();
  EXPECT_EQ(settings.text("log.level"), "warn");
  EXPECT_EQ(settings.find("output.color"), (Value{"auto", Layer::kDefault, "default"}));
  EXPECT_EQ(settings.find("model.default"), (Value{"", Layer::kDefault, "default"}));
  EXPECT_TRUE(settings.warnings().empty());
}

TEST_F(SettingsTest, FindNothingForUnknownKeys) {
  EXPECT_EQ(load().find("no.such"), std::nullopt);
  EXPECT_EQ(load().find("model.alias.fast"), std::nullopt);
  EXPECT_EQ(load().text("model.alias.fast"), "");
}

TEST_F(SettingsTest, ComeFromTheUsersFileWithItsLine) {
  user("# mine\n\n[model]\ndefault = \"openai/gpt-4o\"\n");
  EXPECT_EQ(load().find("model.default"),
            (Value{"openai/gpt-4o", Layer::kUser, user_file_name() + ":4"}));
}

TEST_F(SettingsTest, TakeEachLayerOverTheOneBefore) {
  user("output.format = 'plain'\noutput.color = 'never'\nlog.level = 'info'\n");
  EXPECT_EQ(load().find("output.format")->layer, Layer::kUser);
  project("output.format = 'json'\noutput.color = 'always'\n");
  EXPECT_EQ(load().text("output.format"), "json");
  EXPECT_EQ(load().find("output.format")->layer, Layer::kProject);
  variables_.emplace("CLEVERAGENTS_OUTPUT_FORMAT", "yaml");
  EXPECT_EQ(load().find("output.format"),
            (Value{"yaml", Layer::kEnvironment, "CLEVERAGENTS_OUTPUT_FORMAT"}));
  flags_ = {{"output.format", "table"}};
  EXPECT_EQ(load().find("output.format"), (Value{"table", Layer::kFlag, "--format"}));
  EXPECT_EQ(load().text("output.color"), "always");
  EXPECT_EQ(load().text("log.level"), "info");
}

TEST_F(SettingsTest, TakeTheLastOfEqualFlags) {
  flags_ = {{"log.level", "info"}, {"log.level", "debug"}};
  EXPECT_EQ(load().text("log.level"), "debug");
}

TEST_F(SettingsTest, NameTheCommandLineForAKeyWithoutAFlag) {
  flags_ = {{"model.alias.x", "a/b"}};
  EXPECT_EQ(load().find("model.alias.x")->origin, "the command line");
}

TEST_F(SettingsTest, RefuseABadFlag) {
  flags_ = {{"output.format", "jsno"}};
  EXPECT_EQ(failure().message(),
            "--format: output.format: 'jsno' is not one of rich, plain, json, yaml, table; did you "
            "mean json?");
  flags_ = {{"output.fromat", "json"}};
  EXPECT_THAT(failure().message(), HasSubstr("did you mean output.format?"));
}

TEST_F(SettingsTest, AVariableNamesTheKeyWithTheLongestEnd) {
  variables_["CLEVERAGENTS_MCP_FILES_CALL_TIMEOUT"] = "2m";
  variables_["CLEVERAGENTS_MCP_FILES_TIMEOUT"] = "9s";
  const Settings settings = load();
  EXPECT_EQ(settings.text("mcp.files.call_timeout"), "2m");
  EXPECT_EQ(settings.text("mcp.files.timeout"), "9s");
}

TEST_F(SettingsTest, ReadAliasesFromFilesAndEnvironment) {
  user("[model.alias]\nfast = 'groq/llama'\nBig-1 = 'openai/o3'\n");
  variables_.emplace("CLEVERAGENTS_MODEL_ALIAS_SLOW_ONE", "a/b");
  EXPECT_EQ(load().text("model.alias.fast"), "groq/llama");
  EXPECT_EQ(load().text("model.alias.Big-1"), "openai/o3");
  EXPECT_EQ(load().text("model.alias.slow_one"), "a/b");
}

TEST_F(SettingsTest, AreListedInTheOrderOfTheSchema) {
  user("model.alias.b = 'x/y'\nmodel.alias.a = 'x/z'\n");
  std::vector<std::string> expected;
  for (const KeyInfo& info : schema()) {
    const bool is_known = !info.is_pattern() && !info.default_value.empty();
    if (is_known || info.name == "model.default") expected.push_back(info.name);
    if (info.name == "model.alias.*") {
      expected.insert(expected.end(), {"model.alias.a", "model.alias.b"});
    }
  }
  std::vector<std::string> keys;
  for (const auto& [key, value] : load().list()) keys.push_back(key);
  EXPECT_THAT(keys, testing::IsSupersetOf(expected));
  std::erase_if(keys, [&](const std::string& key) {
    return std::ranges::find(expected, key) == expected.end();
  });
  EXPECT_EQ(keys, expected);
  EXPECT_EQ(keys.front(), "model.default");
  EXPECT_EQ(keys[1], "model.alias.a");
}

TEST_F(SettingsTest, AreListedByTheirBeginning) {
  user("[model.alias]\nb = 'x/y'\na = 'v/w'\n[provider.work]\nbase_url = 'http://a'\n");
  const auto names = [](const auto& entries) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : entries) keys.push_back(key);
    return keys;
  };
  const Settings settings = load();
  EXPECT_THAT(names(settings.list("model.alias.")),
              testing::ElementsAre("model.alias.a", "model.alias.b"));
  EXPECT_THAT(names(settings.list("provider.work.")),
              testing::ElementsAre("provider.work.base_url"));
  EXPECT_THAT(settings.list("zzz"), testing::IsEmpty());
  EXPECT_THAT(settings.list(""), testing::SizeIs(settings.list().size()));
}

TEST_F(SettingsTest, TakeListsAsArraysOrTexts) {
  user("model.fallback = [\"a/b\", 'fast']\n");
  EXPECT_EQ(load().text("model.fallback"), "a/b, fast");
  user("model.fallback = 'a/b,c/d'\n");
  EXPECT_THAT(list_of(load().text("model.fallback")), ElementsAre("a/b", "c/d"));
  user("model.fallback = []\n");
  EXPECT_THAT(list_of(load().text("model.fallback")), ElementsAre());
}

TEST_F(SettingsTest, RefuseListsOfOtherThings) {
  user("model.fallback = ['a/b', 7]\n");
  EXPECT_THAT(failure().message(), HasSubstr("an array with items that are not texts"));
  user("model.fallback = ['a/b', '']\n");
  EXPECT_THAT(failure().message(), HasSubstr("texts without commas"));
  user("model.fallback = ['a/b,c/d']\n");
  EXPECT_THAT(failure().message(), HasSubstr("texts without commas"));
  user("model.fallback = 7\n");
  EXPECT_THAT(failure().message(), HasSubstr("is a whole number; expected a list of models"));
}

TEST_F(SettingsTest, NameThePlaceOfARuleThatIsInvalid) {
  user("[permissions]\nask = ['write_file']\ndeny = ['delete_file', 'run_command(git push']\n");
  EXPECT_THAT(
      failure().message(),
      AllOf(HasSubstr("config.toml:3: permissions.deny: \"run_command(git push\" is not a rule"),
            HasSubstr("such as run_command(git push *)")));
  user("[permissions]\ndeny = ['run_command(printf a, b)', 'delete_file']\n");
  EXPECT_THAT(rules_of(load().text("permissions.deny")),
              ElementsAre("run_command(printf a, b)", "delete_file"));
}

TEST_F(SettingsTest, TakeNamesInTheMiddleOfAKey) {
  user("[provider.work]\nbase_url = 'https://x'\n[provider.work.headers]\nX-A = 'b'\n");
  variables_.emplace("CLEVERAGENTS_PROVIDER_WORK_KEY_ENV", "WORK_KEY");
  variables_.emplace("CLEVERAGENTS_PROVIDER_SCRIPT", "x.yaml");
  const Settings settings = load();
  EXPECT_EQ(settings.text("provider.work.base_url"), "https://x");
  EXPECT_EQ(settings.text("provider.work.headers.X-A"), "b");
  EXPECT_EQ(settings.text("provider.work.key_env"), "WORK_KEY");
  EXPECT_EQ(settings.text("provider.script"), "x.yaml");
  EXPECT_TRUE(settings.warnings().empty());
}

TEST_F(SettingsTest, WarnOfVariablesThatFitNoPattern) {
  variables_.emplace("CLEVERAGENTS_PROVIDER__BASE_URL", "x");
  variables_.emplace("CLEVERAGENTS_PROVIDER_A_HEADERS_B", "x");
  EXPECT_EQ(load().warnings().size(), 2U);
}

TEST_F(SettingsTest, LetNoProjectSetAnEndpoint) {
  project("[provider.openai]\nbase_url = 'https://evil.example.com'\n");
  EXPECT_EQ(failure().code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(failure().message(),
              HasSubstr("provider.openai.base_url cannot be set by a project"));
}

TEST_F(SettingsTest, NeverShowAKeyThatWasGivenInPlaceOfItsVariable) {
  user("provider.work.key_env = 'very-secret'\n");
  EXPECT_THAT(failure().message(), AllOf(HasSubstr("the name of an environment variable"),
                                         Not(HasSubstr("very-secret"))));
}

TEST_F(SettingsTest, IgnoreEmptyVariables) {
  variables_.emplace("CLEVERAGENTS_OUTPUT_FORMAT", "");
  EXPECT_EQ(load().text("output.format"), "rich");
}

TEST_F(SettingsTest, RefuseABadVariable) {
  variables_.emplace("CLEVERAGENTS_LOG_LEVEL", "loud");
  EXPECT_EQ(failure().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(failure().message(),
            "CLEVERAGENTS_LOG_LEVEL: log.level: 'loud' is not one of trace, debug, info, warn, "
            "error, off");
}

TEST_F(SettingsTest, WarnAboutVariablesThatAreNoSettings) {
  variables_.emplace("CLEVERAGENTS_MODEL_DEFALT", "openai/gpt-4o");
  variables_.emplace("CLEVERAGENTS_SOMETHING_ELSE_ALTOGETHER", "1");
  variables_.emplace("CLEVERAGENTS_HOME", "/x");
  variables_.emplace("CLEVERAGENTS_MODEL_ALIAS_", "a/b");
  EXPECT_THAT(load().warnings(),
              ElementsAre("CLEVERAGENTS_MODEL_ALIAS_ is not a setting; did you mean "
                          "CLEVERAGENTS_MODEL_ALIAS_*?",
                          "CLEVERAGENTS_MODEL_DEFALT is not a setting; did you mean "
                          "CLEVERAGENTS_MODEL_DEFAULT?",
                          "CLEVERAGENTS_SOMETHING_ELSE_ALTOGETHER is not a setting"));
}

TEST_F(SettingsTest, RefuseAnUnknownKeyWithItsPlace) {
  user("[output]\nfromat = 'json'\n");
  EXPECT_EQ(failure().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(failure().message(), user_file_name() +
                                     ":2: there is no setting 'output.fromat'; did you mean "
                                     "output.format?");
}

TEST_F(SettingsTest, RefuseAValueThatIsNotAllowed) {
  user("[output]\nformat = 'jsn'\n");
  EXPECT_EQ(failure().message(),
            user_file_name() +
                ":2: output.format: 'jsn' is not one of rich, plain, json, yaml, table; did you "
                "mean json?");
}

TEST_F(SettingsTest, RefuseAValueOfAnotherType) {
  user("output.format = 3\n");
  EXPECT_EQ(failure().message(),
            user_file_name() +
                ":1: output.format is a whole number; expected one of rich, plain, "
                "json, yaml, table, in quotes");
  user("output.format = ['json']\n");
  EXPECT_THAT(failure().message(), HasSubstr("is an array; expected"));
  user("output.format = 1979-05-27\n");
  EXPECT_THAT(failure().message(), HasSubstr("is a date or time; expected"));
  user("output.format = true\n");
  EXPECT_THAT(failure().message(), HasSubstr("is true or false; expected"));
  user("output.format = 1.5\n");
  EXPECT_THAT(failure().message(), HasSubstr("is a number; expected"));
}

TEST_F(SettingsTest, RefuseAValueInPlaceOfAGroup) {
  user("model = 'openai/gpt-4o'\n");
  EXPECT_THAT(failure().message(),
              AllOf(HasSubstr(":1: "), HasSubstr("'model' is a group of settings")));
}

TEST_F(SettingsTest, DoNotMistakeADotInAKeyForAGroup) {
  user("\"model.default\" = 'openai/gpt-4o'\n");
  EXPECT_THAT(failure().message(), HasSubstr("there is no setting '\"model.default\"'"));
}

TEST_F(SettingsTest, RefuseArraysOfTables) {
  user("[[model]]\ndefault = 'openai/gpt-4o'\n");
  EXPECT_THAT(failure().message(), HasSubstr("'model' is a group of settings"));
}

TEST_F(SettingsTest, RefuseBrokenToml) {
  user("[output]\nformat = \n");
  EXPECT_EQ(failure().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(failure().message(), HasSubstr(user_file_name() + ":2: "));
}

TEST_F(SettingsTest, RefuseTomlOnWhichTheParserBreaksOff) {
  user("[output]\nformat = 'json'\n\n[.log]\nlevel = 'info'\n\n");
  EXPECT_EQ(failure().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(failure().message(), user_file_name() + ":4: not valid TOML");
}

TEST_F(SettingsTest, RefuseAKeyGivenTwice) {
  user("[output]\nformat = 'json'\nformat = 'yaml'\n");
  EXPECT_THAT(failure().message(), AllOf(HasSubstr(":3: "), HasSubstr("format")));
}

TEST_F(SettingsTest, RefuseTextThatIsNotUtf8) {
  user("[output]\n# caf\xe9\n");
  EXPECT_EQ(failure().message(), user_file_name() + ":2: not valid UTF-8; save the file as UTF-8");
}

TEST_F(SettingsTest, RefuseAFileThatIsTooLarge) {
  user("#" + std::string(std::size_t{1} << 20U, 'x'));
  EXPECT_EQ(failure().code(), ErrorCode::kResourceExhausted);
  EXPECT_THAT(failure().message(), HasSubstr(user_file_name()));
}

TEST_F(SettingsTest, RefuseAFolderInPlaceOfTheFile) {
  std::filesystem::create_directories(user_file_name());
  EXPECT_EQ(failure().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(failure().message(), AllOf(HasSubstr(user_file_name()), HasSubstr("Is a directory")));
}

TEST_F(SettingsTest, RefuseAFileTheyMayNotRead) {
  user("log.level = 'info'\n");
  std::filesystem::permissions(folder_.path(), std::filesystem::perms{0755});
  std::filesystem::permissions(user_file_name(), std::filesystem::perms{0});
  EXPECT_EQ(test::in_unprivileged_child([&] {
              const auto result = load_settings(sources());
              return !result.ok() && result.error().code() == ErrorCode::kPermissionDenied ? 0 : 1;
            }),
            0);
}

TEST_F(SettingsTest, RefuseNestingThatWouldExhaustTheStack) {
  std::string dots = "a";
  for (int i = 0; i < 200'000; ++i) dots += ".a";
  user("# deep\n" + dots + " = 1\n");
  EXPECT_THAT(failure().message(), HasSubstr(":2: nested deeper than settings can be"));
  user("a = " + std::string(200'000, '['));
  EXPECT_THAT(failure().message(), HasSubstr(":1: nested deeper than settings can be"));
  user("[" + dots + "]\n");
  EXPECT_THAT(failure().message(), HasSubstr("nested deeper"));
}

TEST_F(SettingsTest, AllowDotsAndBracketsInsideTextAndComments) {
  const std::string dots(100, '.');
  const std::string brackets(100, '[');
  user("# " + dots + brackets + "\nlog.file = \"" + dots + brackets + "\\\"" + dots +
       "\" # x\n[database]\nurl = '''" + dots + "\n" + brackets + "'x''" + dots + "''''' # " +
       dots + "\n[model]\ndefault = \"\"\"a/" + dots + brackets + "\"\"\"\n");
  EXPECT_EQ(load().text("log.file"), dots + brackets + "\"" + dots);
  EXPECT_EQ(load().text("database.url"), dots + "\n" + brackets + "'x''" + dots + "''");
}

TEST_F(SettingsTest, RefuseWhatAProjectMayNotSet) {
  project("[database]\nurl = 'postgres://user:hunter2@evil/db'\n");
  EXPECT_EQ(failure().code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(failure().message(),
              AllOf(HasSubstr("here/.cleveragents/config.toml:2: database.url cannot be set by a "
                              "project"),
                    HasSubstr("not trusted"), HasSubstr(user_file_name()),
                    HasSubstr("CLEVERAGENTS_DATABASE_URL"), Not(HasSubstr("hunter2"))));
}

TEST_F(SettingsTest, LetTheUserSetTheSame) {
  user("[database]\nurl = 'postgres://db'\n[log]\nfile = '/tmp/x'\n");
  EXPECT_EQ(load().text("database.url"), "postgres://db");
  EXPECT_EQ(load().text("log.file"), "/tmp/x");
}

TEST_F(SettingsTest, LookForTheProjectUpwards) {
  project("output.format = 'json'\n");
  EXPECT_EQ(project_file(sources()), folder_ / "me/here/.cleveragents/config.toml");
  folder_.write("me/here/src/.cleveragents/config.toml", "output.format = 'yaml'\n");
  EXPECT_EQ(load().text("output.format"), "yaml");
}

TEST_F(SettingsTest, NeverTakeTheHomeForAProject) {
  user("[database]\nurl = 'sqlite'\n");
  EXPECT_EQ(project_file(sources()), std::nullopt);
  EXPECT_EQ(load().find("database.url")->layer, Layer::kUser);
}

TEST_F(SettingsTest, NeverTakeTheUsualHomeForAProjectWhenItIsMoved) {
  user("[database]\nurl = 'sqlite'\n");
  Sources moved = sources();
  moved.home = folder_ / "elsewhere";
  EXPECT_EQ(project_file(moved), std::nullopt);
  EXPECT_EQ(load_settings(moved).value().find("database.url")->layer, Layer::kDefault);
}

TEST_F(SettingsTest, HaveNoProjectUnlessAsked) {
  project("output.format = 'json'\n");
  Sources none = sources();
  none.project_directory.reset();
  EXPECT_EQ(load_settings(none).value().text("output.format"), "rich");
}

TEST_F(SettingsTest, TakeNumbersAndBooleansAsTheyAreWritten) {
  const Schema schema = {{.name = "a.count", .type = Type::kInteger, .default_value = "1"},
                         {.name = "a.ratio", .type = Type::kNumber},
                         {.name = "a.whole", .type = Type::kNumber},
                         {.name = "a.on", .type = Type::kBoolean},
                         {.name = "a.wait", .type = Type::kDuration}};
  user("[a]\ncount = 0x1F\nratio = 0.5\nwhole = 2\non = true\nwait = '5s'\n");
  const Settings settings = load_settings(sources(), schema).value();
  EXPECT_EQ(settings.text("a.count"), "31");
  EXPECT_EQ(settings.text("a.ratio"), "0.5");
  EXPECT_EQ(settings.text("a.whole"), "2");
  EXPECT_EQ(settings.text("a.on"), "true");
  EXPECT_EQ(settings.text("a.wait"), "5s");
}

TEST_F(SettingsTest, RefuseQuotedNumbers) {
  const Schema schema = {{.name = "a.count", .type = Type::kInteger}};
  user("[a]\ncount = '3'\n");
  EXPECT_THAT(load_settings(sources(), schema).error().message(),
              HasSubstr("a.count is a string; expected a whole number"));
}

TEST(HomeDirectory, IsBelowTheUsersHome) {
  EXPECT_EQ(home_directory(io::Environment(io::Environment::Entries{{"HOME", "/home/me"}})),
            "/home/me/.cleveragents");
}

TEST(HomeDirectory, CanBeMoved) {
  EXPECT_EQ(home_directory(io::Environment(
                io::Environment::Entries{{"HOME", "/home/me"}, {"CLEVERAGENTS_HOME", "/x/../y"}})),
            "/y");
  EXPECT_TRUE(
      home_directory(io::Environment(io::Environment::Entries{{"CLEVERAGENTS_HOME", "relative"}}))
          .is_absolute());
}

TEST(HomeDirectory, IsNotMovedByAnEmptyVariable) {
  EXPECT_EQ(home_directory(io::Environment(
                io::Environment::Entries{{"HOME", "/home/me"}, {"CLEVERAGENTS_HOME", ""}})),
            "/home/me/.cleveragents");
}

TEST(LayerName, IsAWord) {
  EXPECT_EQ(to_string(Layer::kDefault), "default");
  EXPECT_EQ(to_string(Layer::kUser), "user");
  EXPECT_EQ(to_string(Layer::kProject), "project");
  EXPECT_EQ(to_string(Layer::kEnvironment), "environment");
  EXPECT_EQ(to_string(Layer::kFlag), "flag");
}

}  // namespace
}  // namespace clever::config
