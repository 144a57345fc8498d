#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "model/id.h"
#include "model/time.h"
#include "plan/command.h"
#include "plan/internal/money.h"
#include "plan/state.h"

// The data of effects (state.h has the table). Written here, and read here and by the runners.
// Total: missing parts are empty.
namespace clever::plan {

struct ToolsData {
  struct Call {
    std::string id{};
    std::string name{};
    CallClass call_class = CallClass::kRead;
    /// The answer in place of running it; empty: it runs. "refused" in the JSON.
    std::string refused{};
  };
  std::vector<Call> calls{};
  std::string answer{};
};
[[nodiscard]] std::string tools_data(const ToolsData& data);
[[nodiscard]] ToolsData read_tools(std::string_view data);

struct TimerData {
  model::Timestamp due{};
  /// A kind of effect, or "step": the present step, or the strategy, from its beginning.
  std::string then{};
  std::string data = "{}";
};
[[nodiscard]] std::string timer_data(const TimerData& data);
[[nodiscard]] TimerData read_timer(std::string_view data);

/// Includes the bounds if they are less than `whole`.
[[nodiscard]] std::string turn_data(std::int64_t turn, const CallBounds& bounds,
                                    const CallBounds& whole);
[[nodiscard]] std::string step_data(std::string_view step);
[[nodiscard]] std::string subplan_data(std::string_view step, std::int64_t attempt,
                                       const model::PlanId& child);
[[nodiscard]] std::string merge_data(const std::vector<std::string>& steps);
[[nodiscard]] std::vector<std::string> read_merge(std::string_view data);
/// `then`: kSeal or kApply.
[[nodiscard]] std::string validate_data(std::string_view tree, EffectKind then);
[[nodiscard]] EffectKind read_validate(std::string_view data);
[[nodiscard]] std::string seal_data(const model::ChangesetId& changeset);
/// `edits`: the hash of their body, in hexadecimal digits; empty if there are none.
[[nodiscard]] std::string choose_data(const base::Sha256Digest& reviewed,
                                      const std::vector<std::string>& keep,
                                      const std::string& edits);

/// Of an undo: who asked for it.
[[nodiscard]] std::string undo_data(const std::string& by);
[[nodiscard]] std::string read_undo_by(std::string_view data);

/// The step of an actor.work or subplan.run.
[[nodiscard]] std::string step_of(std::string_view data);

/// Whether it is the plan's own work: everything except subplans.
[[nodiscard]] inline bool is_own(const OpenEffect& effect) {
  return effect.kind != EffectKind::kSubplan;
}
[[nodiscard]] bool own_work_is_open(const State& state);

}  // namespace clever::plan
