#include "confine/internal/tunnel.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/thread.h"
#include "confine/internal/channel.h"
#include "confine/internal/stop_event.h"

namespace clever::confine::internal {
namespace {

// A tunnel between two pairs of sockets, in a thread of its own; the test is client and server.
class TunnelTest : public ::testing::Test {
 protected:
  TunnelTest() {
    for (const auto* socket : {&client_.theirs, &server_.theirs}) make_nonblocking(*socket).value();
  }
  void start(std::string first = {}) {
    thread_.emplace("tunnel", [this, first = std::move(first)](const base::StopToken& stop) {
      const StopEvent stopped(StopEvent::create().value(), stop);
      pass_both_ways(client_.theirs, server_.theirs, first, stopped.descriptor(), clock_);
      for (const auto* socket : {&client_.theirs, &server_.theirs}) {
        ::shutdown(socket->number(), SHUT_RDWR);
      }
    });
  }
  static std::string read_all(const io::FileDescriptor& socket) {
    std::string text;
    char bytes[4096];
    for (ssize_t count = 0; (count = ::read(socket.number(), bytes, sizeof(bytes))) > 0;) {
      text.append(bytes, static_cast<std::size_t>(count));
    }
    return text;
  }

  base::SystemClock clock_;
  Sockets client_ = make_socket_pair().value();
  Sockets server_ = make_socket_pair().value();
  std::optional<base::Thread> thread_;
};

TEST_F(TunnelTest, PassesBothWays) {
  start("first ");
  send_all(client_.ours.number(), "question").value();
  ::shutdown(client_.ours.number(), SHUT_WR);
  EXPECT_EQ(read_all(server_.ours), "first question");
  send_all(server_.ours.number(), "answer").value();
  server_.ours.reset();
  EXPECT_EQ(read_all(client_.ours), "answer");
}

TEST_F(TunnelTest, PassesMoreThanFitsAtOnce) {
  start();
  const std::string much(3'000'000, 'm');
  base::Thread server("server", [&](const base::StopToken&) {
    send_all(server_.ours.number(), much).value();
    ::shutdown(server_.ours.number(), SHUT_WR);
  });
  EXPECT_EQ(read_all(client_.ours), much);
}

TEST_F(TunnelTest, BringsTheAnswerOfAServerThatListensNoLonger) {
  ::shutdown(server_.ours.number(), SHUT_RD);
  start(std::string(10, 'x'));
  send_all(server_.ours.number(), "too large").value();
  ::shutdown(server_.ours.number(), SHUT_WR);
  EXPECT_EQ(read_all(client_.ours), "too large");
}

TEST_F(TunnelTest, EndsWhenTheClientIsGone) {
  client_.ours.reset();
  start();
  EXPECT_EQ(read_all(server_.ours), "");
  send_all(server_.ours.number(), "nobody reads this").value();
  thread_->join();
}

TEST_F(TunnelTest, EndsOnAStop) {
  start();
  thread_->request_stop();
  thread_->join();
  EXPECT_EQ(read_all(client_.ours), "");
}

}  // namespace
}  // namespace clever::confine::internal
