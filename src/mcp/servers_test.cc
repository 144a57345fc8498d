#include "mcp/servers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/thread.h"
#include "mcp/testing/scripted_server.h"

namespace clever::mcp {
namespace {

using base::ErrorCode;
using internal::Json;
using internal::legacy;
using internal::modern;
using internal::ScriptedServer;
using internal::text_result;
using internal::tool_json;
using testing::ElementsAre;
using testing::HasSubstr;

/// No process and no network: each start makes a scripted server, or fails.
struct ServersWorld {
  using Start =
      std::function<base::Result<std::unique_ptr<Transport>>(const ServerOptions&, int start)>;

  explicit ServersWorld(Start start_server, std::vector<ServerOptions> options = {server("one")})
      : start(std::move(start_server)) {
    servers = Servers::create(
                  {.clock = clock,
                   .random = random,
                   .open = [this](const ServerOptions& wanted) { return start(wanted, ++starts); }},
                  std::move(options))
                  .value();
  }
  static ServerOptions server(std::string name) {
    return {.name = std::move(name), .command = confine::Command{.argv = {"server"}}};
  }
  base::Result<ToolResult> call(std::string_view server = "one") {
    return servers->call(server, "t", "{}", {});
  }

  base::SimulatedClock clock;
  base::SeededRandom random{1};
  int starts = 0;
  Start start;
  std::unique_ptr<Servers> servers;
};

base::Result<std::unique_ptr<Transport>> scripted(ScriptedServer::React react) {
  return std::make_shared<ScriptedServer>(std::move(react))->transport();
}

ScriptedServer::React answering_text(std::string_view text) {
  return [result = text_result(text)](ScriptedServer& server, const Json& message) {
    if (message.contains("id")) server.answer(message, result);
  };
}

TEST(Servers, OptionsMustMakeSense) {
  base::SimulatedClock clock;
  base::SeededRandom random(1);
  const auto check = [&](std::vector<ServerOptions> options, std::string_view why) {
    const auto servers =
        Servers::create({.clock = clock, .random = random, .open = {}}, std::move(options));
    ASSERT_FALSE(servers.ok());
    EXPECT_THAT(servers.error().message(), HasSubstr(why));
  };
  check({{.name = ""}}, "needs a name");
  check({{.name = "a"}}, "either a command or a url");
  check({{.name = "a", .command = confine::Command{}, .url = "http://x"}}, "either a command");
  check({{.name = "a", .url = "http://x", .calls_at_once = 0}}, "one call at a time");
  check({ServersWorld::server("a"), ServersWorld::server("a")}, "two MCP servers have the name a");
}

TEST(Servers, AnUnknownOneIsNotFound) {
  ServersWorld world([](const ServerOptions&, int) { return scripted(answering_text("x")); },
                     {ServersWorld::server("b"), ServersWorld::server("a")});
  EXPECT_THAT(world.servers->names(), ElementsAre("a", "b"));
  EXPECT_EQ(world.call("c").error().message(), "there is no MCP server c; there are: a, b");
  EXPECT_EQ(world.servers->tools("c", {}, base::Deadline::never()).error().code(),
            ErrorCode::kNotFound);
}

TEST(Servers, AreStartedWhenNeededAndOnce) {
  ServersWorld world(
      [](const ServerOptions&, int) { return scripted(legacy(answering_text("hello"))); });
  EXPECT_EQ(world.starts, 0);
  EXPECT_EQ(world.servers->health()[0].state, ServerState::kIdle);
  EXPECT_EQ(world.call()->text, "hello");
  EXPECT_EQ(world.call()->text, "hello");
  EXPECT_EQ(world.starts, 1);
  const ServerHealth health = world.servers->health()[0];
  EXPECT_EQ(health.state, ServerState::kReady);
  EXPECT_EQ(health.starts, 1U);
  EXPECT_EQ(health.open_calls, 0U);
  EXPECT_EQ(health.facts.protocol, "2025-11-25");
}

TEST(Servers, ToolsComeFromTheServer) {
  ServersWorld world([](const ServerOptions&, int) {
    return scripted(legacy([](ScriptedServer& server, const Json& message) {
      server.answer(message, {{"tools", {tool_json("a")}}});
    }));
  });
  EXPECT_EQ(world.servers->tools("one", {}, base::Deadline::never()).value()[0].name, "a");
}

TEST(Servers, ADeadOneIsStartedForTheNextCall) {
  ServersWorld world([](const ServerOptions&, int start) {
    return scripted(legacy([start](ScriptedServer& server, const Json& message) {
      if (start == 1) return server.die(base::unavailable("it crashed: out of cheese"));
      server.answer(message, text_result("back"));
    }));
  });
  EXPECT_THAT(world.call().error().sentence(), HasSubstr("out of cheese"));
  EXPECT_THAT(world.servers->health()[0].last_error, HasSubstr("out of cheese"));
  EXPECT_EQ(world.servers->health()[0].state, ServerState::kIdle);
  EXPECT_EQ(world.call()->text, "back");
  EXPECT_EQ(world.servers->health()[0].starts, 2U);
}

TEST(Servers, OneThatDiedIdleIsStartedAgain) {
  std::shared_ptr<ScriptedServer> current;
  ServersWorld world([&](const ServerOptions&, int) {
    current = std::make_shared<ScriptedServer>(legacy(answering_text("x")));
    return current->transport();
  });
  world.call().value();
  current->die(base::unavailable("gone"));
  EXPECT_TRUE(world.call().ok());
  EXPECT_EQ(world.starts, 2);
}

TEST(Servers, OneThatFailsAgainAndAgainGetsAPause) {
  ServersWorld world([](const ServerOptions&, int) -> base::Result<std::unique_ptr<Transport>> {
    return base::not_found("no such program");
  });
  for (int n = 0; n < 3; ++n) {
    EXPECT_EQ(world.call().error().sentence(), "starting the MCP server one: no such program");
  }
  const auto error = world.call().error();
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
  EXPECT_THAT(error.message(), HasSubstr("not started again yet"));
  EXPECT_THAT(error.message(), HasSubstr("no such program"));
  EXPECT_EQ(world.starts, 3);
  EXPECT_EQ(world.servers->health()[0].circuit, base::CircuitState::kOpen);
  world.clock.advance(std::chrono::seconds{10});
  EXPECT_EQ(world.call().error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(world.starts, 4);
}

TEST(Servers, ACrashAtEachCallIsPausedToo) {
  ServersWorld world([](const ServerOptions&, int) {
    return scripted(legacy(
        [](ScriptedServer& server, const Json&) { server.die(base::unavailable("crash")); }));
  });
  for (int n = 0; n < 3; ++n) EXPECT_THAT(world.call().error().message(), HasSubstr("crash"));
  EXPECT_THAT(world.call().error().message(), HasSubstr("not started again yet"));
  EXPECT_EQ(world.starts, 3);
}

TEST(Servers, AServerThatAnswersIsForgivenItsCrashes) {
  ServersWorld world([](const ServerOptions&, int) {
    auto calls = std::make_shared<int>(0);
    return scripted(legacy([calls](ScriptedServer& server, const Json& message) {
      if (++*calls == 1) return server.answer(message, text_result("ok"));
      server.die(base::unavailable("crash"));
    }));
  });
  for (int n = 0; n < 10; ++n) {
    EXPECT_TRUE(world.call().ok());
    EXPECT_FALSE(world.call().ok());
  }
  EXPECT_EQ(world.starts, 10);
}

TEST(Servers, AnOldProgramThatEndsAtTheFirstQuestionIsStartedWithoutIt) {
  ServersWorld world([](const ServerOptions&, int) {
    return scripted([](ScriptedServer& server, const Json& message) {
      if (message["method"] == "server/discover") return server.die(base::unavailable("exit"));
      legacy(answering_text("old but fine"))(server, message);
    });
  });
  EXPECT_EQ(world.call()->text, "old but fine");
  EXPECT_EQ(world.starts, 2);
}

TEST(Servers, RemembersTheProtocolOfAServer) {
  std::vector<std::shared_ptr<ScriptedServer>> made;
  ServersWorld world([&](const ServerOptions&, int) {
    made.push_back(std::make_shared<ScriptedServer>(legacy(answering_text("x"))));
    return made.back()->transport();
  });
  world.call().value();
  made[0]->die(base::unavailable("gone"));
  world.call().value();
  EXPECT_EQ(made[0]->heard("server/discover").size(), 1U);
  EXPECT_EQ(made[1]->heard("server/discover").size(), 0U);
}

TEST(Servers, AnEndedSessionIsRenewedOnce) {
  ServersWorld world([](const ServerOptions&, int start) {
    return scripted(legacy([start](ScriptedServer& server, const Json& message) {
      if (start > 1) return server.answer(message, text_result("new session"));
      server.lose(message, {.error = base::conflict("the session is over"), .status = 404});
      server.die(base::unavailable("the session is over"));
    }));
  });
  EXPECT_EQ(world.call()->text, "new session");
  EXPECT_EQ(world.starts, 2);
}

TEST(Servers, ASessionThatEndsAgainIsAnError) {
  ServersWorld world([](const ServerOptions&, int) {
    return scripted(legacy([](ScriptedServer& server, const Json& message) {
      server.lose(message, {.error = base::conflict("over"), .status = 404});
      server.die(base::unavailable("over"));
    }));
  });
  EXPECT_EQ(world.call().error().code(), ErrorCode::kConflict);
  EXPECT_EQ(world.starts, 2);
}

TEST(Servers, AHangingOneHoldsNoOtherUp) {
  ServersWorld world(
      [](const ServerOptions& options, int) {
        return scripted(options.name == "hangs" ? legacy([](ScriptedServer&, const Json&) {})
                                                : legacy(answering_text("prompt")));
      },
      {ServersWorld::server("hangs"), ServersWorld::server("works")});
  base::StopSource stop;
  base::Thread hanging("hanging", [&](const base::StopToken&) {
    EXPECT_EQ(world.servers->call("hangs", "t", "{}", {.stop = stop.token()}).error().code(),
              ErrorCode::kCancelled);
  });
  while (world.servers->health()[0].open_calls == 0) std::this_thread::yield();
  EXPECT_EQ(world.call("works")->text, "prompt");
  stop.request_stop();
}

TEST(Servers, CallsBeyondTheLimitWaitForTheirTurn) {
  std::shared_ptr<ScriptedServer> made;
  ServerOptions narrow = ServersWorld::server("one");
  narrow.calls_at_once = 1;
  ServersWorld world(
      [&](const ServerOptions&, int) {
        made = std::make_shared<ScriptedServer>(legacy([](ScriptedServer&, const Json&) {}));
        return made->transport();
      },
      {narrow});
  base::Thread first("first",
                     [&](const base::StopToken&) { EXPECT_EQ(world.call()->text, "one"); });
  while (world.servers->health()[0].open_calls == 0) std::this_thread::yield();
  const auto now = base::Deadline::at(world.clock, world.clock.now());
  EXPECT_EQ(world.servers->call("one", "t", "{}", {.deadline = now}).error().code(),
            ErrorCode::kDeadlineExceeded);
  made->wait_for("tools/call", 1);
  made->answer(made->heard("tools/call")[0], text_result("one"));
}

TEST(Servers, WaitersGetTheErrorOfAFailedStart) {
  std::shared_ptr<ScriptedServer> made;
  ServersWorld world([&](const ServerOptions&, int) -> base::Result<std::unique_ptr<Transport>> {
    made = std::make_shared<ScriptedServer>([](ScriptedServer&, const Json&) {});
    return made->transport();
  });
  const auto call = [&](const base::StopToken&) {
    const auto limit = base::Deadline::after(world.clock, std::chrono::hours{1});
    const auto result = world.servers->call("one", "t", "{}", {.deadline = limit});
    EXPECT_THAT(result.error().sentence(), HasSubstr("refused"));
  };
  base::Thread first("first", call);
  while (world.servers->health()[0].state != ServerState::kStarting) std::this_thread::yield();
  base::Thread second("second", call);
  while (world.clock.waiters() < 2) std::this_thread::yield();
  made->refuse(made->heard("server/discover")[0], -32021);
  first.join();
  second.join();
  EXPECT_EQ(world.starts, 1);
}

TEST(Servers, AStartThatItsCallerGivesUpIsTakenOverByAnother) {
  std::vector<std::shared_ptr<ScriptedServer>> made;
  ServersWorld world([&](const ServerOptions&, int start) {
    made.push_back(std::make_shared<ScriptedServer>(
        start == 1 ? ScriptedServer::React([](ScriptedServer&, const Json&) {})
                   : modern(answering_text("taken over"))));
    return made.back()->transport();
  });
  base::StopSource stop;
  base::Thread first("first", [&](const base::StopToken&) {
    EXPECT_EQ(world.servers->call("one", "t", "{}", {.stop = stop.token()}).error().code(),
              ErrorCode::kCancelled);
  });
  while (world.servers->health()[0].state != ServerState::kStarting) std::this_thread::yield();
  base::Thread second("second",
                      [&](const base::StopToken&) { EXPECT_EQ(world.call()->text, "taken over"); });
  stop.request_stop();
  first.join();
  second.join();
  EXPECT_EQ(world.servers->health()[0].circuit, base::CircuitState::kClosed);
  EXPECT_EQ(world.servers->health()[0].last_error, "");
}

TEST(Servers, StatesHaveNames) {
  EXPECT_EQ(to_string(ServerState::kIdle), "idle");
  EXPECT_EQ(to_string(ServerState::kStarting), "starting");
  EXPECT_EQ(to_string(ServerState::kReady), "ready");
}

}  // namespace
}  // namespace clever::mcp
