#include "support/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/monitor.h"
#include "base/thread.h"
#include "support/internal/bound_port.h"
#include "support/internal/http_connection.h"

namespace clever::test {
namespace {

// Set in the number by which epoll names a connection's tunnel.
constexpr std::uint64_t kTunnelBit = std::uint64_t{1} << 62U;
constexpr std::uint64_t kListener = UINT64_MAX;
constexpr std::uint64_t kWakeUp = UINT64_MAX - 1;

int require_result(int result) {
  if (result < 0) std::abort();
  return result;
}

sockaddr_in local_address(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

io::FileDescriptor listen_locally() {
  io::FileDescriptor socket(
      require_result(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)));
  const sockaddr_in address = local_address(0);
  require_result(
      ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)));
  require_result(::listen(socket.number(), 4096));
  return socket;
}

io::FileDescriptor connect_locally(int port) {
  io::FileDescriptor socket(require_result(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)));
  const sockaddr_in address = local_address(port);
  require_result(
      ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)));
  return socket;
}

// A write to a connection that its peer has closed is an error here, not the end of the process.
void block_pipe_signal() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

class HttpServer::Loop final : public internal::HttpConnectionHost {
 public:
  struct Facts {
    std::vector<SeenRequest> requests;
    std::size_t request_count = 0;
    std::size_t opened = 0;
    std::size_t closed_by_peer = 0;
    std::size_t replies = 0;
    std::set<std::string, std::less<>> open_gates;
    std::map<std::string, std::size_t, std::less<>> waiting;
    bool close_idle = false;
  };

  Loop(HttpHandler handler, HttpServerOptions options)
      : handler_(std::move(handler)),
        options_(std::move(options)),
        listener_(listen_locally()),
        port_(internal::bound_port(listener_.number())),
        epoll_(require_result(::epoll_create1(EPOLL_CLOEXEC))),
        wake_up_(require_result(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))) {
    if (options_.certificate) tls_.emplace(*options_.certificate);
    watch(listener_.number(), kListener, EPOLLIN);
    watch(wake_up_.number(), kWakeUp, EPOLLIN);
    thread_.emplace("http server", [this](const base::StopToken& stop) { run(stop); });
  }
  ~Loop() override {
    thread_->request_stop();
    wake();
    thread_.reset();
  }

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] bool secure() const { return tls_.has_value(); }
  base::Monitor<Facts>& facts() { return facts_; }
  void wake() const { require_result(::eventfd_write(wake_up_.number(), 1)); }

  template <class Predicate>
  bool wait(std::chrono::seconds limit, Predicate predicate) {
    return facts_.wait({}, base::Deadline::after(clock_, limit), predicate).ok();
  }

  HttpReply handle(SeenRequest request) override {
    request.number = facts_.read([](const Facts& f) { return f.request_count; }) + 1;
    HttpReply reply = handler_(request);
    facts_.update([&](Facts& f) {
      ++f.request_count;
      if (options_.keep_requests) f.requests.push_back(std::move(request));
    });
    return reply;
  }
  bool gate_is_open(const std::string& gate) override {
    return facts_.read([&](const Facts& f) { return f.open_gates.contains(gate); });
  }
  void wait_at(std::size_t connection, const std::string& gate) override {
    at_gates_[gate].push_back(connection);
    facts_.update([&](Facts& f) { ++f.waiting[gate]; });
  }
  void wake_after(std::size_t connection, std::chrono::milliseconds time) override {
    timers_.emplace(clock_.now() + time, connection);
  }
  void reply_finished() override {
    facts_.update([](Facts& f) { ++f.replies; });
  }
  io::FileDescriptor open_tunnel(std::size_t connection, int port) override {
    io::FileDescriptor socket = connect_locally(port);
    watch(socket.number(), connection | kTunnelBit, EPOLLIN);
    return socket;
  }

 private:
  using Connections = std::unordered_map<std::size_t, internal::HttpConnection>;

  void watch(int descriptor, std::uint64_t name, std::uint32_t events) const {
    epoll_event event{.events = events, .data = {.u64 = name}};
    require_result(::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, descriptor, &event));
  }

  void run(const base::StopToken& stop) {
    block_pipe_signal();
    std::array<epoll_event, 256> events{};
    while (!stop.stop_requested()) {
      const int count = ::epoll_wait(epoll_.number(), events.data(),
                                     static_cast<int>(events.size()), milliseconds_to_wait());
      for (int i = 0; i < count; ++i) on_event(events[static_cast<std::size_t>(i)]);
      run_timers();
    }
    connections_.clear();
  }

  [[nodiscard]] int milliseconds_to_wait() const {
    if (timers_.empty()) return -1;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first - clock_.now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
  }

  void on_event(const epoll_event& event) {
    const std::uint64_t name = event.data.u64;
    if (name == kListener) return accept_all();
    if (name == kWakeUp) return on_wake_up();
    const auto found = connections_.find(name & ~kTunnelBit);
    if (found == connections_.end()) return;
    internal::HttpConnection& connection = found->second;
    if ((name & kTunnelBit) != 0) return settle(found, connection.on_tunnel_readable());
    bool alive = true;
    if ((event.events & ~EPOLLOUT) != 0) alive = connection.on_readable();
    if (alive && (event.events & EPOLLOUT) != 0) alive = connection.on_writable();
    settle(found, alive);
  }

  void settle(Connections::iterator at, bool alive) {
    if (!alive) {
      const bool by_peer = at->second.closed_by_peer();
      connections_.erase(at);
      if (by_peer) facts_.update([](Facts& f) { ++f.closed_by_peer; });
      return;
    }
    if (!at->second.interest_changed()) return;
    const std::uint32_t events = at->second.wants_to_write() ? EPOLLIN | EPOLLOUT : EPOLLIN;
    epoll_event event{.events = events, .data = {.u64 = at->first}};
    require_result(::epoll_ctl(epoll_.number(), EPOLL_CTL_MOD, at->second.descriptor(), &event));
  }

  void accept_all() {
    while (true) {
      io::FileDescriptor socket(
          ::accept4(listener_.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (!socket.valid()) return;
      const std::size_t number = facts_.update([](Facts& f) { return ++f.opened; });
      if (options_.refuse) continue;
      const int yes = 1;
      ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
      if (!options_.mute) watch(socket.number(), number, EPOLLIN);
      connections_.try_emplace(number, number, std::move(socket), tls_ ? &*tls_ : nullptr, *this);
    }
  }

  void resume(std::size_t number) {
    const auto found = connections_.find(number);
    if (found != connections_.end()) settle(found, found->second.resume());
  }

  void on_wake_up() {
    eventfd_t count = 0;
    ::eventfd_read(wake_up_.number(), &count);
    std::vector<std::size_t> released;
    for (auto& [gate, connections] : at_gates_) {
      if (gate_is_open(gate))
        std::ranges::move(std::exchange(connections, {}), std::back_inserter(released));
    }
    for (const std::size_t number : released) resume(number);
    if (facts_.update([](Facts& f) { return std::exchange(f.close_idle, false); })) close_idle();
  }

  void close_idle() {
    std::erase_if(connections_, [](const auto& entry) { return entry.second.idle(); });
  }

  void run_timers() {
    const base::TimePoint now = clock_.now();
    while (!timers_.empty() && timers_.begin()->first <= now) {
      const std::size_t number = timers_.begin()->second;
      timers_.erase(timers_.begin());
      resume(number);
    }
  }

  // Constant after construction.
  const HttpHandler handler_;
  const HttpServerOptions options_;
  const io::FileDescriptor listener_;
  const int port_;
  const io::FileDescriptor epoll_;
  const io::FileDescriptor wake_up_;
  std::optional<internal::TlsContext> tls_;
  base::SystemClock clock_;
  // Shared.
  base::Monitor<Facts> facts_;
  // The thread's.
  std::multimap<base::TimePoint, std::size_t> timers_;
  std::map<std::string, std::vector<std::size_t>> at_gates_;
  Connections connections_;
  std::optional<base::Thread> thread_;
};

std::string SeenRequest::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &io::HttpHeader::name);
  return found == headers.end() ? std::string() : found->value;
}

HttpReply whole_reply(std::string body, std::string_view content_type, int status) {
  return {.status = status,
          .headers = {{"Content-Type", std::string(content_type)}},
          .steps = {Send{std::move(body)}}};
}

HttpServer::HttpServer(HttpHandler handler, HttpServerOptions options)
    : loop_(std::make_unique<Loop>(std::move(handler), std::move(options))) {}

HttpServer::~HttpServer() = default;

int HttpServer::port() const { return loop_->port(); }

std::string HttpServer::url(std::string_view path) const {
  return std::string(loop_->secure() ? "https://localhost:" : "http://127.0.0.1:") +
         std::to_string(port()) + std::string(path);
}

void HttpServer::open_gate(std::string_view gate) {
  loop_->facts().update([&](Loop::Facts& f) { f.open_gates.emplace(gate); });
  loop_->wake();
}

void HttpServer::close_idle_connections() {
  loop_->facts().update([](Loop::Facts& f) { f.close_idle = true; });
  loop_->wake();
}

std::vector<SeenRequest> HttpServer::requests() const {
  return loop_->facts().read([](const Loop::Facts& f) { return f.requests; });
}

std::size_t HttpServer::request_count() const {
  return loop_->facts().read([](const Loop::Facts& f) { return f.request_count; });
}

std::size_t HttpServer::connections_opened() const {
  return loop_->facts().read([](const Loop::Facts& f) { return f.opened; });
}

std::size_t HttpServer::connections_closed_by_peer() const {
  return loop_->facts().read([](const Loop::Facts& f) { return f.closed_by_peer; });
}

std::size_t HttpServer::replies_finished() const {
  return loop_->facts().read([](const Loop::Facts& f) { return f.replies; });
}

bool HttpServer::wait_for_requests(std::size_t count, std::chrono::seconds limit) {
  return loop_->wait(limit, [&](const Loop::Facts& f) { return f.request_count >= count; });
}

bool HttpServer::wait_for_connections(std::size_t count, std::chrono::seconds limit) {
  return loop_->wait(limit, [&](const Loop::Facts& f) { return f.opened >= count; });
}

bool HttpServer::wait_for_closed_by_peer(std::size_t count, std::chrono::seconds limit) {
  return loop_->wait(limit, [&](const Loop::Facts& f) { return f.closed_by_peer >= count; });
}

bool HttpServer::wait_for_replies(std::size_t count, std::chrono::seconds limit) {
  return loop_->wait(limit, [&](const Loop::Facts& f) { return f.replies >= count; });
}

bool HttpServer::wait_for_waiting(std::string_view gate, std::size_t count,
                                  std::chrono::seconds limit) {
  return loop_->wait(limit, [&](const Loop::Facts& f) {
    const auto found = f.waiting.find(gate);
    return found != f.waiting.end() && found->second >= count;
  });
}

void allow_many_connections() {
  rlimit files{};
  require_result(::getrlimit(RLIMIT_NOFILE, &files));
  files.rlim_cur = files.rlim_max;
  require_result(::setrlimit(RLIMIT_NOFILE, &files));
}

}  // namespace clever::test
