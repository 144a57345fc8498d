#include "engine/agents/agent_failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::engine {
namespace {

using testing::HasSubstr;

class AgentFailureTest : public ::testing::Test {
 protected:
  AgentFailureTest() {
    program_.stream = AgentStreamFormat::kCodex;
    program_.hosts = {"api.example.org"};
    program_.log_in = "run `agent login`";
    end_.name = "agent";
    end_.report.ended = true;
  }

  std::string check() {
    const auto failure = failure_of(program_, end_);
    if (!failure) return "none";
    return (failure->code() == base::ErrorCode::kPermissionDenied ? "lasts: " : "passes: ") +
           failure->message();
  }

  AgentProgram program_{};
  AgentEnd end_{};
};

TEST_F(AgentFailureTest, OneThatSaidItWasDoneIsDone) { EXPECT_EQ(check(), "none"); }

TEST_F(AgentFailureTest, WordsForPeopleSayNothingAboutTheEnd) {
  program_.stream = AgentStreamFormat::kText;
  end_.report = {};
  EXPECT_EQ(check(), "none");
}

TEST_F(AgentFailureTest, TheMeaningfulStreamIsShownWhicheverItIs) {
  end_.output.ending.exit_code = 1;
  end_.output.error_output = "Warning: 256 colours are not supported\n";
  end_.report.said = "Invalid API key";
  EXPECT_THAT(check(),
              HasSubstr("it last wrote:\nInvalid API key\nNot logged in: run `agent login`"));
  end_.output.error_output = "fatal: the disk is full\n{\"raw\":1}\n";
  end_.report.said = "I begin.";
  EXPECT_EQ(check(),
            "passes: agent ended with exit code 1; it last wrote:\nfatal: the disk is full");
  end_.report.error = "what it says itself";
  EXPECT_THAT(check(), HasSubstr("what it says itself"));
}

TEST_F(AgentFailureTest, NotLoggedInIsAnErrorThatLasts) {
  end_.report.failed = true;
  end_.report.error = "unexpected status 401 Unauthorized: Missing bearer";
  EXPECT_EQ(check(),
            "lasts: agent failed: unexpected status 401 Unauthorized: Missing bearer\nNot logged "
            "in: run `agent login`, then try again; `agents agent list` shows what agent finds.");
}

TEST_F(AgentFailureTest, NoNetworkNamesTheHostsThatItMayReach) {
  end_.report.failed = true;
  end_.report.error = "Connection failed: error sending request";
  EXPECT_THAT(check(), HasSubstr("lasts: agent failed"));
  EXPECT_THAT(check(), HasSubstr("may reach api.example.org; another host goes into hosts:"));
  // One that broke after work was done passes.
  end_.report.usage.output_tokens = 5;
  EXPECT_THAT(check(), HasSubstr("passes: "));
}

TEST_F(AgentFailureTest, AnErrorBehindWhichNothingCameCountsWithExitCodeZero) {
  end_.report.ended = false;
  end_.report.error = "stream error: 529 overloaded";
  EXPECT_EQ(check(), "passes: agent failed: stream error: 529 overloaded");
  end_.report.error.clear();
  EXPECT_EQ(check(), "passes: agent ended before it said that it was done; it wrote nothing");
}

TEST_F(AgentFailureTest, AnAgentWhoseEveryToolFailedDidNothing) {
  end_.report.tools = 3;
  end_.report.failed_tools = 3;
  end_.report.tool_error = "bwrap: setting up uid map: Permission denied";
  EXPECT_THAT(check(), HasSubstr("lasts: agent did nothing: all of its 3 tool calls failed"));
  EXPECT_THAT(check(), HasSubstr("Its own sandbox cannot work inside ours"));
  end_.changed_files = 1;
  EXPECT_EQ(check(), "none");
  end_.changed_files = 0;
  end_.report.failed_tools = 2;
  EXPECT_EQ(check(), "none");
}

TEST(MeaningfulEnd, LeavesOutJsonAndBlankLines) {
  EXPECT_EQ(meaningful_end("a\n\n{\"x\":1}\nb\n  \n[1]\n"), "a\nb");
  EXPECT_EQ(meaningful_end(""), "");
  EXPECT_LE(meaningful_end(std::string(9000, 'a')).size(), 2000U);
  EXPECT_EQ(meaningful_end("\n\n\n"), "");
}

TEST(AgentFailures, TriesToConnectAreCounted) {
  const std::string once =
      "Attempt 1 failed. Retrying with backoff... Error: exception TypeError: fetch failed\n"
      "    at oauth (file.js)\n";
  EXPECT_EQ(repeated_network_error(once + once), "");
  EXPECT_EQ(repeated_network_error(once + once + once),
            "Attempt 1 failed. Retrying with backoff... Error: exception TypeError: fetch failed");
  EXPECT_EQ(repeated_network_error("fetch failed\nfetch failed\nfetch failed\n"), "");
  EXPECT_EQ(repeated_network_error("429: retry\n429: retry\n429: retry\n"), "");
}

}  // namespace
}  // namespace clever::engine
