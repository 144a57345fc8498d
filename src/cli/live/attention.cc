#include "cli/live/attention.h"

#include <algorithm>
#include <utility>

#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

bool needs_person(const plan::State& state) {
  using enum model::PlanState;
  if (state.state == kConstrained || state.state == kErrored) return true;
  return state.state == kWaiting && !state.room_may_come;
}

}  // namespace

std::string attention_bytes(Notify how, std::string_view words) {
  if (how == Notify::kOff) return {};
  if (how == Notify::kBell) return "\a";
  std::string safe = printable(words);
  // Separates the parts of the OSC 777 sequence.
  std::ranges::replace(safe, ';', ',');
  return "\x1b]9;agents: " + safe + "\a\x1b]777;notify;agents;" + safe + "\a\a";
}

std::optional<std::string> Attention::on_state(const plan::State& state) {
  if (state.parent) return std::nullopt;
  const bool needs = needs_person(state);
  const bool before = std::exchange(needs_[state.id], needs);
  if (!needs || before) return std::nullopt;
  return state.title + ": " + (state.reason.empty() ? "needs you" : state.reason);
}

}  // namespace clever::cli
