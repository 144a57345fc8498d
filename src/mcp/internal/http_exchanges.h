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

/// The exchanges that are under way: any can be cancelled, and the last one's end waited for.
///
/// Thread-safe. An exchange is here from begin() until end(), whether or not its handle has come
/// yet: it may end before start() returns.
class HttpExchanges {
 public:
  using Serial = std::uint64_t;

  /// None once closed.
  std::optional<Serial> begin(std::optional<RequestNumber> request);
  /// The handle, as soon as there is one.
  void started(Serial serial, std::unique_ptr<io::HttpExchange> exchange);
  void end(Serial serial);
  void cancel(Serial serial);
  void cancel_request(RequestNumber request);
  /// From now on nothing begins; cancels all.
  void close();
  /// Until all have ended.
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
