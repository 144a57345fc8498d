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

/// Changes to a plan's journal that happen together or not at all. A value.
///
/// Effects are events (model::EffectRequested, model::EffectSettled); so are decisions and money.
struct Append {
  /// A command of the plan's inbox that these events answer.
  struct Consumed {
    std::int64_t command = 0;
    /// The answer to a repetition of the command.
    std::string receipt{};
  };

  model::PlanId plan{};
  /// The head that the events were decided from.
  Head expected{};
  /// The epoch of the plan's lease, as acquired.
  std::int64_t epoch = 0;
  std::vector<model::Event> events{};
  /// Contents that the events name and that may be new.
  std::vector<Body> bodies{};
  std::vector<Consumed> consumed{};
  /// Statements that the same transaction runs first: those that make a new plan's journal.
  std::vector<Statement> before{};
  /// Other statements of the same transaction: a parent's inbox, a job's completion, a guard.
  std::vector<Statement> also{};
  /// Topics to notify besides the plan itself.
  std::vector<std::string> topics{};
};

}  // namespace clever::storage
