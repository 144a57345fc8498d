#include "cli/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

base::Result<Report> nothing(const Invocation&, Context&) { return Report{}; }

const Command& tree() {
  static const Command kTree{
      .name = "tool",
      .summary = "A tool",
      .options = {{.name = "format",
                   .letter = 'f',
                   .value = "FORMAT",
                   .summary = "Shape",
                   .choices = {"plain", "json"}},
                  {.name = "quiet", .letter = 'q', .summary = "Less"},
                  {.name = "help", .letter = 'h', .summary = "Help"},
                  {.name = "version", .summary = "Version"}},
      .subcommands = {
          {.name = "group",
           .aliases = {"g"},
           .summary = "A group",
           .subcommands = {{.name = "set",
                            .summary = "Set",
                            .positionals = {{.name = "KEY", .summary = "The key"},
                                            {.name = "VALUE", .summary = "The value"}},
                            .options = {{.name = "project", .summary = "There"}},
                            .handler = nothing}}},
          {.name = "shell",
           .summary = "A shell",
           .positionals = {{.name = "SHELL", .summary = "Which", .choices = {"bash", "zsh"}}},
           .handler = nothing},
          {.name = "many",
           .summary = "Words",
           .positionals = {{.name = "WORD", .summary = "W", .required = false, .repeated = true}},
           .options =
               {{.name = "arg",
                 .letter = 'a',
                 .value = "K=V",
                 .summary = "Arguments",
                 .repeated = true},
                {.name = "place", .letter = 'p', .value = "DIR", .summary = "Where", .once = true}},
           .handler = nothing},
          {.name = "none", .summary = "Nothing", .handler = nothing},
          {.name = "secret", .summary = "Hidden", .handler = nothing, .hidden = true}}};
  return kTree;
}

Invocation accept_words(const std::vector<std::string>& words) {
  Parsed parsed = parse(tree(), words);
  EXPECT_FALSE(parsed.error.has_value()) << parsed.error->message;
  return std::move(parsed.invocation);
}

UsageError refuse_words(const std::vector<std::string>& words) {
  Parsed parsed = parse(tree(), words);
  EXPECT_TRUE(parsed.error.has_value());
  return parsed.error.value_or(UsageError{});
}

TEST(ParseTest, FindsCommandsByNameAndAlias) {
  EXPECT_EQ(joined(accept_words({"group", "set", "k", "v"}).path()), "tool group set");
  EXPECT_EQ(joined(accept_words({"g", "set", "k", "v"}).path()), "tool group set");
  EXPECT_EQ(accept_words({"secret"}).command().name, "secret");
}

TEST(ParseTest, TakesGlobalOptionsAnywhere) {
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"--format", "json", "group", "set", "k", "v"},
                                             {"group", "--format=json", "set", "k", "v"},
                                             {"group", "set", "k", "v", "-f", "json"},
                                             {"group", "set", "k", "-fjson", "v"},
                                             {"group", "set", "-qfjson", "k", "v"}}) {
    EXPECT_EQ(accept_words(words).value("format"), "json");
    EXPECT_THAT(accept_words(words).words(), ElementsAre("k", "v"));
  }
}

TEST(ParseTest, TheLastOfEqualOptionsCounts) {
  EXPECT_EQ(accept_words({"none", "--format=plain", "--format=json"}).value("format"), "json");
}

TEST(ParseTest, AnOptionThatMayBeGivenOnceNamesBothValues) {
  EXPECT_EQ(accept_words({"many", "-p", "here"}).value("place"), "here");
  EXPECT_EQ(refuse_words({"many", "-p", "here", "--place=there"}).message,
            "option --place is given twice: 'here' and 'there'");
}

TEST(ParseTest, AllOfARepeatedOptionCount) {
  const Invocation invocation = accept_words({"many", "--arg=a=1", "-a", "b=2", "word", "-ac=3"});
  EXPECT_THAT(invocation.values("arg"), ElementsAre("a=1", "b=2", "c=3"));
  EXPECT_EQ(invocation.value("arg"), "c=3");
  EXPECT_TRUE(accept_words({"many"}).values("arg").empty());
}

TEST(ParseTest, FlagsAreSetOrNot) {
  EXPECT_TRUE(accept_words({"group", "set", "k", "v", "--project"}).flag("project"));
  EXPECT_FALSE(accept_words({"group", "set", "k", "v"}).flag("project"));
  EXPECT_EQ(accept_words({"none"}).value("format"), std::nullopt);
}

TEST(ParseTest, EverythingAfterTwoDashesIsAWord) {
  EXPECT_THAT(accept_words({"many", "--", "--format", "-q", "--"}).words(),
              ElementsAre("--format", "-q", "--"));
}

TEST(ParseTest, ADashAndANegativeNumberAreWords) {
  EXPECT_THAT(accept_words({"group", "set", "-", "-5"}).words(), ElementsAre("-", "-5"));
}

TEST(ParseTest, AnEmptyWordIsAWord) {
  EXPECT_THAT(accept_words({"group", "set", "k", ""}).words(), ElementsAre("k", ""));
}

TEST(ParseTest, UnknownCommandSuggestsTheNearest) {
  const UsageError error = refuse_words({"gruop"});
  EXPECT_EQ(error.message, "unknown command 'gruop'");
  EXPECT_EQ(error.hint, "did you mean `group`?");
}

TEST(ParseTest, UnknownCommandFarFromAllNamesTheList) {
  EXPECT_EQ(refuse_words({"xyzzy"}).hint, "`tool --help` lists the commands");
}

TEST(ParseTest, HiddenCommandsAreNotSuggested) {
  EXPECT_THAT(refuse_words({"secrte"}).hint, HasSubstr("lists the commands"));
}

TEST(ParseTest, UnknownOptionSuggestsTheNearest) {
  EXPECT_EQ(refuse_words({"none", "--formt", "json"}).message, "unknown option '--formt'");
  EXPECT_EQ(refuse_words({"none", "--formt", "json"}).hint, "did you mean `--format`?");
  EXPECT_EQ(refuse_words({"none", "-x"}).message, "unknown option '-x'");
  EXPECT_EQ(refuse_words({"none", "-x"}).hint, "`tool none --help` lists the options");
}

TEST(ParseTest, AnOptionOfAnotherCommandIsUnknown) {
  EXPECT_EQ(refuse_words({"none", "--project"}).message, "unknown option '--project'");
}

TEST(ParseTest, InvalidValueSuggestsTheNearest) {
  const UsageError error = refuse_words({"none", "--format", "jsn"});
  EXPECT_EQ(error.message, "invalid value 'jsn' for --format: expected plain or json");
  EXPECT_EQ(error.hint, "did you mean `json`?");
  EXPECT_EQ(refuse_words({"shell", "bsh"}).hint, "did you mean `bash`?");
}

TEST(ParseTest, MissingValueOfAnOption) {
  EXPECT_EQ(refuse_words({"none", "--format"}).message, "option --format needs a value: FORMAT");
  EXPECT_EQ(refuse_words({"none", "-f"}).hint, "one of plain or json");
}

TEST(ParseTest, AFlagTakesNoValue) {
  EXPECT_EQ(refuse_words({"none", "--quiet=yes"}).message, "option --quiet takes no value");
}

TEST(ParseTest, MissingArgumentIsNamed) {
  EXPECT_EQ(refuse_words({"group", "set", "k"}).message, "missing argument VALUE: The value");
  EXPECT_EQ(refuse_words({"shell"}).hint, "one of bash or zsh");
}

TEST(ParseTest, TooManyArguments) {
  EXPECT_EQ(refuse_words({"none", "x"}).hint, "`tool none` takes no arguments");
  EXPECT_THAT(refuse_words({"shell", "bash", "x"}).hint, HasSubstr("takes 1 argument;"));
  EXPECT_THAT(refuse_words({"group", "set", "a", "b", "c"}).hint, HasSubstr("takes 2 arguments;"));
}

TEST(ParseTest, AGroupNeedsACommand) {
  EXPECT_EQ(refuse_words({"group"}).message, "`tool group` needs a command");
  EXPECT_EQ(refuse_words({"group"}).hint, "one of set");
}

TEST(ParseTest, TheRootAloneIsFine) { EXPECT_EQ(accept_words({}).path().size(), 1U); }

TEST(ParseTest, HelpNeedsNothingElse) {
  EXPECT_TRUE(accept_words({"group", "--help"}).flag("help"));
  EXPECT_TRUE(accept_words({"group", "set", "-h"}).flag("help"));
  EXPECT_TRUE(accept_words({"--version"}).flag("version"));
}

TEST(ParseTest, HugeAndBrokenWordsAreRefusedBriefly) {
  const UsageError error = refuse_words({std::string(1'000'000, 'g')});
  EXPECT_LT(error.message.size(), 200U);
  EXPECT_EQ(refuse_words({"\xFFgroup"}).message, "unknown command '\uFFFDgroup'");
}

TEST(ParseTest, WhatWasUnderstoodBeforeAnErrorStays) {
  const Parsed parsed = parse(tree(), {"--format", "json", "group", "bogus"});
  EXPECT_TRUE(parsed.error.has_value());
  EXPECT_EQ(parsed.invocation.value("format"), "json");
  EXPECT_EQ(joined(parsed.invocation.path()), "tool group");
}

TEST(RequestedValueTest, IsFoundAmongNonsense) {
  EXPECT_EQ(requested_value("format", {"bogus", "--format", "json"}), "json");
  EXPECT_EQ(requested_value("format", {"--format=yaml", "--nope"}), "yaml");
  EXPECT_EQ(requested_value("format", {"--format"}), std::nullopt);
  EXPECT_EQ(requested_value("format", {"--", "--format", "json"}), std::nullopt);
}

TEST(InvocationDeathTest, AskingForAWordThatIsNotThereIsABug) {
  const Invocation invocation = accept_words({"none"});
  EXPECT_DEATH(static_cast<void>(invocation.word(0)), "missing after parsing");
}

}  // namespace
}  // namespace clever::cli
