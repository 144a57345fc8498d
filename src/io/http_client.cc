#include "io/http_client.h"

#include <utility>

#include "io/internal/http_network.h"

namespace clever::io {
namespace {

using internal::HttpCommand;
using internal::HttpFlight;
using internal::HttpNetwork;

class Exchange final : public HttpExchange {
 public:
  Exchange(std::shared_ptr<HttpNetwork> network, std::shared_ptr<HttpFlight> flight)
      : network_(std::move(network)), flight_(std::move(flight)) {}

  void cancel() override {
    if (flight_->over.exchange(true)) return;
    HttpCommand command{.kind = HttpCommand::Kind::kCancel, .flight = flight_};
    network_->post(command);
  }

 private:
  const std::shared_ptr<HttpNetwork> network_;
  const std::shared_ptr<HttpFlight> flight_;
};

std::shared_ptr<HttpNetwork> open_network(HttpClientOptions options) {
  auto watch = SocketWatch::create();
  // Without descriptors no part of the program works.
  CLEVER_CHECK(watch.ok(), watch.error().to_string());
  return std::make_shared<HttpNetwork>(std::move(options), std::move(watch).value());
}

}  // namespace

HttpClient::HttpClient(HttpClientOptions options)
    : network_(open_network(std::move(options))),
      thread_("network",
              [network = network_.get()](const base::StopToken& stop) { network->run(stop); }) {}

HttpClient::~HttpClient() {
  thread_.request_stop();
  network_->interrupt();
  thread_.join();
}

std::unique_ptr<HttpExchange> HttpClient::start(HttpRequest request,
                                                std::shared_ptr<HttpSink> sink) {
  auto flight = std::make_shared<HttpFlight>(std::move(request), std::move(sink));
  auto exchange = std::make_unique<Exchange>(network_, flight);
  HttpCommand command{.kind = HttpCommand::Kind::kStart, .flight = std::move(flight)};
  if (!network_->post(command)) internal::refuse(*command.flight);
  return exchange;
}

}  // namespace clever::io
