#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/cli_run.h"
#include "support/repository.h"

namespace clever::cli {
namespace {

using nlohmann::json;
using test::CliRun;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ContextCommandTest : public testing::Test {
 protected:
  ContextCommandTest() {
    repository_.write("src/parser.cc",
                      "// Reads the config file.\nint parse_line(int line) { return line; }\n");
    repository_.write("src/parser.h", "int parse_line(int line);\n");
    repository_.write("src/network.cc", "int connect_socket() { return 1; }\n");
    repository_.write("README.md", "# Shop\nA small shop.\n");
    repository_.commit("Parse lines of the config file");
  }

  int run(std::vector<std::string> words) {
    words.insert(words.begin(), {"-C", repository_.path().string(), "context"});
    return cli_.run(words);
  }
  json data(std::vector<std::string> words) {
    words.insert(words.end(), {"--format", "json"});
    EXPECT_EQ(run(std::move(words)), 0) << cli_.output << cli_.error_output;
    return json::parse(cli_.output)["data"];
  }
  void configure(const std::string& text) {
    std::filesystem::create_directories(cli_.home());
    std::ofstream(cli_.home() / "config.toml") << text;
  }

  test::Repository repository_;
  CliRun cli_;
};

TEST_F(ContextCommandTest, ShowsWhatWouldBeSentAndWhy) {
  EXPECT_EQ(run({"show", "make parse_line faster"}), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("src/parser.cc"), HasSubstr(" tokens"),
                                 HasSubstr("relevance "), HasSubstr("simple-keyword")));
}

TEST_F(ContextCommandTest, TellsProgramsAllOfIt) {
  const json shown = data({"show", "make parse_line faster", "--budget", "3000"});
  EXPECT_LE(shown["tokens"].get<int>(), 3000);
  ASSERT_FALSE(shown["fragments"].empty());
  const json& first = shown["fragments"][0];
  EXPECT_THAT(first["path"].get<std::string>(), HasSubstr("parser"));
  for (const char* key : {"depth", "tokens", "score", "score_parts", "strategies", "why"}) {
    EXPECT_TRUE(first.contains(key)) << key;
  }
  EXPECT_GE(shown["strategies"].size(), 3U);
}

TEST_F(ContextCommandTest, ASubplanSeesThePictureOfTheProject) {
  EXPECT_EQ(data({"show", "make parse_line faster"})["skeleton"], "");
  EXPECT_THAT(data({"show", "make parse_line faster", "--subplan"})["skeleton"].get<std::string>(),
              HasSubstr("src"));
}

TEST_F(ContextCommandTest, IsTheSameEveryTime) {
  json first = data({"show", "make parse_line faster"});
  json second = data({"show", "make parse_line faster"});
  EXPECT_EQ(first["fragments"], second["fragments"]);
}

TEST_F(ContextCommandTest, FocusIsSeenFromWhereOneIs) {
  const json shown = data({"show", "--focus", "src/network.cc"});
  bool has = false;
  for (const json& fragment : shown["fragments"]) has |= fragment["path"] == "src/network.cc";
  EXPECT_TRUE(has) << shown.dump(1);
}

TEST_F(ContextCommandTest, SeesWhatWasChangedAMomentAgo) {
  (void)data({"index"});
  repository_.write("src/fresh.cc", "int zebra_crossing() { return 3; }\n");
  EXPECT_EQ(data({"search", "zebra_crossing"})["files"][0]["path"], "src/fresh.cc");
}

TEST_F(ContextCommandTest, TheTextIsWhatAModelReads) {
  EXPECT_EQ(run({"show", "make parse_line faster", "--text"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("=== src/parser.cc"), HasSubstr("int parse_line")));
}

TEST_F(ContextCommandTest, AQuestionWithoutWordsIsAUsageError) {
  EXPECT_EQ(run({"show", " "}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("the query is empty"));
  EXPECT_EQ(run({"show", "x", "--budget", "many"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("--budget takes a number such as 8000, not 'many'"));
  EXPECT_EQ(run({"show", "x", "--phase", "later"}), 2);
}

TEST_F(ContextCommandTest, ABudgetOfNothingShowsNothing) {
  EXPECT_EQ(data({"show", "parse_line", "--budget", "0"})["fragments"].size(), 0U);
  EXPECT_EQ(run({"show", "parse_line", "--budget", "0"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("Nothing was found."));
}

TEST_F(ContextCommandTest, SearchFindsNamesAndWords) {
  const json found = data({"search", "parse_line"});
  ASSERT_FALSE(found["definitions"].empty()) << found.dump(1);
  EXPECT_EQ(found["definitions"][0]["name"], "parse_line");
  EXPECT_EQ(run({"search", "config", "file"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("src/parser.cc"), Not(HasSubstr("network"))));
  EXPECT_EQ(run({"search", "parse_line"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("function parse_line"));
  EXPECT_EQ(data({"search", "--exact", "connect_socket", "--limit", "1"})["files"].size(), 1U);
  EXPECT_EQ(run({"search", "nothingofthesort"}), 0);
  EXPECT_EQ(cli_.output, "Nothing was found.\n");
}

TEST_F(ContextCommandTest, WhySaysWhoProposesAFile) {
  EXPECT_EQ(run({"why", "src/parser.cc", "make parse_line faster"}), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("It is shown"), HasSubstr("simple-keyword")));
  const json why = data({"why", "src/parser.cc", "make parse_line faster"});
  EXPECT_EQ(why["shown"], true);
  EXPECT_EQ(why["language"], "cpp");
}

TEST_F(ContextCommandTest, WhySaysWhyAFileIsMissing) {
  EXPECT_EQ(run({"why", "src/parser.cc", "parse_line", "--budget", "0"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("It is not shown"));
  EXPECT_EQ(run({"why", "src/parsr.cc", "parse_line"}), 3);
  EXPECT_THAT(cli_.error_output, HasSubstr("did you mean src/parser.cc?"));
}

TEST_F(ContextCommandTest, TheIndexTellsWhatItHolds) {
  const json index = data({"index"});
  EXPECT_EQ(index["files"], 4);
  EXPECT_GE(index["symbols"].get<int>(), 2);
  EXPECT_TRUE(std::filesystem::exists(index["folder"].get<std::string>()));
  EXPECT_EQ(run({"index"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("indexed 4 files"));
  const json stats = data({"stats"});
  EXPECT_EQ(stats["languages"]["cpp"].get<int>() + stats["languages"].value("c", 0), 3);
  EXPECT_EQ(stats["embedder"], "local/1");
  EXPECT_EQ(run({"stats"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("temporal-archaeology"), HasSubstr("markdown")));
}

TEST_F(ContextCommandTest, WatchingEndsWithCtrlC) {
  cli_.stop.request_stop();
  const int code = run({"index", "--watch"});
  EXPECT_TRUE(code == 0 || code == 1) << code;
}

TEST_F(ContextCommandTest, SettingsDecideWhoIsAsked) {
  configure("context.strategies = ['simple-keyword']\ncontext.embedder = 'off'\n");
  const json shown = data({"show", "parse_line"});
  ASSERT_EQ(shown["strategies"].size(), 1U);
  EXPECT_EQ(shown["strategies"][0]["name"], "simple-keyword");
  EXPECT_EQ(data({"stats"})["embedder"], "off");
}

TEST_F(ContextCommandTest, AViewSeesNoMoreThanItsPatterns) {
  configure(
      "[context.view.default]\nexclude = ['src/']\n[context.view.execute]\ninclude = ['*.cc']\n");
  EXPECT_EQ(data({"index"})["files"], 1);
  EXPECT_EQ(run({"why", "src/parser.cc", "parse_line", "--phase", "execute"}), 3);
}

TEST_F(ContextCommandTest, WhatIsWrongInTheSettingsIsNamed) {
  configure("context.strategies = ['simple-keywrd']\n");
  EXPECT_EQ(run({"show", "x"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("did you mean simple-keyword?"));
  configure("context.strategies = ['arce', 'arce']\n");
  EXPECT_EQ(run({"show", "x"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("a name occurs twice"));
  configure("context.view.exceute.include = ['a']\n");
  EXPECT_EQ(run({"show", "x"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("did you mean execute?"));
  configure("context.strategy.own.quality = 0.5\n");
  EXPECT_EQ(run({"show", "x"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("context.strategy.own.command is missing"));
  configure("context.embedder = 'openai/text-embedding-3-small'\n");
  EXPECT_EQ(run({"show", "x"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("context.embedder"));
}

TEST_F(ContextCommandTest, DecisionsNeedAPlan) {
  EXPECT_EQ(run({"decisions"}), 3);
  EXPECT_THAT(cli_.error_output, HasSubstr("no plan exists"));
}

}  // namespace
}  // namespace clever::cli
