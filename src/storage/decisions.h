#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "storage/engine.h"

namespace clever::storage {

/// A decision, and its place in its plan's tree. A value.
struct DecisionNode {
  model::DecisionId id{};
  model::DecisionId parent{};
  /// Of the event that recorded it.
  std::int64_t sequence = 0;
  std::string kind{};
  std::string question{};
  std::string chosen{};
  std::optional<double> confidence{};
  /// Sequence of the event that superseded it; 0 while it is in force.
  std::int64_t superseded = 0;
  /// The event's data, JSON text: alternatives, rationale and so on.
  std::string data{};
  /// Indices of its children in the tree's list, in the order in which they were recorded.
  std::vector<std::size_t> children{};

  friend bool operator==(const DecisionNode&, const DecisionNode&) = default;
};

/// The decisions of plans, a projection of their journals.
///
/// Thread-safe. The engine must outlive it.
class Decisions {
 public:
  explicit Decisions(Engine& engine) : engine_(engine) {}

  /// All decisions of a plan in the order in which they were recorded, by one statement. A root is
  /// a node whose parent is none, or not in this list.
  [[nodiscard]] base::Result<std::vector<DecisionNode>> tree(
      const model::PlanId& plan, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

 private:
  Engine& engine_;
};

}  // namespace clever::storage
