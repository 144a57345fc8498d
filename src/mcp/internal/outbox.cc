#include "mcp/internal/outbox.h"

#include <algorithm>
#include <utility>

namespace clever::mcp::internal {

base::Result<void> Outbox::put(const Outgoing& message) {
  std::string text = message.text + '\n';
  return state_.with([&](State& state) -> base::Result<void> {
    if (state.closed) return *state.closed;
    if (text.size() > limit_ - std::min(state.bytes, limit_)) {
      return base::resource_exhausted("the server does not read what it is sent: " +
                                      std::to_string(state.bytes) + " bytes wait for it");
    }
    state.bytes += text.size();
    state.lines.push_back({.number = message.number, .text = std::move(text)});
    return {};
  });
}

std::optional<std::string> Outbox::take() {
  return state_.with([](State& state) -> std::optional<std::string> {
    if (state.lines.empty()) return std::nullopt;
    std::string text = std::move(state.lines.front().text);
    state.lines.pop_front();
    state.bytes -= text.size();
    return text;
  });
}

bool Outbox::remove(RequestNumber number) {
  return state_.with([&](State& state) {
    const auto found = std::ranges::find(state.lines, std::optional(number), &Line::number);
    if (found == state.lines.end()) return false;
    state.bytes -= found->text.size();
    state.lines.erase(found);
    return true;
  });
}

void Outbox::close(const base::Error& why) {
  state_.with([&](State& state) { state.closed = why; });
}

}  // namespace clever::mcp::internal
