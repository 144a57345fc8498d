#include "http/internal/network.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace clever::http::internal {
namespace {

constexpr std::size_t kReadBuffer = std::size_t{64} << 10U;
// Clients accepted in one round, so that connected ones get their turn.
constexpr int kAcceptedPerRound = 64;
constexpr auto kAcceptPause = std::chrono::milliseconds(100);
constexpr std::uint32_t kBroken = EPOLLERR | EPOLLHUP;

bool is_shortage(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

Network::Network(std::shared_ptr<Hub> hub, std::shared_ptr<io::SocketWatch> watch,
                 Settings settings, const base::Clock& clock)
    : hub_(std::move(hub)),
      watch_(std::move(watch)),
      dispatch_(std::move(settings.dispatch)),
      at_once_(std::move(settings.at_once)),
      tls_(std::move(settings.tls)),
      clock_(clock),
      listeners_(std::move(settings.listeners)),
      admission_(hub_->limits()),
      buffer_(kReadBuffer, '\0') {}

void Network::run(const base::StopToken& stop) {
  resume_accepting();
  while (!stop.stop_requested()) {
    tick();
    take_commands();
    expire_due();
    gone_.clear();
    wait_for_events();
  }
  end_all();
}

base::Result<void> Network::drain(const base::StopToken& stop, base::Deadline deadline) {
  hub_->post({.kind = Command::Kind::kDrain});
  auto drained = open_.wait(
      stop, deadline, [](const Open& open) { return open.draining && open.connections == 0; });
  return std::move(drained).context("waiting for " + std::to_string(connections()) +
                                    " connections to end");
}

std::size_t Network::connections() const {
  return open_.read([](const Open& open) { return open.connections; });
}

void Network::tick() {
  now_ = clock_.now();
  date_.update(clock_.wall_now());
}

void Network::take_commands() {
  commands_ = hub_->mailbox().take(std::move(commands_));
  for (const Command& command : commands_) {
    if (command.kind == Command::Kind::kDrain) {
      begin_drain();
      continue;
    }
    Session* const session = command.exchange->session;
    if (session == nullptr) continue;
    session->apply(command, now_);
    serve(session->client());
  }
  commands_.clear();
}

void Network::begin_drain() {
  pause_accepting();
  accept_due_ = base::TimePoint::max();
  listeners_.clear();
  std::vector<Client*> clients;
  for (const auto& [number, client] : clients_) clients.push_back(client.get());
  for (Client* const client : clients) {
    client->session().drain(now_);
    serve(*client);
  }
  open_.update([](Open& open) { open.draining = true; });
}

void Network::expire_due() {
  while (!due_.empty() && due_.begin()->first <= now_) {
    Client& client = *due_.begin()->second;
    due_.erase(due_.begin());
    client.registered_due = base::TimePoint::max();
    client.session().expire(now_);
    serve(client);
  }
  if (accept_due_ <= now_) resume_accepting();
}

void Network::wait_for_events() {
  const bool sleeping = hub_->mailbox().try_sleep();
  const auto events = watch_->wait(sleeping ? milliseconds_to_wait() : 0);
  if (sleeping) hub_->mailbox().woke();
  tick();
  for (const epoll_event& event : events) {
    const auto client = clients_.find(event.data.fd);
    if (client != clients_.end()) {
      act(*client->second, event.events);
      continue;
    }
    const auto listener = std::ranges::find(listeners_, event.data.fd, &Listener::number);
    if (listener != listeners_.end()) accept_from(*listener);
  }
}

int Network::milliseconds_to_wait() const {
  const base::TimePoint next =
      due_.empty() ? accept_due_ : std::min(accept_due_, due_.begin()->first);
  if (next == base::TimePoint::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - now_).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
}

void Network::accept_from(const Listener& listener) {
  for (int i = 0; i < kAcceptedPerRound; ++i) {
    Listener::Accepted accepted = listener.accept();
    if (accepted.socket.valid()) {
      accept(std::move(accepted));
    } else if (is_shortage(accepted.error)) {
      return pause_accepting();
    } else if (accepted.error != ECONNABORTED && accepted.error != EINTR) {
      return;
    }
  }
}

void Network::accept(Listener::Accepted accepted) {
  if (!admission_.enter(accepted.peer)) return turn_away(accepted);
  const int number = accepted.socket.number();
  accepted.peer.connection = ++connections_;
  std::unique_ptr<TlsSession> tls;
  if (tls_ != nullptr && !accepted.peer.unix_socket) {
    tls = std::make_unique<TlsSession>(*tls_->context());
    accepted.peer.tls = true;
  }
  auto client = std::make_unique<Client>(
      std::move(accepted.socket), std::move(tls), accepted.peer,
      Session::Surroundings{.hub = hub_, .date = date_, .dispatch = dispatch_, .at_once = at_once_},
      now_);
  client->give_up_after(hub_->limits().write);
  watch_->opened(number);
  Client& added = *clients_.emplace(number, std::move(client)).first->second;
  open_.update([](Open& open) { ++open.connections; });
  serve(added);
}

// Writes as much as fits, without TLS: rejecting a peer must be cheap.
void Network::turn_away(const Listener::Accepted& accepted) const {
  hub_->note_refusal();
  if (tls_ != nullptr && !accepted.peer.unix_socket) return;
  const WireAnswer busy = encode_answer(problem(503, "there are too many connections"), {});
  const std::string bytes = busy.head + "Connection: close\r\n\r\n" + busy.body;
  static_cast<void>(::send(accepted.socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

// No descriptors are left: the listeners would stay ready without end.
void Network::pause_accepting() {
  for (const Listener& listener : listeners_) watch_->want(listener.number(), 0);
  accept_due_ = now_ + kAcceptPause;
}

void Network::resume_accepting() {
  for (const Listener& listener : listeners_) watch_->want(listener.number(), EPOLLIN);
  accept_due_ = base::TimePoint::max();
}

void Network::act(Client& client, std::uint32_t events) {
  if ((events & EPOLLIN) != 0) {
    client.read(buffer_, now_);
  } else if ((events & kBroken) != 0) {
    client.session().abandon(StreamEnd::kPeerGone, now_);
  } else if ((events & EPOLLRDHUP) != 0) {
    client.session().receive_end(now_);
  }
  serve(client);
}

// Brings the socket and the timers in line with the session's state.
void Network::serve(Client& client) {
  client.write(now_);
  if (client.is_over()) return remove(client);
  watch_->want(client.number(), client.wanted_events());
  watch_due(client);
}

// Ignores later moments until the earlier one comes: most are postponed repeatedly.
void Network::watch_due(Client& client) {
  const base::TimePoint due = client.session().connection().due();
  if (due >= client.registered_due) return;
  due_.erase({client.registered_due, &client});
  due_.emplace(due, &client);
  client.registered_due = due;
}

void Network::remove(Client& client) {
  due_.erase({client.registered_due, &client});
  watch_->closed(client.number());
  admission_.leave(client.peer());
  auto node = clients_.extract(client.number());
  gone_.push_back(std::move(node.mapped()));
  open_.update([](Open& open) { --open.connections; });
}

void Network::end_all() {
  listeners_.clear();
  due_.clear();
  gone_.clear();
  clients_.clear();
  hub_->mailbox().close();
  open_.update([](Open& open) { open.connections = 0; });
}

}  // namespace clever::http::internal
