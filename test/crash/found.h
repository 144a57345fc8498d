#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "storage/engine.h"

namespace clever::storage::crash {

/// What a database holds of a load, seen at one moment.
struct Found {
  struct Event {
    std::string plan;
    std::int64_t sequence = 0;
    std::string kind;
    std::string data;
    std::string hash;
  };
  struct Command {
    std::string plan;
    std::string key;
    std::string body;
    std::int64_t consumed = 0;
  };
  struct Job {
    std::int64_t tag = -1;
    std::int64_t state = 0;
    std::int64_t attempts = 0;
  };
  using Place = std::pair<std::string, std::int64_t>;  // plan and sequence

  [[nodiscard]] static base::Result<Found> read(Engine& engine);
  [[nodiscard]] const Event* event_at(const std::string& plan, std::int64_t sequence) const;

  std::vector<Event> events;  // by plan and sequence
  std::map<Place, std::size_t> event_by_place;
  std::map<std::int64_t, Place> pairs;
  std::map<std::int64_t, std::string> left;
  std::map<std::int64_t, std::string> right;
  std::map<std::int64_t, std::int64_t> counters;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> raises;
  std::map<std::int64_t, Command> commands;
  std::vector<Job> jobs;
  std::map<std::int64_t, std::int64_t> done;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> effects;  // requested and settled
  std::map<std::string, std::int64_t> epochs;                            // of leases
  std::int64_t effect_jobs = 0;
  std::int64_t decisions = 0;
  std::int64_t shares = 0;                // in the budget, of all plans
  std::optional<std::int64_t> counted{};  // in its scope; none: it has no cap
};

}  // namespace clever::storage::crash
