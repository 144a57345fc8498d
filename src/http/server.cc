#include "http/server.h"

#include <utility>

#include "http/internal/handlers.h"
#include "http/internal/network.h"

namespace clever::http {

using internal::Handlers;
using internal::Hub;
using internal::Listener;
using internal::Network;
using internal::TlsSlot;

struct Server::Parts {
  std::vector<Address> addresses{};
  std::shared_ptr<Hub> hub{};
  std::shared_ptr<Handlers> handlers{};
  std::shared_ptr<TlsSlot> tls{};
  std::unique_ptr<Network> network{};
  std::function<void()> wake{};
};

base::Result<std::unique_ptr<Server>> Server::open(Options options, Handler handler,
                                                   base::ThreadPool& pool,
                                                   const base::Clock& clock) {
  Parts parts;
  if (options.tls) {
    parts.tls = std::make_shared<TlsSlot>(*options.tls);
    CLEVER_TRY(parts.tls->load());
  }
  Network::Settings settings{
      .listeners = {}, .tls = parts.tls, .dispatch = {}, .at_once = std::move(options.at_once)};
  for (const Address& address : options.listen) {
    CLEVER_ASSIGN(Listener listener, Listener::open(address));
    parts.addresses.push_back(listener.address());
    settings.listeners.push_back(std::move(listener));
  }
  CLEVER_ASSIGN(io::SocketWatch made, io::SocketWatch::create());
  const auto watch = std::make_shared<io::SocketWatch>(std::move(made));
  parts.wake = [watch] { watch->wake(); };
  parts.hub = std::make_shared<Hub>(options.limits, parts.wake);
  parts.handlers = std::make_shared<Handlers>(pool, std::move(handler));
  settings.dispatch = [handlers = parts.handlers](std::shared_ptr<const Request> request,
                                                  Responder responder) {
    return handlers->dispatch(std::move(request), std::move(responder));
  };
  parts.network = std::make_unique<Network>(parts.hub, watch, std::move(settings), clock);
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

Server::Server(Parts parts)
    : addresses_(std::move(parts.addresses)),
      hub_(std::move(parts.hub)),
      handlers_(std::move(parts.handlers)),
      tls_(std::move(parts.tls)),
      network_(std::move(parts.network)),
      wake_(std::move(parts.wake)),
      thread_("http server",
              [network = network_.get()](const base::StopToken& stop) { network->run(stop); }) {}

// Ends the connections first, so that a handler that waits for a slow client sees the end.
Server::~Server() {
  thread_.request_stop();
  wake_();
  thread_.join();
  handlers_->stop();
}

Server::Counts Server::counts() const {
  return {.connections = network_->connections(),
          .streams = hub_->streams(),
          .requests = hub_->requests(),
          .refused = hub_->refusals()};
}

base::Result<void> Server::drain(const base::StopToken& stop, base::Deadline deadline) {
  return network_->drain(stop, deadline);
}

base::Result<void> Server::reload_certificate() {
  if (tls_ == nullptr) return base::invalid_argument("the server does not use TLS");
  return tls_->load();
}

}  // namespace clever::http
