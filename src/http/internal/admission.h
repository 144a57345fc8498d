#pragma once
#include <cstddef>
#include <string>
#include <unordered_map>

#include "http/limits.h"
#include "http/message.h"

namespace clever::http::internal {

/// Counts the connections, in total and per address. Used by one thread.
class Admission {
 public:
  explicit Admission(const Limits& limits) : limits_(limits) {}

  /// Counts the connection of this peer, unless there are too many.
  [[nodiscard]] bool enter(const Peer& peer);
  /// For a connection that entered.
  void leave(const Peer& peer);

 private:
  const Limits& limits_;
  std::size_t count_ = 0;
  std::unordered_map<std::string, std::size_t> by_address_;
};

}  // namespace clever::http::internal
