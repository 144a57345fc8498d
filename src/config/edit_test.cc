#include "config/edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "config/internal/edit_text.h"
#include "config/settings.h"
#include "io/file_lock.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace clever::config {
namespace {

using base::ErrorCode;
using test::TemporaryDirectory;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Schema& test_schema() {
  static const Schema kSchema = {
      {.name = "a.count", .type = Type::kInteger},
      {.name = "a.ratio", .type = Type::kNumber},
      {.name = "a.on", .type = Type::kBoolean},
      {.name = "a.text"},
      {.name = "a.wait", .type = Type::kDuration},
      {.name = "a.name.*"},
      {.name = "a.list", .type = Type::kList},
      {.name = "a.rules", .type = Type::kRules},
      {.name = "a.tools", .type = Type::kTools},
      {.name = "g.*.x"},
      {.name = "a.b.c.d"},
      {.name = "top"},
  };
  return kSchema;
}

base::Result<std::string> set_in(std::string_view text, std::string_view key,
                                 std::string_view value) {
  const TemporaryDirectory folder;
  const auto file = folder.write("x.toml", text);
  const auto result = set_value(file, key, value, {.schema = &test_schema()});
  if (!result.ok()) {
    EXPECT_EQ(folder.read("x.toml"), text) << "a refused edit changed the file";
    return result.error();
  }
  return folder.read("x.toml");
}

base::Result<std::string> unset_in(std::string_view text, std::string_view key) {
  const TemporaryDirectory folder;
  const auto file = folder.write("x.toml", text);
  const auto result = unset_value(file, key, {.schema = &test_schema()});
  if (!result.ok()) {
    EXPECT_EQ(folder.read("x.toml"), text) << "a refused edit changed the file";
    return result.error();
  }
  return folder.read("x.toml");
}

TEST(SetValue, WritesListsAsArrays) {
  EXPECT_EQ(*set_in("", "a.list", "x, y"), "[a]\nlist = [\"x\", \"y\"]\n");
  EXPECT_EQ(*set_in("a.list = [ 'z' ] # mine\n", "a.list", "x"), "a.list = [\"x\"] # mine\n");
  EXPECT_EQ(*set_in("a.list = 'z'\n", "a.list", ""), "a.list = []\n");
  EXPECT_EQ(*set_in("", "a.rules", "x, y(a, b)"), "[a]\nrules = [\"x\", \"y(a, b)\"]\n");
  EXPECT_EQ(*set_in("", "a.tools", "x, y*"), "[a]\ntools = [\"x\", \"y*\"]\n");
}

TEST(SetValue, WritesBelowANameInTheMiddle) {
  EXPECT_EQ(*set_in("[g.one]\nx = 'a'\n", "g.two.x", "b"),
            "[g.one]\nx = 'a'\n\n[g.two]\nx = \"b\"\n");
}

void check_set(std::string_view before, std::string_view key, std::string_view value,
               std::string_view after) {
  const auto result = set_in(before, key, value);
  ASSERT_TRUE(result.ok()) << result.error().to_string();
  EXPECT_EQ(*result, after);
}

void check_unset(std::string_view before, std::string_view key, std::string_view after) {
  const auto result = unset_in(before, key);
  ASSERT_TRUE(result.ok()) << result.error().to_string();
  EXPECT_EQ(*result, after);
}

TEST(SetValue, CreatesTheFileAndItsFolder) {
  const TemporaryDirectory folder;
  set_value(folder / "home/config.toml", "model.default", "openai/gpt-4o").value();
  EXPECT_EQ(folder.read("home/config.toml"), "[model]\ndefault = \"openai/gpt-4o\"\n");
  struct stat status{};
  ASSERT_EQ(::stat((folder / "home/config.toml").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(SetValue, ReplacesTheValueAlone) {
  check_set("# top\n[a]  # table\ntext   =  'old'   # why\ncount = 1\n", "a.text", "new",
            "# top\n[a]  # table\ntext   =  \"new\"   # why\ncount = 1\n");
}

TEST(SetValue, ReplacesAValueOfSeveralLines) {
  check_set("[a]\ntext = \"\"\"one\ntwo\n\"\"\" # end\ncount = 1\n", "a.text", "x",
            "[a]\ntext = \"x\" # end\ncount = 1\n");
  check_set("[a]\ntext = [\n 'x', # one\n 'y',\n]\ncount = 1\n", "a.text", "z",
            "[a]\ntext = \"z\"\ncount = 1\n");
}

TEST(SetValue, AddsToTheEndOfItsTable) {
  check_set("[a]\ncount = 1\n\n# about b\n[b]\nx = 1\n", "a.text", "t",
            "[a]\ncount = 1\ntext = \"t\"\n\n# about b\n[b]\nx = 1\n");
}

TEST(SetValue, AddsToAnEmptyTable) {
  check_set("[a] # empty\n[b]\nx = 1\n", "a.text", "t", "[a] # empty\ntext = \"t\"\n[b]\nx = 1\n");
}

TEST(SetValue, KeepsTheIndentation) {
  check_set("[a]\n\tcount = 1\n", "a.text", "t", "[a]\n\tcount = 1\n\ttext = \"t\"\n");
}

TEST(SetValue, AppendsATableThatIsMissing) {
  check_set("[b]\nx = 1\n", "a.text", "t", "[b]\nx = 1\n\n[a]\ntext = \"t\"\n");
  check_set("[a]\ncount = 1\n", "a.name.n", "t", "[a]\ncount = 1\n\n[a.name]\nn = \"t\"\n");
}

TEST(SetValue, AppendsATableAboveExistingOnes) {
  check_set("[a.name]\nn = \"t\"\n", "a.count", "3", "[a.name]\nn = \"t\"\n\n[a]\ncount = 3\n");
}

TEST(SetValue, FindsTablesWrittenLoosely) {
  check_set("[ a . \"name\" ]\nn = 't'\n", "a.name.m", "u",
            "[ a . \"name\" ]\nn = 't'\nm = \"u\"\n");
}

TEST(SetValue, ReplacesDottedKeys) {
  check_set("a.text = 'old' # x\na . count=1\n", "a.text", "new",
            "a.text = \"new\" # x\na . count=1\n");
}

TEST(SetValue, AddsBesideDottedKeys) {
  check_set("a.text = 't'\nother = 1\n\n[b]\n", "a.count", "2",
            "a.text = 't'\na.count = 2\nother = 1\n\n[b]\n");
  check_set("[a]\nb.x = 1\n", "a.b.c.d", "t", "[a]\nb.x = 1\nb.c.d = \"t\"\n");
  check_set("a.name.n = 't'\n", "a.count", "2", "a.name.n = 't'\na.count = 2\n");
}

TEST(SetValue, ReplacesQuotedKeys) {
  check_set("[\"a\"]\n\"text\" = 'old'\n", "a.text", "new", "[\"a\"]\n\"text\" = \"new\"\n");
  check_set("'a'.\"te\\u0078t\" = 'old'\n", "a.text", "new", "'a'.\"te\\u0078t\" = \"new\"\n");
}

TEST(SetValue, ReplacesInsideBraces) {
  check_set("a = { text = 'old', count = 1 } # x\n", "a.text", "new",
            "a = { text = \"new\", count = 1 } # x\n");
}

TEST(SetValue, AddsInsideBraces) {
  check_set("a = { text = 'old' }\n", "a.count", "2", "a = { text = 'old', count = 2 }\n");
  check_set("a = {text='old'}\n", "a.name.n", "x", "a = {text='old', name.n = \"x\" }\n");
  check_set("a = {}\n", "a.count", "2", "a = { count = 2 }\n");
  check_set("[a]\nname = { m = 'x' } # c\n", "a.name.n", "y",
            "[a]\nname = { m = 'x', n = \"y\" } # c\n");
}

TEST(SetValue, KeepsTheLineEndsOfWindows) {
  check_set("[a]\r\ntext = 'old'\r\n", "a.text", "new", "[a]\r\ntext = \"new\"\r\n");
  check_set("[a]\r\ntext = 'old'\r\n", "a.count", "1", "[a]\r\ntext = 'old'\r\ncount = 1\r\n");
  check_set("[b]\r\nx = 1\r\n", "a.count", "1", "[b]\r\nx = 1\r\n\r\n[a]\r\ncount = 1\r\n");
}

TEST(SetValue, ManagesWithoutAFinalNewLine) {
  check_set("[a]\ntext = 'old'", "a.text", "new", "[a]\ntext = \"new\"");
  check_set("[a]\ntext = 'old'", "a.count", "1", "[a]\ntext = 'old'\ncount = 1\n");
  check_set("[a]", "a.count", "1", "[a]\ncount = 1\n");
  check_set("[b]\nx = 1", "a.count", "1", "[b]\nx = 1\n\n[a]\ncount = 1\n");
  check_set("# only", "a.count", "1", "# only\n\n[a]\ncount = 1\n");
}

TEST(SetValue, KeepsAByteOrderMark) {
  check_set("\xEF\xBB\xBF", "a.count", "1", "\xEF\xBB\xBF[a]\ncount = 1\n");
  check_set(
      "\xEF\xBB\xBF"
      "a.count = 1\n",
      "a.count", "2",
      "\xEF\xBB\xBF"
      "a.count = 2\n");
  check_set("\xEF\xBB\xBF", "top", "x", "\xEF\xBB\xBFtop = \"x\"\n");
}

TEST(SetValue, CountsCharactersNotBytes) {
  check_set("[a]\n\"ключ\" = { \"ü\" = '€', text = 'old' } # 😀\n", "a.count", "1",
            "[a]\n\"ключ\" = { \"ü\" = '€', text = 'old' } # 😀\ncount = 1\n");
  check_set("a = { \"ü\" = '€😀', text = 'old' }\n", "a.text", "é",
            "a = { \"ü\" = '€😀', text = \"é\" }\n");
}

TEST(SetValue, PutsAKeyWithoutGroupAboveAllTables) {
  check_set("[a]\ncount = 1\n", "top", "x", "top = \"x\"\n[a]\ncount = 1\n");
  check_set("# c\nother = 1\n[a]\n", "top", "x", "# c\nother = 1\ntop = \"x\"\n[a]\n");
}

TEST(SetValue, LeavesArraysOfTablesAlone) {
  check_set("[a]\ncount = 1\n[[a.list]]\nx = 1\n[a.list.sub]\ny = 1\n[[a.list]]\n", "a.text", "t",
            "[a]\ncount = 1\ntext = \"t\"\n[[a.list]]\nx = 1\n[a.list.sub]\ny = 1\n[[a.list]]\n");
}

TEST(SetValue, WritesEachTypeAsTomlHasIt) {
  check_set("", "a.count", "-7", "[a]\ncount = -7\n");
  check_set("", "a.ratio", "0.25", "[a]\nratio = 0.25\n");
  check_set("", "a.ratio", "1e300", "[a]\nratio = 1e+300\n");
  check_set("", "a.ratio", "007", "[a]\nratio = 7\n");
  check_set("", "a.on", "true", "[a]\non = true\n");
  check_set("", "a.wait", "5s", "[a]\nwait = \"5s\"\n");
}

TEST(SetValue, EscapesText) {
  check_set("", "a.text", "say \"hi\" \\ \t\n\x7f é",
            "[a]\ntext = \"say \\\"hi\\\" \\\\ \\u0009\\u000A\\u007F é\"\n");
  check_set("", "a.text", "", "[a]\ntext = \"\"\n");
}

TEST(SetValue, MendsAWrongValue) {
  check_set("[a]\ncount = 'three'\n", "a.count", "3", "[a]\ncount = 3\n");
}

TEST(SetValue, DoesNotMindKeysThatItDoesNotKnow) {
  check_set("[zzz]\nunknown = 1\n[a]\n", "a.count", "3", "[zzz]\nunknown = 1\n[a]\ncount = 3\n");
}

TEST(SetValue, RefusesAnUnknownKey) {
  const TemporaryDirectory folder;
  const auto result = set_value(folder / "x.toml", "output.fromat", "json");
  EXPECT_EQ(result.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(result.error().message(), HasSubstr("did you mean output.format?"));
  EXPECT_TRUE(folder.names().empty());
}

TEST(SetValue, RefusesAWrongValue) {
  const TemporaryDirectory folder;
  const auto result = set_value(folder / "x.toml", "output.format", "jsn");
  EXPECT_EQ(result.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(result.error().message(), HasSubstr("one of rich, plain"));
  EXPECT_TRUE(folder.names().empty());
}

TEST(SetValue, RefusesABrokenFile) {
  const auto result = set_in("[a]\ntext = \n", "a.text", "t");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(result.error().message(), HasSubstr("x.toml:2: "));
  EXPECT_FALSE(set_in("\xff", "a.text", "t").ok());
}

TEST(SetValue, RefusesAValueInPlaceOfItsGroup) {
  const auto result = set_in("x = 1\na = 'scalar'\n", "a.name.n", "t");
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message(),
              HasSubstr("x.toml:2: a is a string there; remove it before setting a.name.n"));
  EXPECT_THAT(set_in("[[a]]\nx = 1\n", "a.text", "t").error().message(),
              HasSubstr("a is an array there"));
}

TEST(SetValue, RefusesATableInItsPlace) {
  const auto result = set_in("[a]\n[a.text]\nx = 1\n", "a.text", "t");
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message(), HasSubstr("x.toml:2: a.text is a table there"));
}

TEST(SetValue, RefusesToGrowBeyondTheLimit) {
  const std::string filler = "# " + std::string((std::size_t{1} << 20U) - 10, 'x') + "\n";
  const auto result = set_in(filler, "a.text", "0123456789");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kResourceExhausted);
}

TEST(SetValue, WritesThroughALink) {
  const TemporaryDirectory folder;
  folder.write("dotfiles/c.toml", "[log]\nlevel = 'info'\n");
  std::filesystem::create_symlink("dotfiles/c.toml", folder / "config.toml");
  set_value(folder / "config.toml", "log.level", "debug").value();
  EXPECT_EQ(folder.read("dotfiles/c.toml"), "[log]\nlevel = \"debug\"\n");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "config.toml"));
}

TEST(SetValue, SaysThatTheFolderCannotBeMade) {
  const TemporaryDirectory folder;
  folder.write("file", "");
  EXPECT_EQ(set_value(folder / "file/config.toml", "log.level", "debug").error().code(),
            ErrorCode::kAlreadyExists);
}

TEST(SetValue, SaysThatTheFileCannotBeRead) {
  const TemporaryDirectory folder;
  std::filesystem::create_directory(folder / "config.toml");
  EXPECT_EQ(set_value(folder / "config.toml", "log.level", "debug").error().code(),
            ErrorCode::kInvalidArgument);
}

TEST(SetValue, LeavesTheFileAsItWasOnAFullDisk) {
  const TemporaryDirectory folder;
  const std::string before = "# " + std::string(2000, 'x') + "\n[log]\nlevel = 'info'\n";
  const auto file = folder.write("config.toml", before);
  EXPECT_EQ(test::in_child([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{.rlim_cur = 1000, .rlim_max = 1000};
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
              const auto result = set_value(file, "log.level", "debug");
              return !result.ok() && result.error().code() == ErrorCode::kResourceExhausted ? 0 : 1;
            }),
            0);
  EXPECT_EQ(folder.read("config.toml"), before);
  EXPECT_THAT(folder.names(), ElementsAre("config.toml", "config.toml.lock"));
}

TEST(SetValue, DoesNotTouchAFileThatAlreadySaysSo) {
  const TemporaryDirectory folder;
  const auto file = folder.write("config.toml", "[log]\nlevel = \"info\"\n");
  struct stat before{};
  struct stat after{};
  ASSERT_EQ(::stat(file.c_str(), &before), 0);
  set_value(file, "log.level", "info").value();
  ASSERT_EQ(::stat(file.c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST(SetValue, GivesUpWhenAnotherProcessWritesForTooLong) {
  const TemporaryDirectory folder;
  const auto held = io::FileLock::try_acquire(folder / "config.toml.lock");
  const auto result = set_value(folder / "config.toml", "log.level", "info",
                                {.patience = std::chrono::milliseconds{10}});
  EXPECT_EQ(result.error().code(), ErrorCode::kDeadlineExceeded);
}

TEST(SetValue, CanBeReadBack) {
  const TemporaryDirectory folder;
  set_value(folder / "config.toml", "model.alias.fast", "groq/llama").value();
  set_value(folder / "config.toml", "model.default", "openai/gpt-4o").value();
  set_value(folder / "config.toml", "log.file", "/var/log/\"x\"").value();
  const Settings settings = load_settings({.home = folder.path()}).value();
  EXPECT_EQ(settings.text("model.alias.fast"), "groq/llama");
  EXPECT_EQ(settings.text("model.default"), "openai/gpt-4o");
  EXPECT_EQ(settings.text("log.file"), "/var/log/\"x\"");
}

TEST(UnsetValue, RemovesTheLine) {
  check_unset("[a]\n# keep\ntext = 't' # gone\ncount = 1\n", "a.text", "[a]\n# keep\ncount = 1\n");
  check_unset("a.text = 't'", "a.text", "");
  check_unset("[a]\r\ntext = 't'\r\ncount = 1\r\n", "a.text", "[a]\r\ncount = 1\r\n");
  check_unset(
      "\xEF\xBB\xBF"
      "a.text = 't'\na.count = 1\n",
      "a.text",
      "\xEF\xBB\xBF"
      "a.count = 1\n");
}

TEST(UnsetValue, RemovesAValueOfSeveralLines) {
  check_unset("[a]\ntext = '''\none\ntwo''' # gone\ncount = 1\n", "a.text", "[a]\ncount = 1\n");
}

TEST(UnsetValue, RemovesFromBraces) {
  check_unset("a = { text = 't', count = 1 }\n", "a.text", "a = { count = 1 }\n");
  check_unset("a = { text = 't', count = 1 }\n", "a.count", "a = { text = 't' }\n");
  check_unset("a = { text = 't', count = 1, on = true }\n", "a.count",
              "a = { text = 't', on = true }\n");
  check_unset("a = { text = 't' }\n", "a.text", "a = {  }\n");
  check_unset("a = {text='t'}\n", "a.text", "a = { }\n");
}

TEST(UnsetValue, RemovesADottedKeyFromBraces) {
  check_unset("a = { b . c.d = 't', count = 1 }\n", "a.b.c.d", "a = { count = 1 }\n");
  check_unset("a = { count = 1, \"b\".'c' . d = 't' }\n", "a.b.c.d", "a = { count = 1 }\n");
}

TEST(UnsetValue, FollowsQuotedKeysBack) {
  const auto result =
      unset_in("a = { \"x\\\"y\" = 1, \"\\u0062\".c.d = 't', \"q\\\"\".z = 1 }\n", "a.b.c.d");
  ASSERT_TRUE(result.ok()) << result.error().to_string();
  EXPECT_EQ(*result, "a = { \"x\\\"y\" = 1, \"q\\\"\".z = 1 }\n");
}

TEST(UnsetValue, SaysThatItIsNotSet) {
  EXPECT_EQ(unset_in("[a]\ncount = 1\n", "a.text").error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(unset_in("[a]\n", "a.text").error().message(), HasSubstr("a.text is not set in"));
}

TEST(UnsetValue, RefusesAnUnknownKeyAndABrokenFile) {
  EXPECT_EQ(unset_in("", "a.txt").error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(unset_in("[a\n", "a.text").error().code(), ErrorCode::kInvalidArgument);
}

TEST(EditText, RefusesWhatWouldChangeSomethingElse) {
  // No schema has such keys; the guard is tried with one that cannot be added where it is.
  const auto result = internal::with_value("[a]\n", {"a", "b"}, "1\nc = 2", "x.toml");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kInternal);
  EXPECT_THAT(result.error().message(), HasSubstr("edit the file by hand"));
}

}  // namespace
}  // namespace clever::config
