#include "service/plan_recorder.h"

#include <utility>

#include "base/random.h"
#include "base/ulid.h"
#include "service/plan/workplace.h"

namespace clever::service {

PlanRecorder::PlanRecorder(const storage::Engine& store, std::unique_ptr<Workplace> workplace,
                           storage::OwnerLock owner)
    : store_(store),
      workplace_(std::move(workplace)),
      owner_(std::make_shared<const storage::OwnerLock>(std::move(owner))) {}

PlanRecorder::~PlanRecorder() = default;

base::Result<std::unique_ptr<PlanRecorder>> PlanRecorder::open(
    const std::shared_ptr<storage::Engine>& store, Context& context) {
  CLEVER_ASSIGN(auto workplace, Workplace::open(PlanDatabase::over(store, context),
                                                {.any_project = true}, context));
  base::SystemRandom random;
  base::UlidGenerator ids(context.clock(), random);
  CLEVER_ASSIGN(auto owner,
                storage::OwnerLock::acquire(context.home() / "owners", model::OwnerId(ids.next()),
                                            context.stop()));
  return std::unique_ptr<PlanRecorder>(
      new PlanRecorder(*store, std::move(workplace), std::move(owner)));
}

engine::Runtime* PlanRecorder::runtime(const storage::Engine& store) const {
  return &store == &store_ ? &workplace_->runtime() : nullptr;
}

}  // namespace clever::service
