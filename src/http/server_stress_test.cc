#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "base/monitor.h"
#include "http/server.h"
#include "support/raw_client.h"
#include "support/together.h"

namespace clever::http {
namespace {

using test::RawClient;

// How many streams were begun, and how many ends were reported.
struct StreamCount {
  std::size_t begun = 0;
  std::size_t ended = 0;
};

class ServerStress : public ::testing::Test {
 protected:
  Handler handler() {
    return [this](std::shared_ptr<const Request> request, Responder responder) {
      if (request->path[0] == "drop") return;
      if (request->path[0] == "events") return stream(std::move(responder));
      responder.answer({.body = "answer to " + request->target});
    };
  }
  void stream(Responder responder) {
    counts_.update([](StreamCount& c) { ++c.begun; });
    Stream stream = responder.stream(
        {}, [this](StreamEnd) { counts_.update([](StreamCount& c) { ++c.ended; }); });
    for (int i = 0; i < 20; ++i) stream.send("piece\n");
    if (counts_.read([](const StreamCount& c) { return c.begun % 2 == 0; })) return;
    // The other half lives on until its client goes.
    kept_.with([&](auto& kept) { kept.push_back(std::move(stream)); });
  }
  std::unique_ptr<Server> open() {
    return Server::open({.listen = {{.host = "127.0.0.1"}}}, handler(), pool_, clock_).value();
  }

  base::Monitor<StreamCount> counts_;
  base::Guarded<std::vector<Stream>> kept_;
  base::SystemClock clock_;
  base::ThreadPool pool_{{.name = "handlers", .threads = 4}};
};

void act_as_client(int port, int kind) {
  RawClient client(port);
  switch (kind) {
    case 0:
      for (int i = 0; i < 5; ++i) {
        client.ask("/a");
        EXPECT_NE(client.read_until("answer to /a"), "");
      }
      break;
    case 1:
      client.ask("/events");
      client.read_until("piece\n");
      break;
    case 2:
      client.ask("/a");
      client.reset();
      break;
    case 3:
      client.ask("/drop");
      EXPECT_TRUE(client.read_until("}\n").starts_with("HTTP/1.1 500"));
      break;
    default:
      client.send(
          "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n");
      EXPECT_TRUE(client.read_all().contains("HTTP/1.1 400"));
  }
}

TEST_F(ServerStress, ManyClientsOfEveryKind) {
  {
    const auto server = open();
    const int port = server->addresses()[0].port;
    test::together(8, [&](int worker) {
      for (int i = 0; i < 40; ++i) act_as_client(port, (worker + i) % 5);
    });
  }
  const auto [begun, ended] = counts_.read([](const StreamCount& c) { return c; });
  EXPECT_EQ(begun, ended);
  EXPECT_GT(begun, 0U);
}

TEST_F(ServerStress, DrainedWhileClientsAsk) {
  for (int round = 0; round < 20; ++round) {
    const auto server = open();
    const int port = server->addresses()[0].port;
    std::vector<std::unique_ptr<RawClient>> clients(6);
    for (auto& client : clients) client = std::make_unique<RawClient>(port);
    test::together(4, [&](int worker) {
      if (worker == 3) {
        EXPECT_TRUE(server->drain({}, base::Deadline::never()).ok());
        return;
      }
      for (std::size_t i = static_cast<std::size_t>(worker); i < clients.size(); i += 3) {
        clients[i]->try_send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
        const std::string answer = clients[i]->read_all();
        // Either it was idle when the server began to drain, or it has its whole answer.
        EXPECT_TRUE(answer.empty() || answer.ends_with("answer to /a")) << answer;
      }
    });
    EXPECT_EQ(server->counts().connections, 0U);
  }
}

TEST_F(ServerStress, StoppedWithEverythingInFlight) {
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<RawClient>> clients(30);
    auto server = open();
    const int port = server->addresses()[0].port;
    for (auto& client : clients) client = std::make_unique<RawClient>(port);
    test::together(4, [&](int worker) {
      if (worker == 3) return server.reset();
      for (std::size_t i = static_cast<std::size_t>(worker); i < clients.size(); i += 3) {
        clients[i]->try_send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
      }
    });
    // Closed without the lock.
    kept_.with([](auto& kept) { return std::exchange(kept, {}); }).clear();
  }
  const auto [begun, ended] = counts_.read([](const StreamCount& c) { return c; });
  EXPECT_EQ(begun, ended);
}

}  // namespace
}  // namespace clever::http
