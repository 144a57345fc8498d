#include "mcp/internal/call_table.h"

namespace clever::mcp::internal {

void Call::settle(Outcome outcome) {
  news_.update([&](News& news) { news.outcome = std::move(outcome); });
}

void Call::note(Progress progress) {
  news_.update([&](News& news) { news.progress = std::move(progress); });
}

void Call::pause(std::chrono::milliseconds pause) {
  news_.update([&](News& news) { news.pause = pause; });
}

base::Result<Call::News> Call::take(const base::StopToken& stop, base::Deadline deadline) {
  return news_.update_when(
      stop, deadline, [](const News& news) { return news.outcome || news.progress || news.pause; },
      [](News& news) { return std::exchange(news, {}); });
}

bool Call::settled() const {
  return news_.read([](const News& news) { return news.outcome.has_value(); });
}

base::Result<CallTable::Opened> CallTable::open() {
  return state_.with([](State& state) -> base::Result<Opened> {
    if (state.closed) return *state.closed;
    if (state.calls.size() >= kMostCalls) {
      return base::resource_exhausted("more than " + std::to_string(kMostCalls) +
                                      " requests wait for this server");
    }
    auto call = std::make_shared<Call>();
    state.calls.emplace(++state.last, call);
    return Opened{.number = state.last, .call = std::move(call)};
  });
}

std::shared_ptr<Call> CallTable::extract(RequestNumber number) {
  return state_.with([&](State& state) -> std::shared_ptr<Call> {
    auto node = state.calls.extract(number);
    return node.empty() ? nullptr : std::move(node.mapped());
  });
}

bool CallTable::settle(RequestNumber number, Outcome outcome) {
  const auto call = extract(number);
  if (call != nullptr) call->settle(std::move(outcome));
  return call != nullptr;
}

std::shared_ptr<Call> CallTable::find(RequestNumber number) const {
  return state_.with([&](const State& state) -> std::shared_ptr<Call> {
    const auto found = state.calls.find(number);
    return found == state.calls.end() ? nullptr : found->second;
  });
}

bool CallTable::note(RequestNumber number, Progress progress) {
  const auto call = find(number);
  if (call != nullptr) call->note(std::move(progress));
  return call != nullptr;
}

bool CallTable::pause(RequestNumber number, std::chrono::milliseconds pause) {
  const auto call = find(number);
  if (call != nullptr) call->pause(pause);
  return call != nullptr;
}

bool CallTable::abandon(RequestNumber number) { return extract(number) != nullptr; }

void CallTable::close(const base::Error& why) {
  const auto calls = state_.with([&](State& state) {
    if (!state.closed) state.closed = why;
    return std::exchange(state.calls, {});
  });
  for (const auto& [number, call] : calls) call->settle(RequestLoss{.error = why});
}

std::optional<base::Error> CallTable::closed() const {
  return state_.with([](const State& state) { return state.closed; });
}

std::size_t CallTable::size() const {
  return state_.with([](const State& state) { return state.calls.size(); });
}

}  // namespace clever::mcp::internal
