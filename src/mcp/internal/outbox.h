#pragma once
#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "base/guarded.h"
#include "base/result.h"
#include "mcp/transport.h"

namespace clever::mcp::internal {

/// Lines that wait for a server to read them, bounded in bytes: refuses messages when full. A
/// request that is given up before it was taken is never sent.
///
/// Thread-safe.
class Outbox {
 public:
  explicit Outbox(std::size_t limit) : limit_(limit) {}

  /// `resource_exhausted` when full; after close() its reason.
  base::Result<void> put(const Outgoing& message);
  /// The next line with its line end; none if it is empty.
  std::optional<std::string> take();
  /// Returns whether it was still queued.
  bool remove(RequestNumber number);
  void close(const base::Error& why);

 private:
  struct Line {
    std::optional<RequestNumber> number{};
    std::string text{};
  };
  struct State {
    std::deque<Line> lines{};
    std::size_t bytes = 0;
    std::optional<base::Error> closed{};
  };

  const std::size_t limit_;
  base::Guarded<State> state_;
};

}  // namespace clever::mcp::internal
