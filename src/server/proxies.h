#pragma once
#include <string>
#include <vector>

#include "http/message.h"

namespace clever::server {

/// The addresses of reverse proxies whose forwarded headers count, from `server.proxies`; "unix"
/// stands for the unix socket. A value.
class Proxies {
 public:
  Proxies() = default;
  explicit Proxies(std::vector<std::string> addresses) : addresses_(std::move(addresses)) {}

  [[nodiscard]] bool sent(const http::Request& request) const;
  /// The client: the last address in X-Forwarded-For that is no proxy, and TLS if X-Forwarded-Proto
  /// says https. The request's own peer if no proxy sent it.
  [[nodiscard]] http::Peer client_of(const http::Request& request) const;

 private:
  [[nodiscard]] bool knows(std::string_view address) const;

  std::vector<std::string> addresses_;
};

}  // namespace clever::server
