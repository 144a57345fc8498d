#include "context/provider_embedder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "context/internal/embedding_answer.h"
#include "io/http_client.h"
#include "support/http_server.h"

namespace clever::context {
namespace {

using base::ErrorCode;
using nlohmann::json;
using provider::Endpoint;
using provider::Wire;
using test::HttpReply;
using test::HttpServer;
using test::SeenRequest;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Each text's vector tells how long the text is; OpenAI's come in any order.
std::string openai_answer(const SeenRequest& request) {
  json data = json::array();
  const json texts = json::parse(request.body)["input"];
  for (std::size_t i = texts.size(); i > 0; --i) {
    const auto size = texts[i - 1].get<std::string>().size();
    data.push_back({{"index", i - 1}, {"embedding", {size == 1 ? 0.0 : 1.0, 1.0, 0.0}}});
  }
  return json{{"data", data}}.dump();
}

class ProviderEmbedderTest : public testing::Test {
 protected:
  Endpoint endpoint(const HttpServer& server, Wire wire = Wire::kOpenAiChat) const {
    Endpoint result;
    result.provider = "openai";
    result.wire = wire;
    result.base_url = server.url("/v1");
    result.key = "sk-very-secret-key-of-the-test";
    return result;
  }
  base::Result<std::unique_ptr<ProviderEmbedder>> connect(const Endpoint& endpoint,
                                                          ProviderEmbedder::Options options = {}) {
    options.first_pause = std::chrono::microseconds(1);
    return ProviderEmbedder::connect(endpoint, "text-embedding-3-small", client, clock, options);
  }

  io::HttpClient client;
  base::SystemClock clock;
};

TEST_F(ProviderEmbedderTest, AsksOpenAi) {
  HttpServer server([](const SeenRequest& request) {
    return test::whole_reply(openai_answer(request), "application/json");
  });
  const auto embedder = connect(endpoint(server)).value();
  EXPECT_EQ(embedder->name(), "openai/text-embedding-3-small");
  EXPECT_EQ(embedder->dimensions(), 3U);
  EXPECT_THAT(embedder->embed({"one", "x", "three"}).value(),
              ElementsAre(ElementsAre(90, 90, 0), ElementsAre(0, 127, 0), ElementsAre(90, 90, 0)));
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[1].method, "POST");
  EXPECT_EQ(requests[1].target, "/v1/embeddings");
  EXPECT_EQ(requests[1].header("authorization"), "Bearer sk-very-secret-key-of-the-test");
  EXPECT_EQ(requests[1].header("content-type"), "application/json");
  const json body = json::parse(requests[1].body);
  EXPECT_EQ(body["model"], "text-embedding-3-small");
  EXPECT_EQ(body["input"], json({"one", "x", "three"}));
  EXPECT_FALSE(body.contains("dimensions"));
}

TEST_F(ProviderEmbedderTest, AsksOllama) {
  HttpServer server([](const SeenRequest&) {
    return test::whole_reply(R"({"embeddings": [[0.5, 0.0]]})", "application/json");
  });
  Endpoint ollama = endpoint(server, Wire::kOllama);
  ollama.base_url = server.url("");
  const auto embedder = connect(ollama).value();
  EXPECT_THAT(embedder->embed({"one"}).value(), ElementsAre(ElementsAre(127, 0)));
  EXPECT_EQ(server.requests().back().target, "/api/embed");
}

TEST_F(ProviderEmbedderTest, AsksForSoManyDimensions) {
  HttpServer server([](const SeenRequest& request) {
    return test::whole_reply(openai_answer(request), "application/json");
  });
  const auto embedder = connect(endpoint(server), {.dimensions = 3}).value();
  EXPECT_EQ(embedder->name(), "openai/text-embedding-3-small/3");
  EXPECT_EQ(json::parse(server.requests()[0].body)["dimensions"], 3);
  const auto refused = connect(endpoint(server), {.dimensions = 5, .most_attempts = 1});
  EXPECT_THAT(refused.error().message(), HasSubstr("3 dimensions, not 5"));
}

TEST_F(ProviderEmbedderTest, SendsTextsInBatches) {
  HttpServer server([](const SeenRequest& request) {
    return test::whole_reply(openai_answer(request), "application/json");
  });
  const auto embedder =
      connect(endpoint(server), {.most_texts = 2, .most_bytes = 10, .longest_text = 8}).value();
  EXPECT_EQ(embedder->embed({"a", "b", "c", "long text", "d\xFF", ""}).value().size(), 6U);
  std::vector<json> sent;
  for (const auto& request : server.requests()) {
    sent.push_back(json::parse(request.body)["input"]);
  }
  EXPECT_THAT(sent, ElementsAre(json({"test"}), json({"a", "b"}), json({"c", "long tex"}),
                                json({"d\xEF\xBF\xBD", " "})));
  EXPECT_TRUE(embedder->embed({}).value().empty());
}

TEST_F(ProviderEmbedderTest, TriesAgainWhatPasses) {
  HttpServer server([](const SeenRequest& request) {
    if (request.number == 1) return test::whole_reply("{}", "application/json", 503);
    if (request.number == 2) return HttpReply{.before_head = {test::Cut{}}};
    if (request.number == 3) return test::whole_reply("{\"data\": []}", "application/json");
    return test::whole_reply(openai_answer(request), "application/json");
  });
  EXPECT_TRUE(connect(endpoint(server)).ok());
  EXPECT_EQ(server.request_count(), 4U);
}

TEST_F(ProviderEmbedderTest, GivesUpAfterSomeAttempts) {
  HttpServer server(
      [](const SeenRequest&) { return test::whole_reply("{}", "application/json", 503); });
  const auto failed = connect(endpoint(server), {.most_attempts = 3});
  EXPECT_EQ(failed.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(server.request_count(), 3U);
}

TEST_F(ProviderEmbedderTest, DoesNotTryAgainWhatDoesNotPass) {
  HttpServer server([](const SeenRequest&) {
    return test::whole_reply(
        R"({"error": {"message": "Incorrect API key provided: sk-very-secret-key-of-the-test"}})",
        "application/json", 401);
  });
  const auto failed = connect(endpoint(server));
  EXPECT_EQ(failed.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(failed.error().to_string(), Not(HasSubstr("very-secret")));
  EXPECT_THAT(failed.error().to_string(), HasSubstr("openai/text-embedding-3-small"));
  EXPECT_EQ(server.request_count(), 1U);
}

TEST_F(ProviderEmbedderTest, KnowsApisWithoutVectors) {
  HttpServer server([](const SeenRequest&) { return test::whole_reply(""); });
  const auto failed = connect(endpoint(server, Wire::kAnthropic));
  EXPECT_EQ(failed.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(server.request_count(), 0U);
}

TEST_F(ProviderEmbedderTest, BeginsNoPauseThatEndsTooLate) {
  HttpServer server([](const SeenRequest&) {
    HttpReply reply = test::whole_reply("{}", "application/json", 429);
    reply.headers.push_back({"retry-after", "3600"});
    return reply;
  });
  const auto deadline = base::Deadline::after(clock, std::chrono::minutes(5));
  const auto failed =
      ProviderEmbedder::connect(endpoint(server), "m", client, clock, {}, {}, deadline);
  EXPECT_EQ(failed.error().code(), ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(server.request_count(), 1U);
}

TEST_F(ProviderEmbedderTest, CanBeStopped) {
  base::StopSource stop;
  HttpServer server([&](const SeenRequest&) {
    stop.request_stop();
    HttpReply reply = test::whole_reply("{}", "application/json", 429);
    reply.headers.push_back({"retry-after", "3600"});
    return reply;
  });
  const auto failed =
      ProviderEmbedder::connect(endpoint(server), "m", client, clock, {}, stop.token());
  EXPECT_EQ(failed.error().code(), ErrorCode::kCancelled);
}

TEST(EmbeddingAnswer, SaysWhatMakesNoSense) {
  for (const char* body :
       {"", "[]", "{", "null", "{\"data\": 1}", "{\"data\": []}", "{\"data\": [{}]}",
        "{\"data\": [{\"embedding\": []}]}", "{\"data\": [{\"embedding\": [\"x\"]}]}",
        "{\"data\": [{\"index\": 7, \"embedding\": [1]}]}", "{\"embeddings\": [[1], [1]]}",
        "{\"embeddings\": [5]}"}) {
    const auto vectors = internal::read_embeddings(body, 1, 0);
    ASSERT_FALSE(vectors.ok()) << body;
    EXPECT_EQ(vectors.error().code(), ErrorCode::kCorruption);
  }
  EXPECT_FALSE(internal::read_embeddings(R"({"embeddings": [[1, 2], [1]]})", 2, 0).ok());
  EXPECT_TRUE(internal::read_embeddings(R"({"embeddings": [[1, 2], [1, 3]]})", 2, 0).ok());
}

}  // namespace
}  // namespace clever::context
