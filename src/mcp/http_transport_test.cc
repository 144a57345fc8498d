#include "mcp/http_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/thread.h"
#include "io/http_client.h"
#include "mcp/client.h"
#include "mcp/testing/scripted_server.h"
#include "support/http_server.h"

namespace clever::mcp {
namespace {

using base::ErrorCode;
using internal::Json;
using internal::text_result;
using test::HttpReply;
using test::HttpServer;
using test::SeenRequest;
using testing::HasSubstr;

HttpReply json_reply(const Json& value, int status = 200) {
  return test::whole_reply(value.dump(), "application/json", status);
}
std::string event(const Json& value, std::string_view id = {}) {
  std::string text = id.empty() ? "" : "id: " + std::string(id) + "\n";
  return text + "event: message\ndata: " + value.dump() + "\n\n";
}
HttpReply stream(std::vector<test::Step> steps) {
  return {.headers = {{"content-type", "text/event-stream"}},
          .framing = test::Framing::kChunked,
          .steps = std::move(steps)};
}
Json result_of(const Json& request, const Json& result) {
  return {{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", result}};
}
Json error_of(const Json& request, int code) {
  return {
      {"jsonrpc", "2.0"}, {"id", request["id"]}, {"error", {{"code", code}, {"message", "no"}}}};
}

using Answer = std::function<HttpReply(const SeenRequest&, const Json& message)>;

// A server of 2025-11-25 with a session; `answer` gets what is not of the handshake.
test::HttpHandler legacy(Answer answer) {
  return [answer = std::move(answer)](const SeenRequest& request) -> HttpReply {
    if (request.method != "POST") return answer(request, Json::object());
    const Json message = Json::parse(request.body);
    const std::string method = internal::text_of(internal::member(message, "method"));
    if (method == "server/discover") return test::whole_reply("no session", "text/plain", 400);
    if (method.starts_with("notifications/")) return test::whole_reply("", "text/plain", 202);
    if (method != "initialize") return answer(request, message);
    HttpReply reply =
        json_reply(result_of(message, {{"protocolVersion", "2025-11-25"},
                                       {"capabilities", {{"tools", {{"listChanged", true}}}}}}));
    reply.headers.push_back({"Mcp-Session-Id", "session-1"});
    return reply;
  };
}

HttpReply not_allowed() { return test::whole_reply("", "text/plain", 405); }

// A server of 2026-07-28.
test::HttpHandler modern(Answer answer) {
  return [answer = std::move(answer)](const SeenRequest& request) -> HttpReply {
    const Json message = Json::parse(request.body);
    if (message["method"] != "server/discover") return answer(request, message);
    return json_reply(result_of(message, {{"supportedVersions", {"2026-07-28"}},
                                          {"capabilities", {{"tools", Json::object()}}}}));
  };
}

struct HttpWorld {
  explicit HttpWorld(test::HttpHandler handler, HttpTransportOptions options = {})
      : server(std::move(handler)) {
    options.server_name = "web";
    options.url = server.url("/mcp");
    client = Client::connect(make_http_transport(http, std::move(options)), clock,
                             {.server_name = "web"}, {}, base::Deadline::never());
  }
  base::Result<ToolResult> call(const CallOptions& options = {}) {
    return client.value()->call("t", R"({"a":1})", options);
  }
  // Of the requests that came, those of this method.
  std::vector<SeenRequest> heard(std::string_view method) {
    std::vector<SeenRequest> found;
    for (const SeenRequest& request : server.requests()) {
      if (request.method == method) found.push_back(request);
      if (request.method != "POST" || request.body.empty()) continue;
      if (Json::parse(request.body).value("method", "") == method) found.push_back(request);
    }
    return found;
  }

  base::SystemClock clock;
  HttpServer server;
  io::HttpClient http{{}};
  base::Result<std::unique_ptr<Client>> client = base::internal_error("not yet");
};

HttpReply answer_text(const SeenRequest& request, const Json& message) {
  if (request.method != "POST") return not_allowed();
  if (message["method"] == "tools/list") {
    return json_reply(result_of(message, {{"tools", Json::array()}, {"ttlMs", 60'000}}));
  }
  return json_reply(result_of(message, text_result("hello")));
}

TEST(HttpTransport, AModernServerHasNoSession) {
  HttpWorld world(modern(answer_text));
  EXPECT_EQ(world.call()->text, "hello");
  const SeenRequest call = world.heard("tools/call")[0];
  EXPECT_EQ(call.header("mcp-protocol-version"), "2026-07-28");
  EXPECT_EQ(call.header("mcp-method"), "tools/call");
  EXPECT_EQ(call.header("mcp-name"), "t");
  EXPECT_EQ(call.header("mcp-session-id"), "");
  EXPECT_EQ(call.header("content-type"), "application/json");
  EXPECT_EQ(call.header("accept"), "application/json, text/event-stream");
  world.client.value().reset();
  EXPECT_TRUE(world.heard("GET").empty());
  EXPECT_TRUE(world.heard("DELETE").empty());
}

TEST(HttpTransport, ALegacyServerHasOne) {
  HttpWorld world(legacy(answer_text));
  EXPECT_EQ(world.call()->text, "hello");
  EXPECT_EQ(world.heard("initialize")[0].header("mcp-session-id"), "");
  EXPECT_EQ(world.heard("initialize")[0].header("mcp-protocol-version"), "");
  const SeenRequest call = world.heard("tools/call")[0];
  EXPECT_EQ(call.header("mcp-session-id"), "session-1");
  EXPECT_EQ(call.header("mcp-protocol-version"), "2025-11-25");
  EXPECT_EQ(call.header("mcp-method"), "");
  world.client.value().reset();
  ASSERT_EQ(world.heard("DELETE").size(), 1U);
  EXPECT_EQ(world.heard("DELETE")[0].header("mcp-session-id"), "session-1");
}

TEST(HttpTransport, HeadersOfTheUserGoAlong) {
  HttpWorld world(modern(answer_text), {.server_name = "",
                                        .url = "",
                                        .headers = {{"Authorization", "Bearer x"},
                                                    {"Mcp-Session-Id", "forged"},
                                                    {"Accept", "text/html"}}});
  world.call().value();
  const SeenRequest call = world.heard("tools/call")[0];
  EXPECT_EQ(call.header("authorization"), "Bearer x");
  EXPECT_EQ(call.header("mcp-session-id"), "");
  EXPECT_EQ(call.header("accept"), "application/json, text/event-stream");
}

TEST(HttpTransport, AnAnswerMayBeAStream) {
  HttpWorld world(legacy([](const SeenRequest& request, const Json& message) {
    if (request.method != "POST") return not_allowed();
    const Json progress = {{"jsonrpc", "2.0"},
                           {"method", "notifications/progress"},
                           {"params", {{"progressToken", message["id"]}, {"progress", 1}}}};
    return stream({test::Send{": comment\n\n"}, test::Send{event(progress)},
                   test::Send{event(result_of(message, text_result("streamed")))}});
  }));
  int news = 0;
  const auto result = world.call({.on_progress = [&](const Progress&) { ++news; }});
  EXPECT_EQ(result->text, "streamed");
  EXPECT_EQ(news, 1);
}

TEST(HttpTransport, AStreamThatStaysOpenAfterTheAnswerIsClosed) {
  HttpWorld world(modern([](const SeenRequest& request, const Json& message) {
    if (message["method"] != "tools/call") return answer_text(request, message);
    return stream({test::Send{event(result_of(message, text_result("streamed")))}, test::Stall{}});
  }));
  EXPECT_EQ(world.call()->text, "streamed");
  EXPECT_TRUE(world.server.wait_for_closed_by_peer(1));
}

TEST(HttpTransport, ClosingTheStreamCancelsAModernCall) {
  HttpWorld world(modern([](const SeenRequest& request, const Json& message) {
    if (message["method"] != "tools/call") return answer_text(request, message);
    return stream({test::Send{": wait\n\n"}, test::Stall{}});
  }));
  base::StopSource stop;
  base::Thread caller("caller", [&](const base::StopToken&) {
    EXPECT_EQ(world.call({.stop = stop.token()}).error().code(), ErrorCode::kCancelled);
  });
  EXPECT_TRUE(world.server.wait_for_requests(3));
  stop.request_stop();
  EXPECT_TRUE(world.server.wait_for_closed_by_peer(1));
  caller.join();
  EXPECT_TRUE(world.heard("notifications/cancelled").empty());
}

TEST(HttpTransport, ALegacyCallIsCancelledByAMessage) {
  HttpWorld world(legacy([](const SeenRequest& request, const Json&) {
    if (request.method != "POST") return not_allowed();
    return stream({test::Send{": wait\n\n"}, test::Stall{}});
  }));
  base::StopSource stop;
  const base::Thread impatient("impatient", [&](const base::StopToken&) {
    // discover, initialize, initialized, GET, call.
    EXPECT_TRUE(world.server.wait_for_requests(5));
    stop.request_stop();
  });
  EXPECT_EQ(world.call({.stop = stop.token()}).error().code(), ErrorCode::kCancelled);
  // … and cancelled.
  EXPECT_TRUE(world.server.wait_for_requests(6));
  EXPECT_EQ(world.heard("notifications/cancelled").size(), 1U);
}

TEST(HttpTransport, AServerSpeaksByItselfOnTheGetStream) {
  std::atomic<int> lists{0};
  HttpWorld world(legacy([&](const SeenRequest& request, const Json& message) {
    if (request.method == "GET") {
      const Json changed = {{"jsonrpc", "2.0"}, {"method", "notifications/tools/list_changed"}};
      const Json ping = {{"jsonrpc", "2.0"}, {"id", "s"}, {"method", "ping"}};
      return stream({test::WaitFor{"change"}, test::Send{event(changed)}, test::Send{event(ping)},
                     test::Stall{}});
    }
    if (request.method == "DELETE" || !message.contains("method")) {
      return test::whole_reply("", "text/plain", 202);
    }
    ++lists;
    return json_reply(result_of(message, {{"tools", Json::array()}}));
  }));
  Client& client = *world.client.value();
  EXPECT_TRUE(world.server.wait_for_waiting("change", 1));
  client.tools({}, base::Deadline::never()).value();
  client.tools({}, base::Deadline::never()).value();
  EXPECT_EQ(lists, 1);
  world.server.open_gate("change");
  // discover, initialize, initialized, GET, list, and the answer to its ping.
  EXPECT_TRUE(world.server.wait_for_requests(6));
  client.tools({}, base::Deadline::never()).value();
  EXPECT_EQ(lists, 2);
  EXPECT_EQ(Json::parse(world.server.requests()[5].body)["id"], "s");
}

TEST(HttpTransport, AGetStreamThatEndsIsOpenedAgain) {
  HttpWorld world(legacy([](const SeenRequest& request, const Json& message) {
    if (request.method == "GET") {
      return stream(
          {test::Send{"id: e1\ndata: {\"jsonrpc\":\"2.0\",\"method\":"
                      "\"notifications/tools/list_changed\"}\n\n"}});
    }
    return request.method == "DELETE" ? not_allowed() : answer_text(request, message);
  }));
  EXPECT_TRUE(world.server.wait_for_replies(4));
  while (world.heard("GET").size() < 2) {
    world.client.value()->tools({}, base::Deadline::never()).value();
  }
  EXPECT_EQ(world.heard("GET")[1].header("last-event-id"), "e1");
}

TEST(HttpTransport, ABrokenStreamIsResumed) {
  std::atomic<int> number{0};
  HttpWorld world(legacy([&](const SeenRequest& request, const Json& message) {
    if (request.method == "GET") {
      if (request.header("last-event-id").empty()) return not_allowed();
      return stream(
          {test::Send{event(result_of({{"id", number.load()}}, text_result("resumed")))}});
    }
    if (request.method == "DELETE") return not_allowed();
    number = message["id"].get<int>();
    return stream({test::Send{"retry: 1\nid: e7\ndata: \n\n"}, test::Send{"id: e8\ndata: x\n\n"}});
  }));
  EXPECT_EQ(world.call()->text, "resumed");
  const auto gets = world.heard("GET");
  EXPECT_EQ(gets.back().header("last-event-id"), "e8");
}

TEST(HttpTransport, ABrokenModernStreamLosesTheRequest) {
  HttpWorld world(modern([](const SeenRequest& request, const Json& message) {
    if (message["method"] != "tools/call") return answer_text(request, message);
    return stream({test::Send{"id: e7\ndata: x\n\n"}});
  }));
  const auto error = world.call().error();
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
  EXPECT_THAT(error.message(), HasSubstr("without an answer"));
}

TEST(HttpTransport, A404EndsTheSession) {
  HttpWorld world(legacy([](const SeenRequest& request, const Json&) {
    if (request.method != "POST") return not_allowed();
    return test::whole_reply("no such session", "text/plain", 404);
  }));
  EXPECT_EQ(world.call().error().code(), ErrorCode::kConflict);
  EXPECT_FALSE(world.client.value()->alive());
}

void check_reply(const HttpReply& reply, ErrorCode code, std::string_view why) {
  HttpWorld world(modern([&](const SeenRequest& request, const Json& message) {
                    if (message["method"] != "tools/call") return answer_text(request, message);
                    return reply;
                  }),
                  {.server_name = "", .url = "", .headers = {}, .largest_message = 1000});
  const auto error = world.call().error();
  EXPECT_EQ(error.code(), code) << why;
  EXPECT_THAT(error.message(), HasSubstr(why));
}

TEST(HttpTransport, BadAnswersFailTheirOwnCall) {
  check_reply(test::whole_reply("<html>", "text/html", 200), ErrorCode::kCorruption,
              "does not answer");
  check_reply(test::whole_reply("", "application/json", 200), ErrorCode::kCorruption,
              "does not answer");
  check_reply(json_reply({{"jsonrpc", "2.0"}, {"id", 999}, {"result", Json::object()}}),
              ErrorCode::kCorruption, "does not answer");
  check_reply(test::whole_reply("busy", "text/plain", 503), ErrorCode::kUnavailable, "503: busy");
  check_reply(test::whole_reply("who?", "text/plain", 401), ErrorCode::kPermissionDenied, "401");
  check_reply(test::whole_reply(std::string(2000, 'x'), "application/json", 200),
              ErrorCode::kResourceExhausted, "more than 1000 bytes");
  check_reply(stream({test::Send{"data: " + std::string(2000, 'x') + "\n\n"}, test::Stall{}}),
              ErrorCode::kResourceExhausted, "more than 1000 bytes");
  check_reply({.content_length = 100, .steps = {test::Send{"{"}, test::Cut{}}},
              ErrorCode::kUnavailable, "reached");
}

TEST(HttpTransport, ARefusalMayBeAnHttpError) {
  HttpWorld world(modern([](const SeenRequest& request, const Json& message) {
    if (message["method"] != "tools/call") return answer_text(request, message);
    return json_reply(error_of(message, -32602), 400);
  }));
  EXPECT_THAT(world.call().error().message(), HasSubstr("refused tools/call: no (code -32602)"));
}

TEST(HttpTransport, AMissingServerIsUnavailable) {
  base::SystemClock clock;
  HttpServer nobody([](const SeenRequest&) { return HttpReply{}; }, {.refuse = true});
  io::HttpClient http{{}};
  const auto client =
      Client::connect(make_http_transport(http, {.server_name = "web", .url = nobody.url()}), clock,
                      {.server_name = "web"}, {}, base::Deadline::never());
  EXPECT_EQ(client.error().code(), ErrorCode::kUnavailable);
}

TEST(HttpTransport, ASubscriptionOfAModernServerIsAStream) {
  HttpWorld world([](const SeenRequest& request) -> HttpReply {
    const Json message = Json::parse(request.body);
    if (message["method"] == "server/discover") {
      return json_reply(
          result_of(message, {{"supportedVersions", {"2026-07-28"}},
                              {"capabilities", {{"tools", {{"listChanged", true}}}}}}));
    }
    if (message["method"] == "subscriptions/listen") {
      const Json changed = {{"jsonrpc", "2.0"}, {"method", "notifications/tools/list_changed"}};
      return stream({test::WaitFor{"change"}, test::Send{event(changed)}, test::WaitFor{"never"}});
    }
    return json_reply(result_of(message, {{"tools", Json::array()}}));
  });
  Client& client = *world.client.value();
  client.tools({}, base::Deadline::never()).value();
  client.tools({}, base::Deadline::never()).value();
  EXPECT_EQ(world.heard("tools/list").size(), 1U);
  EXPECT_TRUE(world.server.wait_for_waiting("change", 1));
  world.server.open_gate("change");
  EXPECT_TRUE(world.server.wait_for_waiting("never", 1));
  while (world.heard("tools/list").size() < 2) client.tools({}, base::Deadline::never()).value();
  EXPECT_EQ(world.heard("subscriptions/listen").size(), 1U);
}

}  // namespace
}  // namespace clever::mcp
