// Commands that may reach certain hosts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "base/monitor.h"
#include "base/thread.h"
#include "confine/confined_process.h"
#include "confine/internal/listeners.h"
#include "support/confine_launcher.h"
#include "support/http_server.h"

// A namespace of its own: the suite bears the name of a type of the module, and would hide it from
// the sources that share its unit.
namespace clever::confine::network_suite {
namespace {

using test::confined_shell;
using test::HttpServer;
using test::run_confined;
using test::SeenRequest;
using test::whole_reply;
using ::testing::HasSubstr;

class Network : public ::testing::Test {
 protected:
  [[nodiscard]] std::string port() const { return std::to_string(server_.port()); }
  [[nodiscard]] std::uint16_t number() const { return static_cast<std::uint16_t>(server_.port()); }
  // Through the proxy, which programs pass by for services of this machine.
  [[nodiscard]] Command curl(const std::string& arguments) const {
    return plain_curl("--noproxy '' " + arguments);
  }
  [[nodiscard]] Command plain_curl(const std::string& arguments) const {
    Command command = confined_shell("curl -sS --max-time 20 " + arguments);
    command.network = confine::Network::kHosts;
    command.hosts = {"localhost:" + port()};
    return command;
  }

  HttpServer server_{[](const SeenRequest& request) {
    return whole_reply(request.method + " " + request.target + " " + request.body);
  }};
};

TEST_F(Network, AListedHostIsReached) {
  const auto output =
      run_confined(curl("-d body http://localhost:" + port() + "/path?query")).value();
  EXPECT_EQ(output.output, "POST /path?query body") << output.error_output;
}

TEST_F(Network, AListedHostIsReachedThroughATunnel) {
  const auto output = run_confined(curl("-p http://localhost:" + port() + "/tunnel")).value();
  EXPECT_EQ(output.output, "GET /tunnel ") << output.error_output;
}

TEST_F(Network, ManyRequestsAtOnce) {
  const auto output = run_confined(curl("-Z $(seq -f 'http://localhost:" + port() +
                                        "/%.0f' 1 40) > all; tr -cd 'G' < all | wc -c"))
                          .value();
  EXPECT_EQ(output.output, "40\n") << output.error_output;
}

TEST_F(Network, AHostThatIsNotListedIsRefusedAndSaidSo) {
  const auto output = run_confined(curl("-f http://example.org/")).value();
  EXPECT_NE(output.ending.exit_code, 0);
  const auto shown = run_confined(curl("http://example.org/")).value();
  EXPECT_THAT(shown.output, HasSubstr("example.org:80 is not among the hosts"));
  const auto tunnel = run_confined(curl("https://example.org/")).value();
  EXPECT_THAT(tunnel.ending.remark, HasSubstr("needed a host that it may not reach"));
  EXPECT_EQ(server_.request_count(), 0U);
}

TEST_F(Network, AnotherPortOfAListedHostIsRefused) {
  const auto output = run_confined(curl("http://localhost:1/")).value();
  EXPECT_THAT(output.output, HasSubstr("localhost:1 is not among the hosts"));
}

TEST_F(Network, AServiceOfThisMachineIsReachedHoweverItIsNamed) {
  for (const std::string listed : {"localhost:", "127.0.0.1:", "[::1]:"}) {
    for (const std::string named : {"localhost:", "127.0.0.1:"}) {
      for (Command command :
           {curl("http://" + named + port() + "/x"), plain_curl("http://" + named + port() + "/x"),
            plain_curl("--noproxy '*' http://" + named + port() + "/x")}) {
        command.hosts = {listed + port()};
        EXPECT_EQ(run_confined(command).value().output, "GET /x ") << listed << named;
      }
    }
  }
}

TEST_F(Network, AServiceOfThisMachineNeedsItsPort) {
  Command command = curl("http://localhost/");
  command.hosts = {"localhost"};
  EXPECT_THAT(run_confined(command).error().message(), HasSubstr("by the port"));
}

TEST_F(Network, AClosedPortIsNotReachedThoughItIsListed) {
  Command command = curl("http://localhost:" + port() + "/");
  command.closed_ports = {number()};
  EXPECT_THAT(run_confined(command).value().output, HasSubstr("a port of CleverAgents itself"));
  command = plain_curl("--noproxy '*' http://127.0.0.1:" + port() + "/");
  command.closed_ports = {number()};
  EXPECT_NE(run_confined(command).value().ending.exit_code, 0);
  EXPECT_EQ(server_.request_count(), 0U);
}

// The server runs in this very process.
TEST_F(Network, APortOfOurOwnIsFound) {
  EXPECT_TRUE(internal::listens("/proc/self/exe", number()));
  EXPECT_FALSE(internal::listens(test::confine_launcher().argv.front(), number()));
}

TEST_F(Network, AllHostsAreNoServiceOfThisMachine) {
  for (Command command : {curl("http://localhost:" + port() + "/"),
                          plain_curl("--noproxy '*' http://127.0.0.1:" + port() + "/"),
                          curl("http://127.0.0.1:" + port() + "/")}) {
    command.hosts = {"*"};
    EXPECT_THAT(run_confined(command).value().output, ::testing::Not(HasSubstr("GET")));
  }
  EXPECT_EQ(server_.request_count(), 0U);
}

TEST_F(Network, ReachesServersInsideDirectly) {
  Command command = confined_shell(
      "mkdir -p /tmp/w && cd /tmp/w && echo inside > f && "
      "python3 -m http.server --bind 127.0.0.1 8765 2> /dev/null & "
      "curl -sS --retry 50 --retry-connrefused --retry-delay 1 http://localhost:8765/f; kill %1");
  command.network = confine::Network::kHosts;
  command.hosts = {"example.org"};
  EXPECT_EQ(run_confined(command).value().output, "inside\n");
}

TEST_F(Network, ANameBelowAListedOneMayNotLeadIntoThisMachine) {
  Command command = curl("http://a.localhost:" + port() + "/");
  command.hosts = {"*.localhost:" + port()};
  const auto output = run_confined(command).value();
  EXPECT_THAT(output.output, ::testing::AnyOf(HasSubstr("an address of this machine"),
                                              HasSubstr("has no address")));
  EXPECT_EQ(server_.request_count(), 0U);
}

TEST_F(Network, AHostThatDoesNotAnswerIsSaidSo) {
  Command command = curl("http://localhost:1/");
  command.hosts = {"localhost:1"};
  EXPECT_THAT(run_confined(command).value().output, HasSubstr("reaching localhost:1"));
}

TEST_F(Network, ANameThatDoesNotExistIsSaidSo) {
  Command command = curl("http://no-such-host.invalid/");
  command.hosts = {"no-such-host.invalid"};
  EXPECT_THAT(run_confined(command).value().output, HasSubstr("no-such-host.invalid"));
}

TEST_F(Network, RefusesInvalidRequests) {
  // The proxy's port is in the environment.
  Command command = plain_curl("--noproxy '*' ${http_proxy}/path");
  EXPECT_THAT(run_confined(command).value().output, HasSubstr("this is a proxy"));
}

TEST_F(Network, ARequestWithoutEndIsRefused) {
  Command command =
      curl("-H \"X: $(head -c 70000 /dev/zero | tr '\\0' x)\" http://localhost:" + port() + "/");
  EXPECT_THAT(run_confined(command).value().output, HasSubstr("the request is too long"));
}

TEST_F(Network, AClientThatSaysNothingDoesNoHarm) {
  Command command = curl("http://localhost:" + port() + "/");
  command.argv.back() = "/run/probe port:${http_proxy##*:}; " + command.argv.back();
  command.mounts = {
      {.kind = Mount::Kind::kReadOnly, .target = "/run/probe", .source = test::confine_probe()}};
  EXPECT_THAT(run_confined(command).value().output, HasSubstr("WORKED\nGET / "));
}

TEST_F(Network, TooManyConnectionsWaitForTheirTurn) {
  HttpServer slow([](const SeenRequest&) {
    return test::HttpReply{.steps = {test::WaitFor{"go"}, test::Send{"x"}}};
  });
  const std::string host = "localhost:" + std::to_string(slow.port());
  Command command =
      confined_shell("for i in $(seq 70); do curl -sS http://" + host + "/ & done; wait");
  command.network = confine::Network::kHosts;
  command.hosts = {host};
  base::Thread opener("opener", [&](const base::StopToken&) {
    EXPECT_TRUE(slow.wait_for_requests(64));
    slow.open_gate("go");
  });
  EXPECT_EQ(run_confined(command).value().output, std::string(70, 'x'));
}

TEST_F(Network, NothingElseIsReached) {
  const HttpServer other([](const SeenRequest&) { return whole_reply("other"); });
  const std::string address = "127.0.0.1:" + std::to_string(other.port());
  const auto output = run_confined(plain_curl("--noproxy '*' http://" + address + "/")).value();
  EXPECT_NE(output.ending.exit_code, 0);
  EXPECT_THAT(run_confined(curl("http://" + address + "/")).value().output,
              HasSubstr("not among the hosts"));
  EXPECT_EQ(other.request_count(), 0U);
}

TEST_F(Network, AConnectionThatIsOpenDoesNotKeepTheCommandAlive) {
  HttpServer silent(
      [](const SeenRequest&) { return test::HttpReply{.before_head = {test::Stall{}}}; });
  Command command = curl("http://localhost:" + std::to_string(silent.port()) + "/");
  command.hosts = {"localhost:" + std::to_string(silent.port())};
  const auto process = ConfinedProcess::start(test::confine_launcher(), command).value();
  ASSERT_TRUE(silent.wait_for_requests(1));
  process->kill();
  EXPECT_EQ(process->wait().value().signal, SIGKILL);
  EXPECT_TRUE(silent.wait_for_closed_by_peer(1));
}

TEST_F(Network, OddHostsAreRefusedAtTheStart) {
  Command command = curl("true");
  command.hosts = {"http://example.org/"};
  EXPECT_EQ(run_confined(command).error().code(), base::ErrorCode::kInvalidArgument);
}

TEST_F(Network, OffIsSaidSo) {
  Command command = curl("http://example.org/");
  command.network = confine::Network::kOff;
  EXPECT_EQ(run_confined(command).value().ending.remark,
            "needed the network, which is off (sandbox.network)");
}

TEST_F(Network, OnSharesTheHosts) {
  Command command = curl("http://localhost:" + port() + "/on");
  command.network = confine::Network::kOn;
  EXPECT_EQ(run_confined(command).value().output, "GET /on ");
}

}  // namespace
}  // namespace clever::confine::network_suite
