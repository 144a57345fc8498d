#include "plan/internal/draft.h"
#include "plan/internal/go_on.h"
#include "plan/internal/stop.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

model::Cost spent_by(const Command& command) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.spent; }) return model::Cost(one.spent);
        return model::Cost();
      },
      command);
}

}  // namespace

base::Result<Decided> stopped(const State& state, const Command& command,
                              const Circumstances& circumstances) {
  Draft draft(state, circumstances);
  draft.settle(stopped_by(state, command), "cancelled", spent_by(command));
  if (!finish_cancel(draft)) go_on_corrected(draft);
  return draft.finish();
}

}  // namespace clever::plan::transitions
