#include "reports/error_recovery_ours.h"

#include <array>

#include "engine/error_recovery_service.h"
#include "plan/decide.h"
#include "plan/recovery_policy.h"
#include "reports/disk_plans.h"
#include "sim/engine/writer_kit.h"

namespace clever::reports::error_recovery {
namespace {

// The product's budgets are those of its policy: one that has exactly so many retries.
model::ErrorCategory category_with(int budget) {
  for (std::size_t i = 0; i < model::kErrorCategories; ++i) {
    const auto category = static_cast<model::ErrorCategory>(i);
    if (plan::recovery_policy(category).retries == budget) return category;
  }
  base::check_failed("retries == budget", "no category has this budget", __FILE__, __LINE__);
}

}  // namespace

// What one process has of the plan: its lease, its writer, the service on it.
class Ours::Life {
 public:
  Life(Disk& disk, int budget)
      : store_(disk), category_(category_with(budget)), writer_(open()), service_(*writer_) {
    if (!writer_->state()->exists()) (void)writer_->execute({sim::new_plan()});
  }

  bool record(int error) {
    const auto decision =
        sim::record(service_, {.category = category_, .message = std::to_string(error)});
    return decision.ok() && decision->recovery == model::Recovery::kRetry;
  }
  [[nodiscard]] std::vector<int> errors() {
    std::vector<int> found;
    for (const auto& error : sim::error_history(store_, plan_).value()) {
      // Ordered and gapless, or it does not count.
      if (error.number != static_cast<std::int64_t>(found.size()) + 1) break;
      found.push_back(std::stoi(error.message));
    }
    return found;
  }

 private:
  std::unique_ptr<engine::PlanWriter> open() {
    auto lease = store_.acquire(plan_).value();
    const auto loaded = store_.load(plan_).value();
    plan::State state;
    state.id = plan_;
    if (!loaded.events.empty()) state = plan::fold(loaded.events).value();
    return std::make_unique<engine::PlanWriter>(store_, scheduler_, scheduler_.make_strand(),
                                                std::move(lease), loaded.state.head,
                                                std::move(state), engine::PlanWriter::Hooks{});
  }

  const model::PlanId plan_ = sim::plan_id(1);
  sim::StillClock clock_;
  sim::TurnScheduler scheduler_{clock_};
  DiskPlans store_;
  const model::ErrorCategory category_;
  const std::unique_ptr<engine::PlanWriter> writer_;
  engine::ErrorRecoveryService service_;
};

Ours::Ours(Disk& disk, int budget) : life_(std::make_unique<Life>(disk, budget)) {}
Ours::~Ours() = default;

bool Ours::record(int error) { return life_->record(error); }

std::vector<int> Ours::errors() const { return life_->errors(); }

}  // namespace clever::reports::error_recovery
