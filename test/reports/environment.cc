#include "reports/environment.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/schedule.h"

namespace clever::reports {
namespace {

constexpr int kChunks = 8;
constexpr std::uint64_t kRoundsPerChunk = 4000;

std::uint64_t hash_for_a_while(std::uint64_t seed) {
  for (std::uint64_t round = 0; round < kRoundsPerChunk; ++round) {
    seed = (seed ^ round) * 0x100000001b3ULL;
  }
  return seed;
}

}  // namespace

void construction_work() {
  if (base::schedule::current() != nullptr) return;
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    hash = hash_for_a_while(hash);
    std::this_thread::yield();
  }
  // Keeps the hashing: the compiler may not know that nobody wants the result.
  volatile std::uint64_t result = hash;
  static_cast<void>(result);
}

void Gate::wait() {
  while (!open_.read()) {
    base::schedule::current()->park(base::schedule::Op::kJoin, this, std::nullopt);
  }
}

void Gate::open() {
  open_.write(true);
  base::schedule::current()->wake_all(this);
}

bool Disk::transact(const std::function<void(std::vector<Record>&)>& change) {
  return state_.with([&](State& state) {
    if (!state.crashed) change(state.records);
    return !state.crashed;
  });
}

bool Disk::write(Record record) {
  return transact([&](std::vector<Record>& records) { records.push_back(std::move(record)); });
}

std::vector<Record> Disk::records() const {
  return state_.with([](const State& state) { return state.records; });
}

std::size_t Disk::count(const std::string& kind, int owner) const {
  return static_cast<std::size_t>(std::ranges::count_if(records(), [&](const Record& record) {
    return record.kind == kind && record.owner == owner;
  }));
}

void Disk::crash() {
  state_.with([](State& state) { state.crashed = true; });
}

void Disk::restart() {
  state_.with([](State& state) { state.crashed = false; });
}

bool Disk::alive() const {
  return state_.with([](const State& state) { return !state.crashed; });
}

}  // namespace clever::reports
