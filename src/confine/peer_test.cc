// Who is at the other end of a connection to a server of this machine.
#include "confine/peer.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "base/thread.h"
#include "io/file_descriptor.h"
#include "support/confine_launcher.h"

namespace clever::confine {
namespace {

using io::FileDescriptor;

sockaddr* any(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

TcpConnection ends_of(int socket) {
  sockaddr_in peer{};
  sockaddr_in own{};
  socklen_t size = sizeof peer;
  EXPECT_EQ(::getpeername(socket, any(peer), &size), 0);
  size = sizeof own;
  EXPECT_EQ(::getsockname(socket, any(own), &size), 0);
  return {.peer_address = ::inet_ntoa(peer.sin_addr),
          .peer_port = ntohs(peer.sin_port),
          .own_address = "127.0.0.1",
          .own_port = ntohs(own.sin_port)};
}

// Listens on a port of 127.0.0.1.
class Peer : public ::testing::Test {
 protected:
  Peer() {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(listener_.number(), any(address_), sizeof address_), 0);
    EXPECT_EQ(::listen(listener_.number(), 8), 0);
    socklen_t size = sizeof address_;
    EXPECT_EQ(::getsockname(listener_.number(), any(address_), &size), 0);
  }
  FileDescriptor accept() { return FileDescriptor(::accept(listener_.number(), nullptr, nullptr)); }
  FileDescriptor connect() {
    FileDescriptor client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::connect(client.number(), any(address_), sizeof address_), 0);
    return client;
  }
  // What a command does with the port in $PORT, and what the server's end sees of it.
  bool command_may_be_confined(const std::string& script) {
    Command command = test::confined_shell("exec bash -c '" + script + "'");
    command.network = Network::kOn;
    command.environment.push_back("PORT=" + std::to_string(ntohs(address_.sin_port)));
    bool confined = false;
    base::Thread server("server", [&](const base::StopToken&) {
      const FileDescriptor accepted = accept();
      // Until the command has done what it does.
      char byte = 0;
      EXPECT_EQ(::recv(accepted.number(), &byte, 1, 0), 1);
      confined = may_be_confined(ends_of(accepted.number()));
      ::send(accepted.number(), "x\n", 2, MSG_NOSIGNAL);
    });
    EXPECT_TRUE(test::run_confined(command).ok());
    server.join();
    return confined;
  }

  FileDescriptor listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in address_{};
};

TEST_F(Peer, AProcessOutsideIsNotConfined) {
  const FileDescriptor client = connect();
  const FileDescriptor accepted = accept();
  EXPECT_FALSE(may_be_confined(ends_of(accepted.number())));
  EXPECT_FALSE(may_be_confined(::getpid()));
}

TEST_F(Peer, AClosedEndMayHaveBeenAnyones) {
  FileDescriptor client = connect();
  const FileDescriptor accepted = accept();
  const TcpConnection ends = ends_of(accepted.number());
  client = FileDescriptor();
  EXPECT_TRUE(may_be_confined(ends));
}

TEST_F(Peer, AnEndThatWasResetMayHaveBeenAnyones) {
  FileDescriptor client = connect();
  const FileDescriptor accepted = accept();
  const TcpConnection ends = ends_of(accepted.number());
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(client.number(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  client = FileDescriptor();
  EXPECT_TRUE(may_be_confined(ends));
}

TEST(PeerElsewhere, AnotherMachineIsNotConfinedHere) {
  EXPECT_FALSE(may_be_confined({.peer_address = "192.0.2.1",
                                .peer_port = 40'000,
                                .own_address = "192.0.2.2",
                                .own_port = 7777}));
}

TEST_F(Peer, ACommandWithTheNetworkIsConfined) {
  EXPECT_TRUE(
      command_may_be_confined("exec 5<>/dev/tcp/127.0.0.1/$PORT; echo a >&5; read -r x <&5"));
}

TEST_F(Peer, SoIsOneThatItLeftBehind) {
  EXPECT_TRUE(command_may_be_confined(
      "mkfifo /tmp/over; (setsid bash -c \"exec 5<>/dev/tcp/127.0.0.1/$PORT; echo a >&5; "
      "read -r x <&5; echo >/tmp/over\" & ); read -r x </tmp/over"));
}

TEST_F(Peer, ACommandBesideMakesNoOneElseConfined) {
  // The command is there until its input ends.
  auto started = ConfinedProcess::start(test::confine_launcher(), test::confined_shell("cat"));
  ASSERT_TRUE(started.ok());
  const FileDescriptor client = connect();
  const FileDescriptor accepted = accept();
  EXPECT_FALSE(may_be_confined(ends_of(accepted.number())));
  (*started)->kill();
  EXPECT_TRUE((*started)->wait().ok());
}

}  // namespace
}  // namespace clever::confine
