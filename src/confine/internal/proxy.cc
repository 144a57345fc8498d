#include "confine/internal/proxy.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <list>
#include <string>
#include <utility>

#include "base/atomic.h"
#include "confine/internal/addresses.h"
#include "confine/internal/channel.h"
#include "confine/internal/hand_over.h"
#include "confine/internal/listeners.h"
#include "confine/internal/proxy_request.h"
#include "confine/internal/stop_event.h"
#include "confine/internal/tunnel.h"

namespace clever::confine::internal {
namespace {

constexpr std::size_t kMostConnections = 64;
constexpr int kPauseWhenFull = 20;  // milliseconds
constexpr std::chrono::seconds kSetupTime{30};

std::string_view status_of(base::ErrorCode code) {
  switch (code) {
    case base::ErrorCode::kPermissionDenied:
      return "403 Forbidden";
    case base::ErrorCode::kInvalidArgument:
      return "400 Bad Request";
    case base::ErrorCode::kDeadlineExceeded:
      return "504 Gateway Timeout";
    default:
      return "502 Bad Gateway";
  }
}

// Where connections may go.
struct Bounds {
  const Launcher& launcher;
  const HostRules& rules;
  const std::vector<std::uint16_t>& closed_ports;

  // Our own ports are always refused: their servers trust every user of this machine.
  [[nodiscard]] bool is_ours(const std::vector<Address>& addresses, std::uint16_t port) const {
    if (std::ranges::none_of(addresses, is_of_this_machine)) return false;
    return std::ranges::find(closed_ports, port) != closed_ports.end() ||
           listens(launcher.argv.front(), port);
  }
};

std::vector<Address> loopback(std::uint16_t port) {
  std::vector<Address> addresses;
  for (const char* text : {"127.0.0.1", "::1"}) {
    if (auto address = parse_address(text, port); address.ok()) addresses.push_back(*address);
  }
  return addresses;
}

// One connection of the command.
class Conversation {
 public:
  Conversation(const Bounds& bounds, base::Clock& clock, const HandedOver& client,
               const base::StopToken& stop, int stop_event)
      : bounds_(bounds),
        clock_(clock),
        client_(client.connection),
        port_(client.port),
        stop_(stop),
        stop_event_(stop_event),
        setup_(base::Deadline::after(clock, kSetupTime)) {}

  void run() {
    auto server = port_ > 0 ? reach_this_machine() : reach_server();
    if (!server.ok() && port_ > 0) return;
    if (!server.ok()) {
      static_cast<void>(send_all(client_.number(), proxy_refusal(status_of(server.error().code()),
                                                                 server.error().sentence())));
      return;
    }
    if (request_.tunnel && !send_all(client_.number(), kEstablished).ok()) return;
    pass_both_ways(client_, *server, request_.head + rest_, stop_event_, clock_);
  }

 private:
  static constexpr std::string_view kEstablished = "HTTP/1.1 200 Connection established\r\n\r\n";

  base::Result<io::FileDescriptor> reach_server() {
    CLEVER_TRY(make_nonblocking(client_));
    CLEVER_ASSIGN(const std::string head, read_head());
    CLEVER_ASSIGN(request_, parse_proxy_request(head));
    const Destination& destination = request_.destination;
    const auto verdict = bounds_.rules.judge(destination);
    const std::string name = destination.host + ":" + std::to_string(destination.port);
    if (verdict == HostRules::Verdict::kRefused) {
      return base::permission_denied(name +
                                     " is not among the hosts that this command may reach "
                                     "(sandbox.hosts; for an agent, hosts in its actor's file)");
    }
    CLEVER_ASSIGN(std::vector<Address> addresses,
                  resolve(bounds_.launcher, destination, stop_, setup_));
    if (verdict == HostRules::Verdict::kPublicOnly) {
      std::erase_if(addresses, [](const Address& address) { return !is_public(address); });
      if (addresses.empty()) {
        return base::permission_denied(name +
                                       " is an address of this machine or its network; "
                                       "list it by name (sandbox.hosts; for an agent, hosts "
                                       "in its actor's file)");
      }
    }
    if (bounds_.is_ours(addresses, destination.port)) {
      return base::permission_denied(name + " is a port of CleverAgents itself");
    }
    return connect_to(addresses, stop_event_, setup_).context("reaching " + name);
  }

  // The client names the port, which is checked like any other.
  base::Result<io::FileDescriptor> reach_this_machine() {
    CLEVER_TRY(make_nonblocking(client_));
    const auto verdict = bounds_.rules.judge({.host = "localhost", .port = port_});
    const std::vector<Address> addresses = loopback(port_);
    if (verdict == HostRules::Verdict::kRefused || bounds_.is_ours(addresses, port_)) {
      return base::permission_denied("not a port that this command may reach");
    }
    return connect_to(addresses, stop_event_, setup_);
  }

  // Reads up to the empty line; the rest is for the server.
  base::Result<std::string> read_head() {
    std::string text;
    while (true) {
      const std::size_t end = text.find("\r\n\r\n");
      if (end != std::string::npos) {
        rest_ = text.substr(end + 4);
        return text.substr(0, end + 2);
      }
      if (text.size() > kLargestHead) return base::invalid_argument("the request is too long");
      CLEVER_TRY(read_more(text));
    }
  }

  base::Result<void> read_more(std::string& text) const {
    std::array<pollfd, 2> events{{{.fd = client_.number(), .events = POLLIN, .revents = 0},
                                  {.fd = stop_event_, .events = POLLIN, .revents = 0}}};
    ::poll(events.data(), events.size(), poll_timeout(setup_));
    if (stop_.stop_requested()) return base::cancelled("stopped");
    if (setup_.passed()) return base::deadline_exceeded("no request came");
    std::array<char, 4096> bytes;
    const ssize_t count = ::recv(client_.number(), bytes.data(), bytes.size(), 0);
    if (count > 0) text.append(bytes.data(), static_cast<std::size_t>(count));
    const bool lost = count < 0 && errno != EAGAIN && errno != EINTR;
    if (count == 0 || lost) return base::unavailable("the client disconnected");
    return {};
  }

  const Bounds& bounds_;
  base::Clock& clock_;
  const io::FileDescriptor& client_;
  const std::uint16_t port_;
  const base::StopToken& stop_;
  const int stop_event_;
  const base::Deadline setup_;
  ProxyRequest request_;
  std::string rest_;
};

// A conversation and its thread.
class Guest {
 public:
  Guest(const Bounds& bounds, base::Clock& clock, HandedOver client)
      : client_(std::move(client)),
        thread_("proxy", [this, &bounds, &clock](const base::StopToken& stop) {
          if (auto event = StopEvent::create(); event.ok()) {
            const StopEvent stopped(std::move(event).value(), stop);
            Conversation(bounds, clock, client_, stop, stopped.descriptor()).run();
          }
          // Here, not in the destructor, which runs only at the next connection.
          ::shutdown(client_.connection.number(), SHUT_RDWR);
          over_.store(true);
        }) {}
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  [[nodiscard]] bool over() const { return over_.load(); }

 private:
  const HandedOver client_;
  base::Atomic<bool> over_;  // publishes that the thread has ended
  base::Thread thread_;
};

}  // namespace

Proxy::Proxy(Launcher launcher, HostRules rules, std::vector<std::uint16_t> closed_ports,
             io::FileDescriptor connections, io::FileDescriptor stop_event)
    : launcher_(std::move(launcher)),
      rules_(std::move(rules)),
      closed_ports_(std::move(closed_ports)),
      connections_(std::move(connections)),
      thread_("proxy", [this, event = std::move(stop_event)](const base::StopToken& stop) mutable {
        serve(stop, std::move(event));
      }) {}

void Proxy::serve(const base::StopToken& stop, io::FileDescriptor stop_event) {
  const StopEvent stopped(std::move(stop_event), stop);
  const Bounds bounds{.launcher = launcher_, .rules = rules_, .closed_ports = closed_ports_};
  std::list<Guest> guests;
  while (!stop.stop_requested()) {
    guests.remove_if([](const Guest& guest) { return guest.over(); });
    const bool full = guests.size() >= kMostConnections;
    std::array<pollfd, 2> events{
        {{.fd = full ? -1 : connections_.number(), .events = POLLIN, .revents = 0},
         {.fd = stopped.descriptor(), .events = POLLIN, .revents = 0}}};
    const int ready = ::poll(events.data(), events.size(), full ? kPauseWhenFull : -1);
    if (ready <= 0 || events[0].revents == 0) continue;
    auto client = take_over(connections_.number());
    // The forwarder has ended, and with it the command.
    if (!client.ok()) break;
    guests.emplace_back(bounds, clock_, std::move(client).value());
  }
}

}  // namespace clever::confine::internal
