// `agents provider` as the built binary does it: real sockets, every wire, no key anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/agents.h"
#include "support/model_server.h"

namespace clever::e2e {
namespace {

using test::ModelServer;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Of no shape that a redactor would know.
constexpr const char* kKey = "quite.unlike.any.known.key.0815";

constexpr std::string_view kOkScript = R"(
rules:
  - reply: OK
)";

provider::Script ok_script() { return provider::Script::parse(kOkScript, "test.yaml").value(); }

class ProviderTest : public testing::Test {
 protected:
  ProviderTest() { user_.set("CLEVERAGENTS_LOG_FILE", log_.string()); }

  void configure(std::string_view text) { user_.folder().write("home/config.toml", text); }
  void use_openai(const std::string& key = kKey) {
    user_.set("OPENAI_API_KEY", key);
    user_.set("OPENAI_BASE_URL", server_.url("/v1"));
  }
  io::ProcessResult run(std::vector<std::string> words) {
    words.insert(words.begin(), "provider");
    auto seen = user_.agents(std::move(words));
    EXPECT_THAT(seen.output, Not(HasSubstr(kKey)));
    EXPECT_THAT(seen.error_output, Not(HasSubstr(kKey)));
    return seen;
  }

  ModelServer server_{ok_script(), {.models = {"tiny", "large"}, .key = kKey}};
  User user_;
  const std::filesystem::path log_ = user_.folder() / "agents.log";
};

TEST_F(ProviderTest, ListsTheModelsOfAServer) {
  use_openai();
  const auto seen = run({"test", "openai"});
  EXPECT_EQ(seen.exit_code, 0) << seen.output << seen.error_output;
  EXPECT_THAT(seen.output, AllOf(HasSubstr("2 models"), HasSubstr("tiny"), HasSubstr("large")));
}

TEST_F(ProviderTest, CallsAModelOverEveryWire) {
  user_.set("KEY_OF_ALL", kKey);
  std::string text;
  for (const std::string wire :
       {"openai-chat", "openai-responses", "anthropic", "google", "ollama"}) {
    const bool versioned = wire.starts_with("openai");
    text += "[provider.x-" + wire + "]\nwire = '" + wire +
            "'\nkey_env = 'KEY_OF_ALL'\nbase_url = '" + server_.url(versioned ? "/v1" : "") + "'\n";
  }
  configure(text);
  for (const std::string wire :
       {"openai-chat", "openai-responses", "anthropic", "google", "ollama"}) {
    const auto listed = run({"test", "x-" + wire});
    EXPECT_EQ(listed.exit_code, 0) << listed.output << listed.error_output;
    EXPECT_THAT(listed.output, HasSubstr("2 models"));
    const auto called = run({"test", "x-" + wire + "/tiny"});
    EXPECT_EQ(called.exit_code, 0) << called.output << called.error_output;
    // On this machine it costs nothing.
    EXPECT_THAT(called.output, AllOf(HasSubstr("answered in"), HasSubstr(", $0")));
  }
  EXPECT_EQ(server_.counts().rejected, 0U) << server_.counts().last_rejection;
}

TEST_F(ProviderTest, SaysThatAKeyIsWrong) {
  use_openai("another.key.of.no.shape.4711");
  const auto seen = run({"test", "openai"});
  EXPECT_EQ(seen.exit_code, 1);
  EXPECT_THAT(seen.output, AllOf(HasSubstr("fail"), HasSubstr("openai"), HasSubstr("key"),
                                 Not(HasSubstr("another.key"))));
}

TEST_F(ProviderTest, SaysThatAModelIsUnknownAndWhichIsMeant) {
  use_openai();
  const auto seen = run({"test", "openai/tinny"});
  EXPECT_EQ(seen.exit_code, 3) << seen.output << seen.error_output;
  EXPECT_THAT(seen.output, HasSubstr("did you mean openai/tiny?"));
}

TEST_F(ProviderTest, SaysThatNothingAnswers) {
  user_.set("OPENAI_API_KEY", kKey);
  std::string address;
  {
    const ModelServer gone(ok_script());
    address = gone.url("/v1");
  }
  user_.set("OPENAI_BASE_URL", address);
  const auto seen = run({"test", "openai"});
  EXPECT_EQ(seen.exit_code, 1);
  EXPECT_THAT(seen.output, AllOf(HasSubstr("fail providers/openai: openai: "),
                                 HasSubstr(address.substr(7, address.size() - 10))));
}

TEST_F(ProviderTest, NoFormatAndNoLogShowsAKey) {
  use_openai();
  user_.set("CLEVERAGENTS_LOG_LEVEL", "trace");
  user_.set("PLAIN_NAME", kKey);
  configure("[provider.work]\nbase_url = '" + server_.url("/v1") +
            "'\nkey_env = 'PLAIN_NAME'\nmodels = ['tiny', 'none']\n");
  for (const std::string format : {"rich", "plain", "json", "yaml", "table"}) {
    EXPECT_EQ(run({"list", "--format", format}).exit_code, 0);
    EXPECT_EQ(run({"show", "work", "--format", format}).exit_code, 0);
    EXPECT_EQ(run({"test", "--format", format}).exit_code, 0);
    EXPECT_EQ(run({"test", "work/tiny", "--format", format}).exit_code, 0);
    EXPECT_EQ(run({"test", "work/none", "--format", format}).exit_code, 3);
    EXPECT_EQ(run({"test", kKey, "--format", format}).exit_code, 2);
    EXPECT_EQ(run({"show", kKey, "--format", format}).exit_code, 3);
    EXPECT_EQ(run({"reset", "--format", format}).exit_code, 0);
  }
  const auto seen = user_.agents({"diagnostics"});
  EXPECT_THAT(seen.output + seen.error_output, AllOf(HasSubstr("work"), Not(HasSubstr(kKey))));
  EXPECT_THAT(user_.folder().read("agents.log"),
              AllOf(HasSubstr("provider test"), Not(HasSubstr(kKey))));
}

TEST_F(ProviderTest, ReplaysWhatItRecorded) {
  use_openai();
  const auto recorded = run({"test", "openai/tiny", "--record", "call.jsonl"});
  EXPECT_EQ(recorded.exit_code, 0) << recorded.output << recorded.error_output;
  const std::string cassette = user_.folder().read("work/call.jsonl");
  EXPECT_THAT(cassette, AllOf(Not(IsEmpty()), Not(HasSubstr(kKey))));
  const User other;
  other.folder().write("work/call.jsonl", cassette);
  const auto replayed = other.agents({"provider", "test", "openai/tiny", "--replay", "call.jsonl"});
  EXPECT_EQ(replayed.exit_code, 0) << replayed.output << replayed.error_output;
  EXPECT_THAT(replayed.error_output, HasSubstr("no model is called"));
  const auto missing = other.agents({"provider", "test", "openai/large", "--replay", "call.jsonl"});
  EXPECT_EQ(missing.exit_code, 1) << missing.output;
  EXPECT_THAT(missing.output, HasSubstr("large"));
}

TEST_F(ProviderTest, AScriptNeedsNoKeyAndNoNetwork) {
  user_.folder().write("work/demo.yaml", kOkScript);
  const auto seen = run({"test", "--script", "demo.yaml", "--format", "json"});
  EXPECT_EQ(seen.exit_code, 0) << seen.output << seen.error_output;
  EXPECT_THAT(seen.output, AllOf(HasSubstr(R"("answer":"OK")"), HasSubstr("no model is called"),
                                 HasSubstr(R"("cost_usd":0)")));
}

TEST_F(ProviderTest, AScriptWithAMistakeIsNamed) {
  user_.folder().write("work/demo.yaml", "rules:\n  - repply: OK\n");
  const auto seen = run({"test", "--script", "demo.yaml"});
  EXPECT_EQ(seen.exit_code, 1);
  EXPECT_THAT(seen.error_output, AllOf(HasSubstr("demo.yaml:2"), HasSubstr("repply")));
}

TEST_F(ProviderTest, AProjectCannotSendKeysElsewhere) {
  use_openai();
  user_.folder().write("work/.cleveragents/config.toml",
                       "[provider.openai]\nbase_url = 'https://evil.example.com'\n");
  const auto seen = run({"test", "openai"});
  EXPECT_EQ(seen.exit_code, 1);
  EXPECT_THAT(seen.error_output, HasSubstr("cannot be set by a project"));
  EXPECT_EQ(server_.counts().answered, 0U);
}

TEST_F(ProviderTest, ReachesNothingUntilItIsAsked) {
  use_openai();
  for (const std::string words : {"version", "diagnostics", "config list"}) {
    const auto seen = user_.bash("LD_DEBUG=libs \"$AGENTS\" " + words + " 2>&1");
    EXPECT_THAT(seen.output, Not(HasSubstr("libcurl"))) << words;
  }
  EXPECT_EQ(server_.http().connections_opened(), 0U);
}

}  // namespace
}  // namespace clever::e2e
