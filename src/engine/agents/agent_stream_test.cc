#include "engine/agents/agent_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace clever::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class AgentStreamTest : public ::testing::Test {
 protected:
  // However it is cut.
  const AgentReport& read(AgentStreamFormat format, const std::string& lines,
                          std::size_t piece = 7) {
    said_.clear();
    thought_.clear();
    tools_.clear();
    ends_.clear();
    stream_ = AgentStream::make(format, listener_);
    for (std::size_t at = 0; at < lines.size(); at += piece) {
      EXPECT_TRUE(stream_->on_output(std::string_view(lines).substr(at, piece)).ok());
    }
    stream_->finish();
    return stream_->report();
  }

  std::string said_;
  std::string thought_;
  std::vector<std::string> tools_;
  std::vector<std::string> ends_;
  const AgentListener listener_{
      .on_text = [this](const std::string& text,
                        bool reasoning) { (reasoning ? thought_ : said_) += text; },
      .on_tool = [this](const AgentTool& tool) { tools_.push_back(tool.title); },
      .on_tool_end =
          [this](const AgentToolEnd& end) {
            ends_.push_back(end.id + (end.failed ? " failed " : " done ") + end.output);
          }};
  std::unique_ptr<AgentStream> stream_;
};

TEST_F(AgentStreamTest, WordsAreShownAsTheyCome) {
  const AgentReport& report = read(AgentStreamFormat::kText, "caf\303\251\nand more", 4);
  EXPECT_EQ(said_, "caf\303\251\nand more");
  EXPECT_EQ(report.said, "caf\303\251\nand more");
  EXPECT_FALSE(report.ended);
}

// As claude 2.1.326 wrote it, shortened.
TEST_F(AgentStreamTest, OfClaude) {
  const AgentReport& report =
      read(AgentStreamFormat::kClaude,
           R"({"type":"system","subtype":"init","session_id":"92ca","model":"claude-opus-5-5"}
{"type":"assistant","message":{"content":[{"text":"I write it.","type":"text"}],"id":"m1","usage":{"cache_creation_input_tokens":1,"cache_read_input_tokens":2,"input_tokens":4197,"output_tokens":1}},"session_id":"92ca","request_id":"req_2"}
{"type":"assistant","message":{"content":[{"id":"c1","input":{"file_path":"/p/new.txt","content":"x"},"name":"Write","type":"tool_use"}],"id":"m1","usage":{"cache_creation_input_tokens":1,"cache_read_input_tokens":2,"input_tokens":4197,"output_tokens":1}},"request_id":"req_2"}
{"type":"user","message":{"role":"user","content":[{"tool_use_id":"c1","type":"tool_result","content":"File created"}]}}
{"type":"assistant","message":{"content":[{"thinking":"hm","type":"thinking"},{"text":"All is done.","type":"text"}],"id":"m2","usage":{"input_tokens":4233,"output_tokens":1}},"request_id":"req_3"}
)");
  EXPECT_EQ(said_, "I write it.\nAll is done.\n");
  EXPECT_EQ(thought_, "hm\n");
  EXPECT_THAT(tools_, ElementsAre("Write /p/new.txt"));
  EXPECT_EQ(report.session, "92ca");
  EXPECT_EQ(report.model, "claude-opus-5-5");
  EXPECT_EQ(
      report.usage,
      (AgentUsage{.input_tokens = 8433, .output_tokens = 2, .cache_read = 2, .cache_write = 1}));
  EXPECT_FALSE(report.ended);
  ASSERT_TRUE(
      stream_
          ->on_output(
              R"({"type":"result","subtype":"success","is_error":false,"result":"All is done.","total_cost_usd":0.03422,"usage":{"input_tokens":8430,"output_tokens":25}})"
              "\n")
          .ok());
  EXPECT_TRUE(report.ended);
  EXPECT_FALSE(report.failed);
  EXPECT_EQ(report.usage, (AgentUsage{.input_tokens = 8433,
                                      .output_tokens = 25,
                                      .cache_read = 2,
                                      .cache_write = 1,
                                      .cost = 34'220,
                                      .priced = true}));
  EXPECT_EQ(report.said, "All is done.");
}

TEST_F(AgentStreamTest, AResultThatIsAnErrorIsOne) {
  const AgentReport& report = read(
      AgentStreamFormat::kClaude,
      R"({"type":"result","subtype":"success","is_error":true,"api_error_status":400,"result":"API Error: 400 {\"error\":{\"message\":\"too long\"}}"})");
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.error, "too long");
  EXPECT_EQ(
      read(
          AgentStreamFormat::kClaude,
          R"({"type":"result","subtype":"error_during_execution","is_error":true,"error":{"message":"no model"}})")
          .error,
      "no model");
}

// As codex 0.169.0 wrote it.
TEST_F(AgentStreamTest, OfCodex) {
  const AgentReport& report = read(AgentStreamFormat::kCodex,
                                   R"({"type":"thread.started","thread_id":"01a1"}
{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Model metadata not found."}}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"I write it."}}
{"type":"item.started","item":{"id":"item_2","type":"command_execution","command":"/bin/bash -lc 'echo hello > new.txt'","status":"in_progress"}}
{"type":"item.completed","item":{"id":"item_2","type":"command_execution","command":"/bin/bash -lc 'echo hello > new.txt'","aggregated_output":"bwrap: No permissions","exit_code":1,"status":"failed"}}
{"type":"item.completed","item":{"id":"item_3","type":"agent_message","text":"All is done."}}
{"type":"turn.completed","usage":{"input_tokens":10032,"cached_input_tokens":0,"output_tokens":17}}
)");
  EXPECT_THAT(tools_, ElementsAre("run /bin/bash -lc 'echo hello > new.txt'"));
  EXPECT_EQ(report.session, "01a1");
  EXPECT_EQ(report.tools, 1);
  EXPECT_EQ(report.failed_tools, 1);
  EXPECT_EQ(report.tool_error, "bwrap: No permissions");
  EXPECT_EQ(report.said, "All is done.\n");
  EXPECT_EQ(report.usage, (AgentUsage{.input_tokens = 10'032, .output_tokens = 17}));
  EXPECT_TRUE(report.ended);
  EXPECT_FALSE(report.failed);
}

TEST_F(AgentStreamTest, WhatCodexSaysOfAnApisErrorIsItsMessage) {
  const AgentReport& report = read(
      AgentStreamFormat::kCodex,
      R"({"type":"error","message":"{\"error\":{\"code\":null,\"message\":\"Unknown parameter.\"}}"}
{"type":"turn.failed","error":{"message":"{\"error\":{\"message\":\"Unknown parameter.\"}}"}})");
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.error, "Unknown parameter.");
}

// As opencode 1.18.33 wrote it, shortened.
TEST_F(AgentStreamTest, OfOpencode) {
  const AgentReport& report =
      read(AgentStreamFormat::kOpencode,
           R"({"type":"step_start","sessionID":"ses_1","part":{"type":"step-start"}}
{"type":"text","sessionID":"ses_1","part":{"type":"text","text":"I write it."}}
{"type":"tool_use","sessionID":"ses_1","part":{"type":"tool","tool":"write","state":{"status":"completed","input":{"content":"x","filePath":"/p/new.txt"}}}}
{"type":"step_finish","sessionID":"ses_1","part":{"reason":"tool-calls","tokens":{"total":2418,"input":2396,"output":22,"reasoning":0,"cache":{"write":0,"read":4}},"cost":0.00244}}
{"type":"text","sessionID":"ses_1","part":{"type":"text","text":"All is done."}}
{"type":"step_finish","sessionID":"ses_1","part":{"reason":"stop","tokens":{"input":2404,"output":3,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0.00241}}
)");
  EXPECT_THAT(tools_, ElementsAre("write /p/new.txt"));
  EXPECT_EQ(report.session, "ses_1");
  EXPECT_EQ(report.usage, (AgentUsage{.input_tokens = 4804,
                                      .output_tokens = 25,
                                      .cache_read = 4,
                                      .cost = 4850,
                                      .priced = true}));
  EXPECT_TRUE(report.ended);
  EXPECT_TRUE(read(AgentStreamFormat::kOpencode,
                   R"({"type":"error","error":{"name":"APIError","data":{"message":"no key"}}})")
                  .failed);
  EXPECT_EQ(stream_->report().error, "no key");
}

// As gemini-cli 0.61.0 wrote it, shortened.
TEST_F(AgentStreamTest, OfGemini) {
  const AgentReport& report = read(AgentStreamFormat::kGemini,
                                   R"({"type":"init","session_id":"44a2","model":"gemini-2.5-pro"}
{"type":"message","role":"user","content":"make new.txt"}
{"type":"message","role":"assistant","content":"I write it.","delta":true}
{"type":"tool_use","tool_name":"write_file","tool_id":"t1","parameters":{"content":"x","file_path":"/p/new.txt"}}
{"type":"tool_result","tool_id":"t1","status":"error","error":{"type":"E","message":"read-only"}}
{"type":"message","role":"assistant","content":"All is ","delta":true}
{"type":"message","role":"assistant","content":"done.","delta":true}
{"type":"result","status":"success","stats":{"total_tokens":12931,"input_tokens":12905,"output_tokens":26}}
)");
  EXPECT_EQ(said_, "I write it.All is done.");
  EXPECT_THAT(tools_, ElementsAre("write_file /p/new.txt"));
  EXPECT_EQ(report.said, "All is done.");
  EXPECT_EQ(report.tool_error, "read-only");
  EXPECT_EQ(report.usage, (AgentUsage{.input_tokens = 12'905, .output_tokens = 26}));
  EXPECT_TRUE(report.ended);
}

TEST_F(AgentStreamTest, OfGoose) {
  const AgentReport& report = read(
      AgentStreamFormat::kGoose,
      R"({"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"toolRequest","id":"1","toolCall":{"status":"success","value":{"name":"developer__shell","arguments":{"command":"ls"}}}}]}}
{"type":"message","message":{"role":"user","content":[{"type":"toolResponse","id":"1","toolResult":{"status":"error","error":"no shell"}}]}}
{"type":"complete","total_tokens":30,"input_tokens":20,"output_tokens":10}
)");
  EXPECT_THAT(tools_, ElementsAre("developer__shell ls"));
  EXPECT_EQ(report.failed_tools, 1);
  EXPECT_EQ(report.usage, (AgentUsage{.input_tokens = 20, .output_tokens = 10}));
  EXPECT_TRUE(report.ended);
  EXPECT_TRUE(read(AgentStreamFormat::kGoose, R"({"type":"error","error":"no provider"})").failed);
}

TEST_F(AgentStreamTest, GooseWithoutANetworkFailsThoughItSaysComplete) {
  constexpr std::string_view kOwn =
      R"({"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"Network error: Could not connect to api.openai.com"}],"metadata":{"userVisible":true}}}
)";
  constexpr std::string_view kOfModel =
      R"({"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"Network errors are handled now."}],"metadata":{"inference":{"provider":"openai"}}}}
)";
  constexpr std::string_view kComplete = R"({"type":"complete","total_tokens":0})";
  const AgentReport& failed = read(AgentStreamFormat::kGoose, std::string(kOwn).append(kComplete));
  EXPECT_TRUE(failed.failed);
  EXPECT_THAT(failed.error, HasSubstr("Could not connect"));
  const std::string recovered = std::string(kOwn).append(kOfModel).append(kComplete);
  EXPECT_FALSE(read(AgentStreamFormat::kGoose, recovered).failed);
}

TEST_F(AgentStreamTest, JsonIsNeverShownAndOtherLinesAre) {
  const AgentReport& report = read(AgentStreamFormat::kClaude,
                                   "Warning: old\n{\"type\":\"news\",\"text\":\"raw\"}\n{broken\n"
                                   "[1,2]\n\n  {\"type\":7}\n");
  EXPECT_EQ(said_, "Warning: old\n");
  EXPECT_THAT(tools_, IsEmpty());
  EXPECT_FALSE(report.ended);
}

TEST_F(AgentStreamTest, ALineThatIsTooLongIsRefused) {
  const auto stream = AgentStream::make(AgentStreamFormat::kCodex, listener_);
  const std::string piece(std::size_t{8} << 20U, 'x');
  base::Result<void> heard;
  for (int i = 0; i < 5 && heard.ok(); ++i) heard = stream->on_output(piece);
  ASSERT_FALSE(heard.ok());
  EXPECT_THAT(heard.error().message(), HasSubstr("a line of more than 32 MiB"));
}

TEST_F(AgentStreamTest, WordsBehindAnErrorMeanThatItWentOn) {
  EXPECT_EQ(read(AgentStreamFormat::kCodex,
                 R"({"type":"error","message":"Reconnecting... 1/5"}
{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"There."}})")
                .error,
            "");
}

TEST(WordsOfError, AreTheMessageOnOneLine) {
  EXPECT_EQ(words_of_error("plain\n\x1b[31mred"), "plain  [31mred");
  EXPECT_EQ(words_of_error("API Error: 400 {\"message\":\"m\"}"), "m");
  EXPECT_EQ(words_of_error("{\"detail\":\"d\"}"), "d");
  EXPECT_EQ(words_of_error("{\"x\":1}"), "{\"x\":1}");
  EXPECT_EQ(words_of_error(std::string(5000, 'a')).size(), 2000U);
}

}  // namespace
}  // namespace clever::engine
