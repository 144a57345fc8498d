#include "mcp/stdio_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/thread.h"
#include "mcp/client.h"
#include "mcp/testing/fake_process.h"
#include "mcp/testing/scripted_server.h"

namespace clever::mcp {
namespace {

using base::ErrorCode;
using internal::FakeProcess;
using internal::FakeProgram;
using internal::Json;
using testing::ElementsAre;
using testing::HasSubstr;

/// Keeps what it receives.
class Ears final : public TransportSink {
 public:
  struct Heard {
    std::vector<std::string> messages{};
    std::optional<base::Error> end{};
  };
  bool on_message(std::string_view text, std::optional<RequestNumber>) override {
    heard_.update([&](Heard& heard) { heard.messages.emplace_back(text); });
    return false;
  }
  void on_loss(RequestNumber, RequestLoss) override {}
  void on_pause(RequestNumber, std::chrono::milliseconds) override {}
  void on_close(base::Error why) override {
    heard_.update([&](Heard& heard) { heard.end = std::move(why); });
  }
  std::vector<std::string> wait_for(std::size_t count) {
    return heard_
        .update_when(
            {}, [&](const Heard& heard) { return heard.messages.size() >= count; },
            [](Heard& heard) { return heard.messages; })
        .value();
  }
  base::Error wait_for_end() {
    return *heard_
                .update_when(
                    {}, [](const Heard& heard) { return heard.end.has_value(); },
                    [](Heard& heard) { return heard.end; })
                .value();
  }

 private:
  base::Monitor<Heard> heard_;
};

struct StdioWorld {
  explicit StdioWorld(StdioOptions options = {.server_name = "fake"})
      : transport(
            make_stdio_transport(std::make_unique<FakeProcess>(program), clock, std::move(options))
                .value()) {
    transport->start(ears);
  }
  base::SystemClock clock;
  std::shared_ptr<FakeProgram> program = std::make_shared<FakeProgram>();
  Ears ears;
  std::unique_ptr<Transport> transport;
};

TEST(StdioTransport, LinesGoBothWays) {
  StdioWorld world;
  world.transport->send({.text = "one"}).value();
  world.transport->send({.text = "two"}).value();
  EXPECT_EQ(world.program->read_line(), "one");
  EXPECT_EQ(world.program->read_line(), "two");
  world.program->write("{\"a\":1}\r\n\n{\"b\"");
  world.program->write(":2}\n");
  EXPECT_THAT(world.ears.wait_for(2), ElementsAre(R"({"a":1})", R"({"b":2})"));
  world.program->exit(0);
}

TEST(StdioTransport, AServerThatDiesIsReportedWithItsLastWords) {
  StdioWorld world;
  world.program->complain("starting\nTypeError: cheese is not defined\n");
  world.program->exit(3);
  const base::Error error = world.ears.wait_for_end();
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
  EXPECT_EQ(error.message(),
            "the MCP server fake is gone: it closed its output (exit code 3); its last "
            "output:\nstarting\nTypeError: cheese is not defined");
  while (world.transport->send({.text = "x"}).ok()) std::this_thread::yield();
}

TEST(StdioTransport, AServerThatOnlyClosesItsOutputIsKilled) {
  StdioWorld world({.server_name = "fake", .grace = std::chrono::milliseconds{1}});
  world.program->close_output();
  EXPECT_THAT(world.ears.wait_for_end().message(), HasSubstr("exit code 137"));
  EXPECT_TRUE(world.program->was_killed());
}

TEST(StdioTransport, AMessageThatIsTooLongEndsIt) {
  StdioWorld world(
      {.server_name = "fake", .largest_message = 10, .grace = std::chrono::milliseconds{1}});
  world.program->write("0123456789abcdef");
  const base::Error error = world.ears.wait_for_end();
  EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
  EXPECT_THAT(error.message(), HasSubstr("more than 10 bytes"));
}

TEST(StdioTransport, AServerThatDoesNotReadDelaysNoCaller) {
  StdioWorld world(
      {.server_name = "fake", .outbox_limit = 300'000, .grace = std::chrono::milliseconds{1}});
  const std::string much(100'000, 'x');
  base::Result<void> sent;
  for (int n = 0; n < 10 && sent.ok(); ++n) sent = world.transport->send({.text = much});
  EXPECT_EQ(sent.error().code(), ErrorCode::kResourceExhausted);
  world.program->say_line("still heard");
  EXPECT_THAT(world.ears.wait_for(1), ElementsAre("still heard"));
}

TEST(StdioTransport, NeverSendsMessagesAbandonedBeforeTheRead) {
  StdioWorld world({.server_name = "fake", .grace = std::chrono::milliseconds{1}});
  world.transport->send({.text = std::string(1 << 20, 'x')}).value();
  world.transport->send({.text = "request", .number = 7}).value();
  EXPECT_TRUE(world.transport->abandon(7));
  world.transport->send({.text = "last"}).value();
  world.program->read_line();
  EXPECT_EQ(world.program->read_line(), "last");
  EXPECT_FALSE(world.transport->abandon(7));
}

TEST(StdioTransport, TheEndIsPolite) {
  StdioWorld world({.server_name = "fake", .grace = std::chrono::minutes{1}});
  base::Thread program("program", [&](const base::StopToken&) {
    while (world.program->read_line()) {
    }
    world.program->exit(0);
  });
  world.transport.reset();
  EXPECT_FALSE(world.program->was_killed());
}

TEST(StdioTransport, KillsAServerThatDoesNotEnd) {
  StdioWorld world({.server_name = "fake", .grace = std::chrono::milliseconds{1}});
  world.transport.reset();
  EXPECT_TRUE(world.program->was_killed());
}

TEST(StdioTransport, AnswersArriveThroughAClient) {
  base::SystemClock clock;
  const auto program = std::make_shared<FakeProgram>();
  auto transport =
      make_stdio_transport(std::make_unique<FakeProcess>(program), clock, {.server_name = "fake"})
          .value();
  base::Thread server("server", [&](const base::StopToken&) {
    while (const auto line = program->read_line()) {
      const Json request = Json::parse(*line);
      if (!request.contains("id")) continue;
      Json result = internal::text_result("hello");
      result["supportedVersions"] = {"2026-07-28"};
      program->say_line(internal::result_text(request["id"], result));
    }
    program->exit(0);
  });
  auto client = Client::connect(std::move(transport), clock, {.server_name = "fake"}, {},
                                base::Deadline::never())
                    .value();
  EXPECT_EQ(client->call("t", "{}", {})->text, "hello");
}

}  // namespace
}  // namespace clever::mcp
