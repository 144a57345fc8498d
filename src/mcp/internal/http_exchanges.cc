#include "mcp/internal/http_exchanges.h"

#include <utility>

namespace clever::mcp::internal {

std::optional<HttpExchanges::Serial> HttpExchanges::begin(std::optional<RequestNumber> request) {
  return state_.update([&](State& state) -> std::optional<Serial> {
    if (state.closed) return std::nullopt;
    state.entries.emplace(++state.last,
                          Entry{.request = request, .exchange = {}, .cancelled = false});
    return state.last;
  });
}

void HttpExchanges::started(Serial serial, std::unique_ptr<io::HttpExchange> exchange) {
  const std::shared_ptr<io::HttpExchange> shared = std::move(exchange);
  const bool cancelled = state_.update([&](State& state) {
    const auto found = state.entries.find(serial);
    if (found == state.entries.end()) return false;
    found->second.exchange = shared;
    return found->second.cancelled;
  });
  if (cancelled) shared->cancel();
}

void HttpExchanges::end(Serial serial) {
  // Destroys the handle outside the lock.
  const auto ended = state_.update([&](State& state) { return state.entries.extract(serial); });
}

template <class Wanted>
void HttpExchanges::cancel_those(Wanted wanted) {
  const auto exchanges = state_.update([&](State& state) {
    std::vector<std::shared_ptr<io::HttpExchange>> found;
    for (auto& [serial, entry] : state.entries) {
      if (!wanted(serial, entry)) continue;
      entry.cancelled = true;
      if (entry.exchange != nullptr) found.push_back(entry.exchange);
    }
    return found;
  });
  for (const auto& exchange : exchanges) exchange->cancel();
}

void HttpExchanges::cancel(Serial serial) {
  cancel_those([&](Serial candidate, const Entry&) { return candidate == serial; });
}

void HttpExchanges::cancel_request(RequestNumber request) {
  cancel_those([&](Serial, const Entry& entry) { return entry.request == request; });
}

void HttpExchanges::close() {
  state_.update([](State& state) { state.closed = true; });
  cancel_those([](Serial, const Entry&) { return true; });
}

void HttpExchanges::wait() {
  state_.wait({}, base::Deadline::never(), [](const State& state) { return state.entries.empty(); })
      .value();
}

}  // namespace clever::mcp::internal
