#include "provider/stored_circuits.h"

#include <algorithm>
#include <set>

namespace clever::provider {

void StoredCircuits::opened(const LaneKey& lane, base::TimePoint next_probe) {
  const auto until = std::max(base::Duration::zero(), next_probe - clock_.now());
  write(storage::Circuits::opened(lane.provider, lane.model, "several calls in a row failed",
                                  std::chrono::duration_cast<std::chrono::microseconds>(until)));
}

void StoredCircuits::closed(const LaneKey& lane) {
  write(storage::Circuits::closed(lane.provider, lane.model));
}

void StoredCircuits::write(storage::UnitOfWork unit) {
  engine_.submit(std::move(unit), [](const base::Result<storage::Receipt>&) {});
}

ResetWatch::ResetWatch(storage::Engine& engine, OnReset on_reset)
    : engine_(engine),
      on_reset_(std::move(on_reset)),
      watch_(engine, storage::Circuits::kTopic),
      seen_(resets()),
      thread_("resets", [this](const base::StopToken& stop) { run(stop); }) {}

void ResetWatch::run(const base::StopToken& stop) {
  while (true) {
    const std::uint64_t changes = watch_.changes();
    look();
    if (!watch_.wait(changes, stop, base::Deadline::never()).ok()) return;
  }
}

void ResetWatch::look() {
  const Resets now = resets();
  std::set<std::string> providers;
  for (const auto& [circuit, count] : now) {
    const auto before = seen_.find(circuit);
    if (count > (before == seen_.end() ? 0 : before->second)) providers.insert(circuit.first);
  }
  seen_ = now;
  for (const std::string& provider : providers) on_reset_(provider);
}

// Keeps the last value if the store cannot be read: the next wake-up looks again.
ResetWatch::Resets ResetWatch::resets() {
  const auto records = storage::Circuits(engine_).list();
  if (!records.ok()) return seen_;
  Resets resets;
  for (const storage::CircuitRecord& record : *records) {
    resets[{record.provider, record.model}] = record.resets;
  }
  return resets;
}

}  // namespace clever::provider
