#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/monitor.h"
#include "io/http.h"
#include "mcp/transport.h"

namespace clever::mcp::internal {

/// The exchanges in progress: each can be cancelled, and the destructor can wait for all.
///
/// Thread-safe. An exchange is here from begin() until end(), even before its handle arrives: it
/// may end before start() returns.
class HttpExchanges {
 public:
  using Serial = std::uint64_t;

  /// None once closed.
  std::optional<Serial> begin(std::optional<RequestNumber> request);
  /// Stores the handle once it exists.
  void started(Serial serial, std::unique_ptr<io::HttpExchange> exchange);
  void end(Serial serial);
  void cancel(Serial serial);
  void cancel_request(RequestNumber request);
  /// Cancels all, and refuses new ones.
  void close();
  /// Waits until all have ended.
  void wait();

 private:
  struct Entry {
    std::optional<RequestNumber> request{};
    std::shared_ptr<io::HttpExchange> exchange{};
    bool cancelled = false;
  };
  struct State {
    std::map<Serial, Entry> entries{};
    Serial last = 0;
    bool closed = false;
  };
  template <class Wanted>
  void cancel_those(Wanted wanted);

  base::Monitor<State> state_;
};

}  // namespace clever::mcp::internal
