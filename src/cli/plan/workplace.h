#pragma once
// What commands on plans begin with: the database, the plan that is meant, and the engine. Private
// to the module.
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "cli/models.h"
#include "cli/parse.h"
#include "engine/observer.h"
#include "engine/runtime.h"
#include "plan/state.h"
#include "storage/engine.h"
#include "storage/plans.h"

namespace clever::cli {

/// --database, for every command on plans.
[[nodiscard]] Option plan_database_option();
/// PLAN: an id, a unique prefix, or nothing for the newest plan of this directory.
[[nodiscard]] Positional plan_positional();

/// The database of a command line, open. Looking at plans needs nothing else.
class PlanDatabase {
 public:
  [[nodiscard]] static base::Result<PlanDatabase> open(const Invocation& invocation,
                                                       Context& context);

  [[nodiscard]] storage::Engine& engine() const { return *engine_; }
  /// The plan that a word means; an empty one: the newest root plan of the project in which the
  /// command works. `not_found` says how to make one.
  [[nodiscard]] base::Result<storage::PlanSummary> find(const std::string& word) const;
  /// Folded from its journal.
  [[nodiscard]] base::Result<plan::State> state(const model::PlanId& plan) const;
  /// The plans at and below it, the root first, then by id.
  [[nodiscard]] base::Result<std::vector<storage::PlanSummary>> tree(
      const model::PlanId& plan) const;

 private:
  PlanDatabase(std::shared_ptr<storage::Engine> engine, Context& context)
      : engine_(std::move(engine)), context_(&context) {}
  std::shared_ptr<storage::Engine> engine_;
  Context* context_;
};

/// How a command works with the engine.
struct WorkplaceOptions {
  /// The folder of the project; empty: where the command works.
  std::filesystem::path project{};
  AnswerSource answers{};
  /// A script that answers in place of every provider; a path.
  std::string script{};
  engine::Observer* observer = nullptr;
  bool unconfined = false;
};

/// The engine, for as long as a command runs. Used by one thread; what it gives is thread-safe.
class Workplace {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<Workplace>> open(
      const PlanDatabase& database, const WorkplaceOptions& options, Context& context);
  virtual ~Workplace() = default;
  [[nodiscard]] virtual engine::Runtime& runtime() = 0;
};

}  // namespace clever::cli
