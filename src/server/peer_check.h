#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <utility>

#include "base/guarded.h"
#include "http/message.h"

namespace clever::server {

/// Keeps commands in confinement out: a plan must not reach the server that decides about it. Looks
/// once at each connection.
///
/// Thread-safe. Bounded: beyond kMostConnections the oldest are looked at again.
class PeerCheck {
 public:
  static constexpr std::size_t kMostConnections = 16'384;

  explicit PeerCheck(std::function<bool(const http::Peer&)> is_confined)
      : is_confined_(std::move(is_confined)) {}

  /// Whether it has looked at this connection and let it in.
  [[nodiscard]] bool knows(const http::Peer& peer) const;
  /// Whether the process at the other end may ask for anything.
  [[nodiscard]] bool admits(const http::Peer& peer);

 private:
  const std::function<bool(const http::Peer&)> is_confined_;
  base::Guarded<std::set<std::uint64_t>> admitted_;
};

}  // namespace clever::server
