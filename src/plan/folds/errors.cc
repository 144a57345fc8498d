#include "model/work_events.h"
#include "plan/internal/folds.h"

namespace clever::plan::folds {

base::Result<void> error_recorded(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::ErrorRecorded recorded, read<model::ErrorRecorded>(state, event));
  if (recorded.number != state.errors + 1) {
    return cannot_follow(state, event,
                         "the next error is number " + std::to_string(state.errors + 1));
  }
  ++state.errors;
  ++state.consecutive_errors;
  if (recorded.recovery == model::Recovery::kRetry) {
    ++state.retries.at(static_cast<std::size_t>(recorded.category));
  }
  state.last_error = std::move(recorded);
  return {};
}

}  // namespace clever::plan::folds
