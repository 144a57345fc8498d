#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "cli/words.h"
#include "service/commands/provider.h"
#include "storage/circuits.h"
#include "support/cli_run.h"
#include "support/silent_backend.h"

namespace clever::cli {
namespace {

using provider::FailureKind;
using test::CliRun;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kKey = "hidden-and-very-secret-0815";
constexpr const char* kModelsPage = "https://api.openai.com/v1/models";

class ProviderCommandTest : public testing::Test {
 protected:
  int run(std::vector<std::string> words) {
    words.insert(words.begin(), "provider");
    const int code = cli_.run(words);
    EXPECT_THAT(cli_.output, Not(HasSubstr(kKey)));
    EXPECT_THAT(cli_.error_output, Not(HasSubstr(kKey)));
    return code;
  }
  void configure(std::string_view text) { cli_.folder().write("home/config.toml", text); }
  void answer(std::variant<provider::ModelAnswer, provider::Failure> result) {
    cli_.models().answer =
        std::make_shared<test::ReportedBackend>(provider::AttemptEnd{.result = std::move(result)});
  }
  void answer_ok() {
    provider::ModelAnswer ok;
    ok.message.parts = {model::Text{"OK"}};
    ok.usage = {.input = 1000, .output = 100, .known = true};
    answer(ok);
  }
  auto& pages() { return cli_.models().network.pages; }
  void open_circuit(const std::string& provider) {
    EXPECT_EQ(cli_.run({"db", "migrate"}), 0);
    const auto url = storage::DatabaseUrl::file(cli_.home() / "cleveragents.db");
    const auto engine = cli_.databases().open(url, {}, {}).value();
    engine->commit(storage::Circuits::opened(provider, "gpt-5", "it failed", std::chrono::hours(1)))
        .value();
  }

  CliRun cli_;
};

TEST_F(ProviderCommandTest, ListSaysWhatIsMissing) {
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("openai"), HasSubstr("OPENAI_API_KEY is not set"),
                                 HasSubstr("nothing answers at http://127.0.0.1:11434")));
  EXPECT_THAT(cli_.error_output, HasSubstr("no model provider is configured"));
}

TEST_F(ProviderCommandTest, ListShowsWhereAKeyComesFrom) {
  cli_.set("OPENAI_API_KEY", kKey);
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output,
              AllOf(HasSubstr("https://api.openai.com/v1"), HasSubstr("OPENAI_API_KEY"),
                    HasSubstr("default model: openai/gpt-6.1-sol")));
}

TEST_F(ProviderCommandTest, ListIsDataInJson) {
  cli_.set("WORK_KEY", kKey);
  configure(
      "[provider.work]\nbase_url='https://x/v1'\nkey_env='WORK_KEY'\nmodels=['m']\n"
      "requests_per_minute=60\ntokens_per_minute=9\nmax_concurrency=4\n");
  EXPECT_EQ(run({"list", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output,
              AllOf(HasSubstr(R"("key_from":"WORK_KEY")"), HasSubstr(R"("default_model":"work/m")"),
                    HasSubstr(R"("requests_per_minute":60)")));
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("60 requests/min, 9 tokens/min, 4 at once"));
}

TEST_F(ProviderCommandTest, NoFormatShowsAKey) {
  cli_.set("WORK_CREDIT", kKey);
  configure("[provider.work]\nbase_url='https://x/v1'\nkey_env='WORK_CREDIT'\nmodels=['m']\n");
  answer(provider::Failure{.kind = FailureKind::kBadKey,
                           .message = std::string("work: incorrect key: ") + kKey,
                           .status = 401});
  for (const char* format : {"rich", "plain", "json", "yaml", "table"}) {
    EXPECT_EQ(run({"list", "--format", format}), 0);
    EXPECT_EQ(run({"show", "work", "--format", format}), 0);
    EXPECT_EQ(run({"test", "work/m", "--format", format}), 1);
    EXPECT_THAT(cli_.output, HasSubstr("incorrect key"));
    EXPECT_EQ(run({"test", "--format", format}), 1);
  }
}

TEST_F(ProviderCommandTest, ListFindsALocalOllama) {
  pages()["http://127.0.0.1:11434/api/tags"] = {200, R"({"models":[{"name":"qwen3"}]})"};
  pages()["http://127.0.0.1:8080/v1/models"] = {404, R"({"data":[{"owned_by":"llamacpp"}]})"};
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("default model: ollama/qwen3"));
  EXPECT_THAT(cli_.output, Not(HasSubstr("llama-server")));
}

TEST_F(ProviderCommandTest, ListShowsOpenCircuits) {
  cli_.set("OPENAI_API_KEY", kKey);
  open_circuit("openai");
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("open: gpt-5"));
}

TEST_F(ProviderCommandTest, ListWarnsOfAFallbackThatCannotBeUsed) {
  cli_.set("OPENAI_API_KEY", kKey);
  configure("model.fallback = ['openai/gpt-5', 'groq/x']\n");
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.error_output,
              AllOf(HasSubstr("model.fallback: the provider groq cannot be used"),
                    Not(HasSubstr("openai"))));
}

TEST_F(ProviderCommandTest, EveryCommandThatReadsSettingsKnowsTheKeys) {
  cli_.set("PLAIN_NAME", kKey);
  configure("provider.work.key_env = 'PLAIN_NAME'\n");
  EXPECT_EQ(cli_.run({"config", "get", kKey}), 2);
  EXPECT_EQ(cli_.run({"config", "set", "output.format", kKey}), 2);
  EXPECT_THAT(cli_.output + cli_.error_output, Not(HasSubstr(kKey)));
}

TEST_F(ProviderCommandTest, ListCreatesNothing) {
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_FALSE(std::filesystem::exists(cli_.home()));
}

TEST_F(ProviderCommandTest, ABadSettingIsAnErrorWithItsPlace) {
  configure("provider.work.base_url = 'nowhere'\n");
  EXPECT_EQ(run({"list"}), 1);
  EXPECT_THAT(cli_.error_output, AllOf(HasSubstr("provider work"), HasSubstr("config.toml:1")));
}

TEST_F(ProviderCommandTest, ABadTableOfModelsIsAnErrorWithItsPlace) {
  cli_.folder().write("home/models.toml", "[openai.x]\ninput = 'much'\n");
  EXPECT_EQ(run({"list"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("models.toml:2: openai.x.input"));
}

TEST_F(ProviderCommandTest, ShowHasModelsAndOrigins) {
  cli_.set("OPENAI_API_KEY", kKey);
  cli_.set("OPENAI_BASE_URL", "https://proxy.example.com/v1");
  configure("[provider.openai]\nwire = 'openai-responses'\nheaders.X-Team = 'blue'\n");
  EXPECT_EQ(run({"show", "openai"}), 0);
  EXPECT_THAT(cli_.output,
              AllOf(HasSubstr("https://proxy.example.com/v1 (OPENAI_BASE_URL)"),
                    HasSubstr("openai-responses ("), HasSubstr("config.toml:2)"),
                    HasSubstr("header X-Team: blue"), HasSubstr("gpt-5 "), HasSubstr("$1.25")));
  EXPECT_EQ(run({"show", "openai", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr(R"("key_from":"OPENAI_API_KEY")"),
                                 HasSubstr(R"("source":"https://)"), HasSubstr("long_above")));
}

TEST_F(ProviderCommandTest, ShowNamesUnpricedModels) {
  configure("[provider.work]\nbase_url='https://x'\nmodels=['m']\n");
  EXPECT_EQ(run({"show", "work"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("unpriced"), HasSubstr("not known")));
}

TEST_F(ProviderCommandTest, ShowOfALocalOneCostsNothing) {
  configure("[provider.work]\nbase_url='http://localhost:1'\nmodels=['m']\n");
  EXPECT_EQ(run({"show", "work"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("yes, costs nothing"), HasSubstr("$0")));
}

TEST_F(ProviderCommandTest, ShowOfAzureHasItsVersion) {
  cli_.set("AZURE_OPENAI_API_KEY", kKey);
  cli_.set("AZURE_OPENAI_ENDPOINT", "https://me.openai.azure.com");
  cli_.set("OPENAI_API_VERSION", "2024-10-21");
  EXPECT_EQ(run({"show", "azure"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("2024-10-21 (OPENAI_API_VERSION)"),
                                 HasSubstr("default model: none: name one")));
}

TEST_F(ProviderCommandTest, ShowOfWhatIsNotConfiguredSaysWhatItNeeds) {
  EXPECT_EQ(run({"show", "groq"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("GROQ_API_KEY is not set"), HasSubstr("llama-3.3")));
}

TEST_F(ProviderCommandTest, ShowOfTheUnknownIsNotFound) {
  EXPECT_EQ(run({"show", "antropic"}), 3);
  EXPECT_THAT(cli_.error_output, HasSubstr("did you mean anthropic?"));
  EXPECT_EQ(run({"show", "zzzzzz"}), 3);
  EXPECT_THAT(cli_.error_output, HasSubstr("provider.NAME.base_url"));
}

TEST_F(ProviderCommandTest, TestListsModels) {
  cli_.set("OPENAI_API_KEY", kKey);
  pages()[kModelsPage] = {200, R"({"object":"list","data":[{"id":"gpt-x"},{"id":"gpt-y"}]})"};
  EXPECT_EQ(run({"test"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("providers/openai: 2 models"), HasSubstr("gpt-y")));
}

TEST_F(ProviderCommandTest, TestSaysWhatAProviderSaid) {
  cli_.set("OPENAI_API_KEY", kKey);
  pages()[kModelsPage] = {401, std::string(R"({"error":{"message":"Incorrect API key: )") + kKey +
                                   R"(","code":"invalid_api_key"}})"};
  EXPECT_EQ(run({"test", "openai"}), 1);
  EXPECT_THAT(cli_.output,
              AllOf(HasSubstr("fail providers/openai"), HasSubstr("Incorrect API key")));
}

TEST_F(ProviderCommandTest, TestSaysThatAPageIsNotAnAnswer) {
  cli_.set("OPENAI_API_KEY", kKey);
  pages()[kModelsPage] = {200, "<html>Welcome</html>"};
  EXPECT_EQ(run({"test", "openai"}), 1);
  EXPECT_THAT(cli_.output, HasSubstr("is https://api.openai.com/v1 the address of its API?"));
}

TEST_F(ProviderCommandTest, TestSaysThatNothingAnswers) {
  cli_.set("OPENAI_API_KEY", kKey);
  cli_.set("GROQ_API_KEY", kKey);
  EXPECT_EQ(run({"test"}), 1);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("openai: no answer"), HasSubstr("groq: no answer")));
}

TEST_F(ProviderCommandTest, TestOfAModelShowsTokensAndCost) {
  cli_.set("OPENAI_API_KEY", kKey);
  answer_ok();
  EXPECT_EQ(run({"test", "openai/gpt-5"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("1000 tokens in, 100 out"), HasSubstr("$0.00225")));
  EXPECT_EQ(run({"test", "openai/gpt-5", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output,
              AllOf(HasSubstr(R"("answer":"OK")"), HasSubstr(R"("cost_usd":0.00225)")));
}

TEST_F(ProviderCommandTest, TestWithCallTakesTheDefaultModel) {
  cli_.set("OPENAI_API_KEY", kKey);
  answer_ok();
  EXPECT_EQ(run({"test", "openai", "--call"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("openai/gpt-6.1-sol: answered"));
  EXPECT_EQ(run({"test", "--call"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("openai/gpt-6.1-sol: answered"));
}

TEST_F(ProviderCommandTest, TestTakesAliases) {
  cli_.set("OPENAI_API_KEY", kKey);
  configure("model.alias.fast = 'openai/gpt-5-mini'\n");
  answer_ok();
  EXPECT_EQ(run({"test", "fast"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("openai/gpt-5-mini: answered"));
}

TEST_F(ProviderCommandTest, TestOfAnUnpricedModelSaysSo) {
  configure("[provider.work]\nbase_url='https://x'\n");
  answer_ok();
  EXPECT_EQ(run({"test", "work/m"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("price not known"));
  answer(provider::ModelAnswer{});
  EXPECT_EQ(run({"test", "work/m"}), 0);
  EXPECT_THAT(cli_.output, Not(HasSubstr("tokens")));
}

TEST_F(ProviderCommandTest, TestOfAnUnknownModelNamesTheNearest) {
  cli_.set("OPENAI_API_KEY", kKey);
  answer(provider::Failure{
      .kind = FailureKind::kUnknownModel, .message = "openai: no gpt-z", .status = 404});
  pages()[kModelsPage] = {200, R"({"object":"list","data":[{"id":"gpt-y"}]})"};
  EXPECT_EQ(run({"test", "openai/gpt-z"}), 3);
  EXPECT_THAT(cli_.output, HasSubstr("did you mean openai/gpt-y?"));
}

TEST_F(ProviderCommandTest, TestOfWhatIsNotConfiguredSaysWhy) {
  EXPECT_EQ(run({"test", "groq"}), 3);
  EXPECT_THAT(cli_.error_output, HasSubstr("GROQ_API_KEY is not set"));
  EXPECT_EQ(run({"test"}), 3);
  EXPECT_THAT(cli_.error_output, HasSubstr("no model provider is configured"));
  EXPECT_EQ(run({"test", "groq/x"}), 3);
  cli_.set("OPENAI_API_KEY", kKey);
  EXPECT_EQ(run({"test", "nobody"}), 2);
}

TEST_F(ProviderCommandTest, TestNeedsAModelWhereThereIsNoDefault) {
  configure("[provider.work]\nbase_url='https://x'\n");
  EXPECT_EQ(run({"test", "work", "--call"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("name one: work/MODEL"));
}

TEST_F(ProviderCommandTest, TestWithAScriptNeedsNothing) {
  answer_ok();
  EXPECT_EQ(run({"test", "--script", "demo.yaml"}), 0);
  EXPECT_EQ(cli_.models().last_endpoint.wire, provider::Wire::kScripted);
  EXPECT_EQ(cli_.models().last_endpoint.base_url, "demo.yaml");
  EXPECT_THAT(cli_.error_output, HasSubstr("no model is called"));
}

TEST_F(ProviderCommandTest, TestReplaysForProvidersThatCannotBeUsed) {
  answer_ok();
  EXPECT_EQ(run({"test", "openai/gpt-5", "--replay", "c.jsonl"}), 0);
  EXPECT_EQ(cli_.models().last_source.replay, "c.jsonl");
  EXPECT_EQ(cli_.models().last_endpoint.provider, "openai");
  EXPECT_THAT(cli_.error_output, HasSubstr("no model is called"));
}

TEST_F(ProviderCommandTest, TestRecords) {
  cli_.set("OPENAI_API_KEY", kKey);
  answer_ok();
  EXPECT_EQ(run({"test", "openai", "--record", "c.jsonl"}), 0);
  EXPECT_EQ(cli_.models().last_source.record, "c.jsonl");
}

TEST_F(ProviderCommandTest, TestSaysWhatIsWrongWithAScript) {
  cli_.models().answer = base::invalid_argument("demo.yaml:3: what is this?");
  EXPECT_EQ(run({"test", "--script", "demo.yaml"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("demo.yaml:3"));
}

TEST_F(ProviderCommandTest, TestCanBeInterrupted) {
  cli_.set("OPENAI_API_KEY", kKey);
  cli_.models().answer = std::make_shared<test::SilentBackend>();
  cli_.stop.request_stop();
  EXPECT_EQ(run({"test", "openai/gpt-5"}), 1);
  EXPECT_THAT(cli_.output, HasSubstr("stopped"));
}

TEST_F(ProviderCommandTest, ResetClosesCircuits) {
  cli_.set("OPENAI_API_KEY", kKey);
  open_circuit("openai");
  EXPECT_EQ(run({"reset", "groq"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("no circuit of groq was open"));
  EXPECT_EQ(run({"reset", "openai"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("1 circuit of openai closed"));
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, Not(HasSubstr("open: gpt-5")));
}

TEST_F(ProviderCommandTest, ResetWithoutADatabaseHasNothingToDo) {
  EXPECT_EQ(run({"reset"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("no circuit was open"));
  EXPECT_FALSE(std::filesystem::exists(cli_.home()));
}

TEST_F(ProviderCommandTest, ResetOfTheUnknownIsNotFound) {
  EXPECT_EQ(run({"reset", "opnai"}), 3);
  EXPECT_THAT(cli_.error_output, HasSubstr("did you mean openai?"));
}

TEST_F(ProviderCommandTest, ResetNeedsADatabaseThatOpens) {
  EXPECT_EQ(run({"reset", "--database", "nonsense://x"}), 2);
}

TEST_F(ProviderCommandTest, NamesAreCompleted) {
  EXPECT_EQ(cli_.run({"complete", "--", "provider", "show", "gr"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("groq\t"));
}

TEST(ShownCost, IsExact) {
  EXPECT_EQ(service::shown_cost(0), "$0");
  EXPECT_EQ(service::shown_cost(1), "$0.000001");
  EXPECT_EQ(service::shown_cost(2'500'000), "$2.50");
  EXPECT_EQ(service::shown_rate(75'000), "$0.075");
  EXPECT_EQ(service::shown_rate(3'000'000), "$3");
}

TEST_F(ProviderCommandTest, WithPatienceACallIsMadeAsAPlanWouldAndTraced) {
  cli_.set("OPENAI_API_KEY", kKey);
  EXPECT_EQ(cli_.run({"db", "migrate"}), 0);
  answer_ok();
  EXPECT_EQ(run({"test", "openai", "--patience", "30s"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("answered in"));
  EXPECT_EQ(run({"calls"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("openai/gpt-6.1-sol"), HasSubstr("answered")));
  EXPECT_EQ(run({"calls", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("gen_ai.usage.input_tokens"));
  EXPECT_EQ(run({"calls", "anthropic"}), 0);
  EXPECT_EQ(cli_.output, "No model call is recorded yet.\n");
}

TEST_F(ProviderCommandTest, WhatWillNotPassIsNotWaitedOut) {
  cli_.set("OPENAI_API_KEY", kKey);
  answer(provider::Failure{.kind = FailureKind::kQuota, .message = "openai: no credit left"});
  EXPECT_EQ(run({"test", "openai", "--patience", "1h"}), 1);
  EXPECT_THAT(cli_.output, HasSubstr("no credit left"));
}

// The operating system's, and further on by each leap.
class LeapingClock final : public base::Clock {
 public:
  [[nodiscard]] base::TimePoint now() const override { return system_.now() + leaps(); }
  [[nodiscard]] base::WallTime wall_now() const override { return system_.wall_now() + leaps(); }
  void wait_until(base::CondVar& changed, base::Mutex& mutex, base::TimePoint until) override
      CLEVER_REQUIRES(mutex) {
    system_.wait_until(changed, mutex, until - leaps());
  }
  void leap() { ++leaps_; }

 private:
  [[nodiscard]] std::chrono::hours leaps() const { return std::chrono::hours(leaps_.load()); }
  base::SystemClock system_;
  std::atomic<int> leaps_ = 0;  // a count, publishes nothing
};

// Takes an hour for each answer.
class SlowBackend final : public provider::Backend {
 public:
  SlowBackend(LeapingClock& clock, provider::AttemptEnd end)
      : clock_(clock), reported_(std::move(end)) {}
  std::unique_ptr<provider::Attempt> start(const std::string& model,
                                           const provider::ModelRequest& request,
                                           std::shared_ptr<provider::AttemptSink> sink) override {
    clock_.leap();
    return reported_.start(model, request, std::move(sink));
  }

 private:
  LeapingClock& clock_;
  test::ReportedBackend reported_;
};

TEST_F(ProviderCommandTest, WhenPatienceEndsItSaysSo) {
  LeapingClock clock;
  cli_.models().time = &clock;
  cli_.set("OPENAI_API_KEY", kKey);
  const provider::Failure overloaded{
      .kind = FailureKind::kOverloaded, .message = "openai: overloaded", .status = 529};
  cli_.models().answer =
      std::make_shared<SlowBackend>(clock, provider::AttemptEnd{.result = overloaded});
  EXPECT_EQ(run({"test", "openai", "--patience", "10m"}), 1);
  EXPECT_THAT(cli_.output, HasSubstr("overloaded"));
}

TEST_F(ProviderCommandTest, BadPatienceAndLimitsAreNamed) {
  EXPECT_EQ(run({"test", "openai", "--patience", "long"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("--patience"));
  EXPECT_EQ(run({"calls", "--limit", "0"}), 2);
  EXPECT_EQ(run({"calls", "--plan", "x"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("--plan"));
}

}  // namespace
}  // namespace clever::cli
