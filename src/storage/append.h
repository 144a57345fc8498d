#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/event.h"
#include "storage/bodies.h"
#include "storage/head.h"
#include "storage/statement.h"

namespace clever::storage {

/// What happens together in a plan's journal, or not at all. A value.
///
/// Effects are events (model::EffectRequested, model::EffectSettled); so are decisions and money.
struct Append {
  /// A command of the plan's inbox that these events answer.
  struct Consumed {
    std::int64_t command = 0;
    /// Given to whoever sends the same command again.
    std::string receipt{};
  };

  model::PlanId plan{};
  /// What the events were decided from.
  Head expected{};
  /// Of the plan's lease, as it was acquired.
  std::int64_t epoch = 0;
  std::vector<model::Event> events{};
  /// Contents that the events name and that may be new.
  std::vector<Body> bodies{};
  std::vector<Consumed> consumed{};
  /// Whatever else belongs into the transaction: a parent's inbox, a job's completion, a guard.
  std::vector<Statement> also{};
  /// Notified besides the plan itself.
  std::vector<std::string> topics{};
};

}  // namespace clever::storage
