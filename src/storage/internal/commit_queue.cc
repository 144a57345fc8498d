#include "storage/internal/commit_queue.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/check.h"

namespace clever::storage::internal {
namespace {

std::size_t weight(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text->size();
  if (const auto* blob = std::get_if<Blob>(&value)) return blob->bytes.size();
  if (const auto* list = std::get_if<IntegerList>(&value)) return list->values.size() * 8;
  return 8;
}

}  // namespace

std::size_t weight(const UnitOfWork& unit) {
  std::size_t bytes = 0;
  for (const auto& statement : unit.statements()) {
    bytes += sizeof(Statement);
    for (const auto& parameter : statement.parameters) bytes += weight(parameter);
  }
  return bytes;
}

base::Result<CommitQueue::Ticket> CommitQueue::push(Pending& pending) {
  const std::size_t bytes = weight(pending.unit);
  if (bytes > limits_.unit_bytes) {
    return base::invalid_argument("a unit of work of " + std::to_string(bytes) +
                                  " bytes; at most " + std::to_string(limits_.unit_bytes) +
                                  " fit into one");
  }
  return state_.update([&](State& state) -> base::Result<Ticket> {
    if (state.closed) return base::cancelled("the database is being closed");
    if (state.waiting >= limits_.units || state.bytes + bytes > limits_.bytes) {
      return base::resource_exhausted("too many writes are waiting for the database: " +
                                      std::to_string(state.waiting));
    }
    const Ticket ticket = state.first + state.entries.size();
    state.entries.push_back({std::move(pending), bytes});
    ++state.waiting;
    state.bytes += bytes;
    return ticket;
  });
}

base::Result<void> CommitQueue::push_along(Pending& pending) {
  std::vector<Pending> full;
  const bool accepted = along_.with([&](Along& along) {
    if (along.closed || weight(pending.unit) > limits_.unit_bytes) return false;
    along.units.push_back(std::move(pending));
    if (along.units.size() >= kMostAlong) full.swap(along.units);
    return true;
  });
  // push() returns the reason.
  if (!accepted) CLEVER_TRY(push(pending));
  for (Pending& unit : full) CLEVER_TRY(push(unit));
  return {};
}

std::optional<Pending> CommitQueue::withdraw(Ticket ticket) {
  return state_.update([&](State& state) -> std::optional<Pending> {
    if (ticket < state.first) return std::nullopt;
    Entry& entry = state.entries[ticket - state.first];
    auto pending = std::exchange(entry.pending, std::nullopt);
    if (pending) {
      CLEVER_CHECK(state.waiting > 0 && state.bytes >= entry.bytes, "the queue counts what waits");
      --state.waiting;
      state.bytes -= entry.bytes;
    }
    drop_withdrawn(state);
    return pending;
  });
}

void CommitQueue::drop_withdrawn(State& state) {
  while (!state.entries.empty() && !state.entries.front().pending) {
    state.entries.pop_front();
    ++state.first;
  }
}

base::Result<void> CommitQueue::wait(const base::StopToken& stop, base::Deadline deadline) {
  return state_
      .update_when(
          stop, deadline, [](const State& state) { return state.waiting > 0 || state.closed; },
          [](State& state) -> bool { return state.waiting > 0; })
      .and_then([](bool something) -> base::Result<void> {
        if (!something) return base::cancelled("the database is being closed");
        return {};
      });
}

std::size_t CommitQueue::waiting() const {
  return state_.read([](const State& state) { return state.waiting; });
}

std::vector<Pending> CommitQueue::take(std::size_t units, std::size_t bytes) {
  std::vector<Pending> taken = state_.update([&](State& state) {
    std::vector<Pending> first;
    while (!state.entries.empty() && first.size() < units) {
      Entry& entry = state.entries.front();
      if (entry.pending) {
        if (!first.empty() && entry.bytes > bytes) break;
        bytes -= entry.bytes < bytes ? entry.bytes : bytes;
        first.push_back(std::move(*entry.pending));
        --state.waiting;
        state.bytes -= entry.bytes;
      }
      state.entries.pop_front();
      ++state.first;
    }
    return first;
  });
  add_along(taken);
  return taken;
}

// Runs after the take, so that units that came before a taken unit are taken too.
void CommitQueue::add_along(std::vector<Pending>& taken) {
  auto units = along_.with([](Along& along) { return std::exchange(along.units, {}); });
  std::ranges::move(taken, std::back_inserter(units));
  taken = std::move(units);
}

void CommitQueue::close() {
  auto units = along_.with([](Along& along) {
    along.closed = true;
    return std::exchange(along.units, {});
  });
  for (Pending& unit : units) static_cast<void>(push(unit).ok());
  state_.update([](State& state) { state.closed = true; });
}

}  // namespace clever::storage::internal
