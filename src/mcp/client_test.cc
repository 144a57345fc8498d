#include "mcp/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/atomic.h"
#include "base/thread.h"
#include "mcp/testing/scripted_server.h"

namespace clever::mcp {
namespace {

using base::ErrorCode;
using internal::Json;
using internal::legacy;
using internal::member;
using internal::modern;
using internal::ScriptedServer;
using internal::text_result;
using internal::tool_json;
using testing::ElementsAre;
using testing::HasSubstr;

const auto kSilent = [](ScriptedServer&, const Json&) {};

// A client of a scripted server; everything that can wait forever here would be a failing test.
struct ClientWorld {
  explicit ClientWorld(ScriptedServer::React react, bool over_http = false)
      : server(std::make_shared<ScriptedServer>(std::move(react), over_http)) {}

  base::Result<std::unique_ptr<Client>> connect(ClientOptions options = {}) {
    options.server_name = "fake";
    return Client::connect(server->transport(), clock, std::move(options), stop.token(),
                           base::Deadline::after(clock, std::chrono::seconds{30}));
  }
  void connected(ClientOptions options = {}) { client = connect(std::move(options)).value(); }

  base::Result<ToolResult> call(std::string_view tool = "t", std::string_view arguments = "{}") {
    return client->call(tool, arguments, {});
  }
  std::vector<std::string> tools() {
    std::vector<std::string> names;
    for (const ServerTool& tool : client->tools({}, base::Deadline::never()).value()) {
      names.push_back(tool.name);
    }
    return names;
  }

  base::SimulatedClock clock;
  base::StopSource stop;
  std::shared_ptr<ScriptedServer> server;
  std::unique_ptr<Client> client;
};

ScriptedServer::React answering_json(Json result) {
  return [result = std::move(result)](ScriptedServer& server, const Json& message) {
    if (message.contains("id")) server.answer(message, result);
  };
}

// ---- agreeing on a revision

TEST(ClientHandshake, AModernServerIsNotInitialized) {
  ClientWorld world(modern(kSilent));
  world.connected();
  EXPECT_EQ(world.client->facts().protocol, "2026-07-28");
  EXPECT_EQ(world.client->facts().name, "new");
  EXPECT_EQ(world.client->era(), Era::kModern);
  EXPECT_EQ(world.server->revision(), "2026-07-28");
  EXPECT_TRUE(world.server->heard("initialize").empty());
}

TEST(ClientHandshake, EveryModernRequestSpeaksForItself) {
  ClientWorld world(modern(answering_json(text_result("x"))));
  world.connected({.roots = {"/project"}});
  world.call().value();
  const Json meta = world.server->heard("tools/call")[0]["params"]["_meta"];
  EXPECT_EQ(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
  EXPECT_EQ(meta["io.modelcontextprotocol/clientInfo"]["name"], "cleveragents");
  EXPECT_EQ(meta["io.modelcontextprotocol/clientCapabilities"], Json({{"roots", Json::object()}}));
}

TEST(ClientHandshake, ARefusedProbeMeansInitialize) {
  ClientWorld world(legacy(kSilent));
  world.connected();
  EXPECT_EQ(world.client->facts().protocol, "2025-11-25");
  EXPECT_EQ(world.client->facts().instructions, "be kind");
  EXPECT_EQ(world.client->era(), Era::kLegacy);
  EXPECT_EQ(world.server->revision(), "2025-11-25");
  EXPECT_EQ(world.server->heard("notifications/initialized").size(), 1U);
}

TEST(ClientHandshake, AnOlderRevisionIsAccepted) {
  ClientWorld world(legacy(kSilent, "2025-06-18"));
  world.connected();
  EXPECT_EQ(world.client->facts().protocol, "2025-06-18");
}

TEST(ClientHandshake, ARevisionThatIsTooOldIsRefused) {
  ClientWorld world(legacy(kSilent, "2024-11-05"));
  const auto client = world.connect();
  EXPECT_EQ(client.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(client.error().sentence(), HasSubstr("it speaks revision 2024-11-05"));
  EXPECT_TRUE(world.server->heard("notifications/initialized").empty());
}

TEST(ClientHandshake, AKnownLegacyServerIsNotProbed) {
  ClientWorld world(legacy(kSilent));
  world.connected({.era = Era::kLegacy});
  EXPECT_TRUE(world.server->heard("server/discover").empty());
}

// Answers server/discover with this.
void check_discover(const Json& result, std::string_view asked_for) {
  ClientWorld world([&](ScriptedServer& server, const Json& message) {
    if (message["method"] == "server/discover") {
      server.answer(message, result);
    } else if (message["method"] == "initialize") {
      server.answer(message, {{"protocolVersion", message["params"]["protocolVersion"]}});
    }
  });
  world.connected();
  EXPECT_EQ(world.client->facts().protocol, asked_for);
}

TEST(ClientHandshake, ChoosesFromTheListOfAServer) {
  check_discover({{"supportedVersions", {"2025-06-18"}}}, "2025-06-18");
  check_discover({{"supportedVersions", {"2025-06-18", "2025-11-25"}}}, "2025-11-25");
  check_discover({{"supportedVersions", {"2026-07-28", "2025-11-25"}}}, "2026-07-28");
  check_discover(Json::object(), "2025-11-25");
}

TEST(ClientHandshake, ChoosesFromTheListOfARefusal) {
  ClientWorld world([](ScriptedServer& server, const Json& message) {
    if (message["method"] == "server/discover") {
      server.refuse(message, -32022, {{"supported", {"2030-01-01", "2025-06-18"}}});
    } else if (message["method"] == "initialize") {
      server.answer(message, {{"protocolVersion", message["params"]["protocolVersion"]}});
    }
  });
  world.connected();
  EXPECT_EQ(world.client->facts().protocol, "2025-06-18");
}

void check_no_agreement(const ScriptedServer::React& react, std::string_view why) {
  ClientWorld world(react);
  const auto client = world.connect();
  ASSERT_FALSE(client.ok());
  EXPECT_THAT(client.error().sentence(), HasSubstr(why));
}

TEST(ClientHandshake, WithoutACommonRevisionThereIsNone) {
  check_no_agreement(
      [](ScriptedServer& server, const Json& message) {
        server.refuse(message, -32022, {{"supported", {"2030-01-01"}}});
      },
      "2030-01-01");
  check_no_agreement(
      [](ScriptedServer& server, const Json& message) {
        server.answer(message, {{"supportedVersions", {"2030-01-01"}}});
      },
      "2030-01-01");
}

TEST(ClientHandshake, AModernRefusalIsNoReasonToInitialize) {
  for (const std::int64_t code : {-32020, -32021, -32022}) {
    check_no_agreement(
        [&](ScriptedServer& server, const Json& message) { server.refuse(message, code); },
        "it refused server/discover");
  }
}

TEST(ClientHandshake, AServerThatRefusesEverythingIsReported) {
  check_no_agreement([](ScriptedServer& server,
                        const Json& message) { server.refuse(message, internal::kMethodNotFound); },
                     "it refused initialize: no (code -32601)");
}

TEST(ClientHandshake, HttpErrorsOfOldServersMeanInitialize) {
  ClientWorld world(
      [](ScriptedServer& server, const Json& message) {
        if (message["method"] == "server/discover") {
          return server.lose(
              message,
              {.error = base::invalid_argument("400"), .status = 400, .body = "no session"});
        }
        legacy(kSilent)(server, message);
      },
      true);
  world.connected();
  EXPECT_EQ(world.client->era(), Era::kLegacy);
}

TEST(ClientHandshake, AModernRefusalMayComeAsHttpError) {
  ClientWorld world(
      [](ScriptedServer& server, const Json& message) {
        server.lose(message,
                    {.error = base::invalid_argument("400"),
                     .status = 400,
                     .body = R"({"jsonrpc":"2.0","error":{"code":-32022,"message":"no","data":)"
                             R"({"supported":["2030-01-01"]}}})"});
      },
      true);
  EXPECT_THAT(world.connect().error().sentence(), HasSubstr("2030-01-01"));
}

TEST(ClientHandshake, ReportsThatAccessIsDenied) {
  ClientWorld world(
      [](ScriptedServer& server, const Json& message) {
        server.lose(message, {.error = base::permission_denied("401"), .status = 401});
      },
      true);
  EXPECT_EQ(world.connect().error().code(), ErrorCode::kPermissionDenied);
}

// Connects on a thread, and moves the clock once it waits.
template <class F>
base::Result<std::unique_ptr<Client>> connect_late(ClientWorld& world, F&& then) {
  std::optional<base::Result<std::unique_ptr<Client>>> connected;
  {
    base::Thread thread("connect", [&](const base::StopToken&) { connected = world.connect(); });
    then();
    thread.join();
  }
  return std::move(*connected);
}

void advance_waiting(ClientWorld& world, std::chrono::seconds by) {
  // Until the caller waits for the clock.
  while (world.clock.waiters() == 0) std::this_thread::yield();
  world.clock.advance(by);
}

TEST(ClientHandshake, ASilentProgramIsInitialized) {
  ClientWorld world([](ScriptedServer& server, const Json& message) {
    if (message["method"] != "server/discover") legacy(kSilent)(server, message);
  });
  const auto client = connect_late(world, [&] { advance_waiting(world, std::chrono::seconds{6}); });
  EXPECT_EQ(client.value()->era(), Era::kLegacy);
}

TEST(ClientHandshake, ASlowModernServerIsRecognised) {
  std::optional<Json> probe;
  ClientWorld world([&](ScriptedServer& server, const Json& message) {
    if (message["method"] == "server/discover") {
      probe = message;
    } else if (message["method"] == "initialize") {
      modern(kSilent)(server, *probe);
      server.refuse(message, internal::kMethodNotFound);
    }
  });
  const auto client = connect_late(world, [&] { advance_waiting(world, std::chrono::seconds{6}); });
  EXPECT_EQ(client.value()->era(), Era::kModern);
}

TEST(ClientHandshake, AServerThatSaysNothingIsGivenUp) {
  ClientWorld world(kSilent);
  const auto client = connect_late(world, [&] {
    advance_waiting(world, std::chrono::seconds{6});
    world.server->wait_for("initialize", 1);
    advance_waiting(world, std::chrono::seconds{60});
  });
  EXPECT_EQ(client.error().code(), ErrorCode::kDeadlineExceeded);
}

TEST(ClientHandshake, AStopEndsIt) {
  ClientWorld world(kSilent);
  const auto client = connect_late(world, [&] {
    world.server->wait_for("server/discover", 1);
    world.stop.request_stop();
  });
  EXPECT_EQ(client.error().code(), ErrorCode::kCancelled);
}

TEST(ClientHandshake, AServerThatDiesIsReportedAtOnce) {
  check_no_agreement(
      [](ScriptedServer& server, const Json&) { server.die(base::unavailable("exit code 3")); },
      "connecting to the MCP server fake: exit code 3");
}

// ---- the list of tools

TEST(ClientTools, AllPagesAreRead) {
  ClientWorld world(legacy([](ScriptedServer& server, const Json& message) {
    const Json& cursor = member(message["params"], "cursor");
    if (cursor.is_null()) {
      server.answer(message, {{"tools", {tool_json("a")}}, {"nextCursor", ""}});
    } else if (cursor == "") {
      server.answer(message, {{"tools", {tool_json("b")}}, {"nextCursor", "2"}});
    } else {
      server.answer(message, {{"tools", {tool_json("c")}}});
    }
  }));
  world.connected();
  EXPECT_THAT(world.tools(), ElementsAre("a", "b", "c"));
}

TEST(ClientTools, EndlessPagesAreRefused) {
  ClientWorld world(legacy(answering_json({{"tools", Json::array()}, {"nextCursor", "again"}})));
  world.connected();
  EXPECT_EQ(world.client->tools({}, base::Deadline::never()).error().code(),
            ErrorCode::kResourceExhausted);
}

TEST(ClientTools, AreKeptUntilTheyChange) {
  ClientWorld world(legacy(answering_json({{"tools", {tool_json("a")}}})));
  world.connected();
  world.tools();
  world.tools();
  EXPECT_EQ(world.server->heard("tools/list").size(), 1U);
  world.server->notify("notifications/tools/list_changed");
  world.tools();
  EXPECT_EQ(world.server->heard("tools/list").size(), 2U);
}

TEST(ClientTools, AModernListIsFreshAsLongAsItSays) {
  ClientWorld world(modern(answering_json({{"tools", {tool_json("a")}}, {"ttlMs", 1000}})));
  world.connected();
  world.tools();
  world.tools();
  EXPECT_EQ(world.server->heard("tools/list").size(), 1U);
  world.clock.advance(std::chrono::milliseconds{1000});
  world.tools();
  EXPECT_EQ(world.server->heard("tools/list").size(), 2U);
}

TEST(ClientTools, WithoutATimeAModernListIsStaleAtOnce) {
  ClientWorld world(modern(answering_json({{"tools", {tool_json("a")}}})));
  world.connected();
  world.tools();
  world.tools();
  EXPECT_EQ(world.server->heard("tools/list").size(), 2U);
}

ScriptedServer::React listing(Json result) {
  return [result = std::move(result)](ScriptedServer& server, const Json& message) {
    if (message["method"] == "tools/list") server.answer(message, result);
  };
}

TEST(ClientTools, AModernServerIsSubscribedTo) {
  ClientWorld world(modern(listing({{"tools", {tool_json("a")}}}), true));
  world.connected();
  world.tools();
  world.tools();
  const auto subscriptions = world.server->heard("subscriptions/listen");
  ASSERT_EQ(subscriptions.size(), 1U);
  EXPECT_EQ(subscriptions[0]["params"]["notifications"], Json({{"toolsListChanged", true}}));
  EXPECT_EQ(world.server->heard("tools/list").size(), 1U);
  world.server->notify("notifications/tools/list_changed");
  world.tools();
  EXPECT_EQ(world.server->heard("tools/list").size(), 2U);
  EXPECT_EQ(world.server->heard("subscriptions/listen").size(), 1U);
}

TEST(ClientTools, AnEndedSubscriptionIsOpenedAgain) {
  ClientWorld world(modern(listing({{"tools", {tool_json("a")}}}), true));
  world.connected();
  world.tools();
  const Json first = world.server->heard("subscriptions/listen")[0];
  world.server->notify("notifications/cancelled", {{"requestId", first["id"]}});
  world.tools();
  ASSERT_EQ(world.server->heard("subscriptions/listen").size(), 2U);
  world.server->answer(world.server->heard("subscriptions/listen")[1],
                       {{"resultType", "complete"}});
  world.tools();
  EXPECT_EQ(world.server->heard("subscriptions/listen").size(), 3U);
}

TEST(ClientTools, ABrokenListIsAnError) {
  ClientWorld world(legacy(answering_json({{"tools", 7}})));
  world.connected();
  EXPECT_EQ(world.client->tools({}, base::Deadline::never()).error().code(),
            ErrorCode::kCorruption);
  ClientWorld refusing(
      legacy([](ScriptedServer& server, const Json& message) { server.refuse(message, -32603); }));
  refusing.connected();
  EXPECT_EQ(refusing.client->tools({}, base::Deadline::never()).error().code(),
            ErrorCode::kInternal);
}

TEST(ClientTools, AToolThatIsLeftOutIsRemarkedOn) {
  ClientWorld world(legacy(answering_json({{"tools", {tool_json("bad name"), tool_json("a")}}})));
  world.connected();
  EXPECT_THAT(world.tools(), ElementsAre("a"));
  EXPECT_THAT(world.client->remarks(), ElementsAre(HasSubstr("\"bad name\" is left out")));
}

// ---- calls

TEST(ClientCall, GivesWhatTheToolAnswered) {
  ClientWorld world(legacy(answering_json(text_result("hello"))));
  world.connected();
  EXPECT_EQ(world.call("greet", R"({"who":"me"})")->text, "hello");
  const Json params = world.server->heard("tools/call")[0]["params"];
  EXPECT_EQ(params, Json({{"name", "greet"}, {"arguments", {{"who", "me"}}}}));
}

TEST(ClientCall, BadArgumentsAreNotSent) {
  ClientWorld world(legacy(kSilent));
  world.connected();
  EXPECT_EQ(world.call("t", "[1]").error().code(), ErrorCode::kInvalidArgument);
  EXPECT_TRUE(world.server->heard("tools/call").empty());
}

TEST(ClientCall, ARefusalNamesTheToolAndTheServer) {
  ClientWorld world(
      legacy([](ScriptedServer& server, const Json& message) { server.refuse(message, -32602); }));
  world.connected();
  const auto error = world.call("nope").error();
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(error.sentence(),
            "calling the tool nope of the MCP server fake: it refused tools/call: no (code "
            "-32602)");
}

TEST(ClientCall, AResultThatIsNotAnObjectIsCorrupt) {
  ClientWorld world(
      legacy([](ScriptedServer& server, const Json& message) { server.answer(message, "text"); }));
  world.connected();
  EXPECT_EQ(world.call().error().code(), ErrorCode::kCorruption);
}

TEST(ClientCall, ReportsProgress) {
  ClientWorld world(legacy([](ScriptedServer& server, const Json& message) {
    const Json token = message["params"]["_meta"]["progressToken"];
    server.notify("notifications/progress",
                  {{"progressToken", token}, {"progress", 1}, {"total", 4}, {"message", "one"}});
    server.answer(message, text_result("done"));
  }));
  world.connected();
  std::vector<Progress> seen;
  const auto result = world.client->call(
      "t", "{}", {.on_progress = [&](const Progress& progress) { seen.push_back(progress); }});
  EXPECT_EQ(result->text, "done");
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].done, 1);
  EXPECT_EQ(seen[0].total, 4);
  EXPECT_EQ(seen[0].message, "one");
}

TEST(ClientCall, WithoutInterestNoProgressIsAskedFor) {
  ClientWorld world(legacy(answering_json(text_result(""))));
  world.connected();
  world.call().value();
  EXPECT_FALSE(world.server->heard("tools/call")[0]["params"].contains("_meta"));
}

TEST(ClientCall, AStopTellsTheServer) {
  ClientWorld world(legacy(kSilent));
  world.connected();
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(world.client->call("t", "{}", {.stop = stop.token()}).error().code(),
            ErrorCode::kCancelled);
  const Json call = world.server->heard("tools/call")[0];
  const auto cancelled = world.server->heard("notifications/cancelled");
  ASSERT_EQ(cancelled.size(), 1U);
  EXPECT_EQ(cancelled[0]["params"], Json({{"requestId", call["id"]}, {"reason", "stopped"}}));
}

TEST(ClientCall, TheDeadlineTellsTheServer) {
  ClientWorld world(legacy(kSilent));
  world.connected();
  const auto passed = base::Deadline::at(world.clock, world.clock.now());
  EXPECT_EQ(world.client->call("t", "{}", {.deadline = passed}).error().code(),
            ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(world.server->heard("notifications/cancelled")[0]["params"]["reason"],
            "the deadline passed");
}

TEST(ClientCall, SilenceEndsItAndTellsTheServer) {
  ClientWorld world(legacy(kSilent));
  world.connected();
  std::optional<base::Result<ToolResult>> result;
  base::Thread caller("caller", [&](const base::StopToken&) {
    result = world.client->call("t", "{}", {.patience = std::chrono::seconds{5}});
  });
  advance_waiting(world, std::chrono::seconds{5});
  caller.join();
  EXPECT_EQ(result->error().code(), ErrorCode::kDeadlineExceeded);
  EXPECT_THAT(result->error().sentence(), HasSubstr("neither an answer nor progress for 5 s"));
  EXPECT_EQ(world.server->heard("notifications/cancelled").size(), 1U);
}

TEST(ClientCall, ProgressExtendsIt) {
  ClientWorld world(legacy(kSilent));
  world.connected();
  std::optional<base::Result<ToolResult>> result;
  base::Atomic<int> seen{0};  // how much progress the caller has seen
  base::Thread caller("caller", [&](const base::StopToken&) {
    result = world.client->call("t", "{}",
                                {.patience = std::chrono::seconds{5},
                                 .on_progress = [&](const Progress&) { seen.fetch_add(1); }});
  });
  world.server->wait_for("tools/call", 1);
  const Json call = world.server->heard("tools/call")[0];
  for (int i = 1; i <= 3; ++i) {
    advance_waiting(world, std::chrono::seconds{4});
    world.server->notify(
        "notifications/progress",
        {{"progressToken", member(call["params"]["_meta"], "progressToken")}, {"progress", i}});
    while (seen.load() < i) std::this_thread::yield();
  }
  world.server->answer(call, text_result("at last"));
  caller.join();
  EXPECT_EQ(result->value().text, "at last");
}

TEST(ClientCall, WhereTheStreamSaysItNoMessageIsSent) {
  ClientWorld world(modern(listing({{"tools", Json::array()}})), true);
  world.connected();
  const auto passed = base::Deadline::at(world.clock, world.clock.now());
  world.tools();
  EXPECT_FALSE(world.client->call("t", "{}", {.deadline = passed}).ok());
  EXPECT_TRUE(world.server->heard("notifications/cancelled").empty());
}

TEST(ClientCall, ALateAnswerIsHarmless) {
  ClientWorld world(legacy(kSilent));
  world.connected();
  const auto passed = base::Deadline::at(world.clock, world.clock.now());
  EXPECT_FALSE(world.client->call("t", "{}", {.deadline = passed}).ok());
  world.server->answer(world.server->heard("tools/call")[0], text_result("late"));
  EXPECT_TRUE(world.client->alive());
  EXPECT_THAT(world.client->remarks(), ElementsAre(HasSubstr("no longer open")));
}

TEST(ClientCall, ADyingServerFailsTheCallWithItsLastWords) {
  ClientWorld world(legacy([](ScriptedServer& server, const Json&) {
    server.die(base::unavailable("exit code 1; its last output:\nout of cheese"));
  }));
  world.connected();
  EXPECT_THAT(world.call().error().message(), HasSubstr("out of cheese"));
  EXPECT_FALSE(world.client->alive());
  EXPECT_EQ(world.call().error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(world.client->remarks(), ElementsAre(HasSubstr("out of cheese")));
}

TEST(ClientCall, AServerThatDoesNotReadFailsTheCall) {
  ClientWorld world(legacy(kSilent));
  world.connected();
  world.server->stuff();
  EXPECT_EQ(world.call().error().code(), ErrorCode::kResourceExhausted);
}

TEST(ClientCall, AnUnknownResultTypeIsCorrupt) {
  Json result = text_result("x");
  result["resultType"] = "task";
  ClientWorld world(modern(answering_json(result)));
  world.connected();
  EXPECT_EQ(world.call().error().code(), ErrorCode::kCorruption);
}

// ---- rounds of input (2026-07-28)

Json wants(const Json& requests, const Json& state = {}) {
  Json result = {{"resultType", "input_required"}};
  if (!requests.is_null()) result["inputRequests"] = requests;
  if (!state.is_null()) result["requestState"] = state;
  return result;
}

TEST(ClientInput, RootsAreGivenAndTheStateIsRepeated) {
  ClientWorld world(modern([](ScriptedServer& server, const Json& message) {
    if (message["params"].contains("requestState")) {
      return server.answer(message, text_result("thanks"));
    }
    server.answer(message, wants({{"where", {{"method", "roots/list"}}}}, "opaque"));
  }));
  world.connected({.roots = {"/project dir"}});
  EXPECT_EQ(world.call()->text, "thanks");
  const auto calls = world.server->heard("tools/call");
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_NE(calls[0]["id"], calls[1]["id"]);
  EXPECT_EQ(calls[1]["params"]["requestState"], "opaque");
  EXPECT_EQ(calls[1]["params"]["inputResponses"]["where"]["roots"][0]["uri"],
            "file:///project%20dir");
}

TEST(ClientInput, AnUnsupportedRequestFailsTheCall) {
  ClientWorld world(modern(answering_json(wants({{"a", {{"method", "sampling/createMessage"}}}}))));
  world.connected();
  EXPECT_THAT(world.call().error().message(), HasSubstr("it asks for sampling/createMessage"));
  EXPECT_EQ(world.server->heard("tools/call").size(), 1U);
}

TEST(ClientInput, AskingForNothingIsCorrupt) {
  ClientWorld world(modern(answering_json(wants({}))));
  world.connected();
  EXPECT_EQ(world.call().error().code(), ErrorCode::kCorruption);
}

TEST(ClientInput, AskingWithoutEndIsEnded) {
  ClientWorld world(modern(answering_json(wants({}, "again"))));
  world.connected();
  EXPECT_EQ(world.call().error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(world.server->heard("tools/call").size(), 8U);
}

// ---- headers (2026-07-28 over HTTP)

Json regional() {
  Json tool = tool_json("t");
  tool["inputSchema"]["properties"]["region"] = {{"type", "string"}, {"x-mcp-header", "Region"}};
  return tool;
}

TEST(ClientHeaders, ArgumentsAreMirrored) {
  ClientWorld world(modern([](ScriptedServer& server, const Json& message) {
                      server.answer(message, message["method"] == "tools/list"
                                                 ? Json({{"tools", {regional()}}})
                                                 : text_result("ok"));
                    }),
                    true);
  world.connected();
  world.call("t", R"({"region":"eu"})").value();
  const Outgoing call = world.server->sent().back();
  EXPECT_EQ(call.name, "t");
  EXPECT_THAT(call.parameters, ElementsAre(io::HttpHeader{"Mcp-Param-Region", "eu"}));
}

TEST(ClientHeaders, AMismatchIsMendedOnce) {
  ClientWorld world(modern([](ScriptedServer& server, const Json& message) {
                      if (message["method"] == "tools/list") {
                        return server.answer(message, {{"tools", {regional()}}});
                      }
                      server.refuse(message, internal::kHeaderMismatch);
                    }),
                    true);
  world.connected();
  EXPECT_THAT(world.call("t", R"({"region":"eu"})").error().message(), HasSubstr("-32020"));
  EXPECT_EQ(world.server->heard("tools/list").size(), 2U);
  EXPECT_EQ(world.server->heard("tools/call").size(), 2U);
}

// ---- what servers ask and say

void check_request(std::string_view method, const Json& expected, ClientOptions options = {}) {
  ClientWorld world(legacy(kSilent));
  world.connected(std::move(options));
  world.server->say({{"jsonrpc", "2.0"}, {"id", "s-1"}, {"method", method}});
  const Json answer = Json::parse(world.server->sent().back().text);
  EXPECT_EQ(answer["id"], "s-1");
  for (const auto& [key, value] : expected.items()) EXPECT_EQ(answer[key], value) << answer;
}

TEST(ClientAnswers, ServersThatAsk) {
  check_request("ping", {{"result", Json::object()}});
  check_request("roots/list", {{"result", {{"roots", Json::array()}}}});
  check_request("roots/list", {{"result", {{"roots", {{{"uri", "file:///a/b"}, {"name", "b"}}}}}}},
                {.roots = {"/a/b"}});
  for (const std::string method : {"sampling/createMessage", "elicitation/create", "x"}) {
    check_request(
        method,
        {{"error", {{"code", -32601}, {"message", "this client does not offer " + method}}}});
  }
}

TEST(ClientAnswers, AModernServerGetsNoAnswer) {
  ClientWorld world(modern(kSilent));
  world.connected();
  const std::size_t before = world.server->sent().size();
  world.server->say({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}});
  EXPECT_EQ(world.server->sent().size(), before);
}

TEST(ClientAnswers, PingIsAskedInBothEras) {
  ClientWorld old(legacy(answering_json(Json::object())));
  old.connected();
  EXPECT_TRUE(old.client->ping({}, base::Deadline::never()).ok());
  EXPECT_EQ(old.server->heard("ping").size(), 1U);
  ClientWorld fresh(modern(kSilent));
  fresh.connected();
  EXPECT_TRUE(fresh.client->ping({}, base::Deadline::never()).ok());
  EXPECT_EQ(fresh.server->heard("server/discover").size(), 2U);
  ClientWorld bad(
      legacy([](ScriptedServer& server, const Json& message) { server.refuse(message, -32603); }));
  bad.connected();
  EXPECT_FALSE(bad.client->ping({}, base::Deadline::never()).ok());
}

TEST(ClientAnswers, TheLogIsKeptAndBounded) {
  ClientWorld world(legacy(kSilent));
  world.connected();
  for (int n = 0; n < 500; ++n) {
    world.server->notify("notifications/message",
                         {{"level", "info"}, {"logger", "db"}, {"data", {{"n", n}}}});
  }
  const auto remarks = world.client->remarks();
  EXPECT_EQ(remarks.size(), 100U);
  EXPECT_EQ(remarks.back(), "info db: {\"n\":499}");
}

TEST(ClientAnswers, NotificationsOfUnknownKindsAreIgnored) {
  ClientWorld world(legacy(kSilent));
  world.connected();
  world.server->notify("notifications/whatever");
  world.server->notify("notifications/cancelled", {{"requestId", 1}});
  world.server->notify("notifications/message");
  EXPECT_TRUE(world.client->alive());
}

// ---- servers that break the protocol

TEST(ClientOddities, AnswersToOthersDoNotMix) {
  ClientWorld world(legacy([](ScriptedServer& server, const Json& message) {
    const RequestNumber id = message["id"].get<RequestNumber>();
    server.say({{"jsonrpc", "2.0"}, {"id", id + 1}, {"result", text_result("of another")}});
    server.say({{"jsonrpc", "2.0"}, {"id", std::to_string(id)}, {"result", text_result("a text")}});
    server.say_text(
        Json({{"jsonrpc", "2.0"}, {"id", id}, {"result", text_result("astray")}}).dump(), id + 5);
    server.answer(message, text_result("mine"));
    server.answer(message, text_result("again"));
  }));
  world.connected();
  EXPECT_EQ(world.call()->text, "mine");
  EXPECT_EQ(world.call()->text, "mine");
  EXPECT_EQ(world.client->remarks().size(), 8U);
}

TEST(ClientOddities, AnErrorWithoutIdBelongsToItsStream) {
  ClientWorld world(legacy([](ScriptedServer& server, const Json& message) {
                      server.say_text(R"({"jsonrpc":"2.0","error":{"code":-32603,"message":"oh"}})",
                                      message["id"].get<RequestNumber>());
                    }),
                    true);
  world.connected();
  EXPECT_THAT(world.call().error().message(), HasSubstr("oh"));
}

TEST(ClientOddities, GarbageIsSurvivedForAWhile) {
  ClientWorld world(legacy([](ScriptedServer& server, const Json& message) {
    server.say_text("Server listening on stdin");
    server.say_text("[]");
    server.notify("notifications/progress", {{"progressToken", "x"}, {"progress", "y"}});
    server.answer(message, text_result("fine"));
  }));
  world.connected();
  EXPECT_EQ(world.call()->text, "fine");
  EXPECT_THAT(world.client->remarks()[0], HasSubstr("Server listening on stdin"));
}

TEST(ClientOddities, AFloodOfGarbageEndsTheConnection) {
  ClientWorld world(legacy([](ScriptedServer& server, const Json&) {
    for (int n = 0; n < 1001; ++n) server.say_text("garbage");
  }));
  world.connected();
  EXPECT_EQ(world.call().error().code(), ErrorCode::kCorruption);
  EXPECT_FALSE(world.client->alive());
}

TEST(ClientOddities, AFloodOfNotificationsDelaysNoCall) {
  ClientWorld world(legacy([](ScriptedServer& server, const Json& message) {
    const Json token = message["id"];
    for (int n = 0; n < 20'000; ++n) {
      server.notify("notifications/progress", {{"progressToken", token}, {"progress", n}});
    }
    server.answer(message, text_result("still here"));
  }));
  world.connected();
  EXPECT_EQ(world.call()->text, "still here");
}

// ---- streams that break off

TEST(ClientPauses, AStreamIsTakenUpAfterThePause) {
  ClientWorld world(legacy([](ScriptedServer& server, const Json& message) {
                      server.pause(message, std::chrono::milliseconds{500});
                    }),
                    true);
  world.connected();
  std::optional<base::Result<ToolResult>> result;
  base::Thread caller("caller", [&](const base::StopToken&) { result = world.call(); });
  advance_waiting(world, std::chrono::seconds{1});
  const Json call = world.server->heard("tools/call")[0];
  while (world.server->resumed().empty()) std::this_thread::yield();
  EXPECT_EQ(world.server->resumed()[0], call["id"].get<RequestNumber>());
  world.server->answer(call, text_result("at last"));
  caller.join();
  EXPECT_EQ(result->value().text, "at last");
}

TEST(ClientPauses, ACallMayBeStoppedInAPause) {
  ClientWorld world(legacy([](ScriptedServer& server, const Json& message) {
                      if (message.contains("id"))
                        server.pause(message, std::chrono::milliseconds{500});
                    }),
                    true);
  world.connected();
  const auto passed = base::Deadline::at(world.clock, world.clock.now());
  EXPECT_EQ(world.client->call("t", "{}", {.deadline = passed}).error().code(),
            ErrorCode::kDeadlineExceeded);
  EXPECT_TRUE(world.server->resumed().empty());
}

}  // namespace
}  // namespace clever::mcp
