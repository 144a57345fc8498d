#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "model/control_events.h"
#include "model/event.h"
#include "model/id.h"
#include "plan/state.h"
#include "provider/governor/wait.h"
#include "storage/model_calls.h"

namespace clever::engine {

/// Something that a plan's work waits for. A value.
struct WaitNotice {
  /// "anthropic/claude is overloaded"
  std::string why{};
  /// None: unknown.
  std::optional<base::WallTime> until{};
  /// The same for a person who looks now: "anthropic/claude is overloaded; next try in 40 s"
  std::string sentence{};
};

/// What a call of the model waits for.
[[nodiscard]] WaitNotice wait_notice(const provider::Wait& wait, std::string_view model,
                                     base::Clock& clock);

/// Sees what plans driven by this process do, for showing only. Called on whatever thread, for one
/// plan in order; must not block.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Committed events, with the state after them.
  virtual void on_events(const plan::State& /*state*/,
                         const std::vector<model::StoredEvent>& /*events*/) {}
  /// A piece of a model's answer while it is being made; `reasoning` of its thinking.
  virtual void on_text(const model::PlanId& /*plan*/, const std::string& /*text*/,
                       bool /*reasoning*/) {}
  /// The answer starts over.
  virtual void on_restart(const model::PlanId& /*plan*/) {}
  /// A call waits for a limit, or an agent is silent.
  virtual void on_wait(const model::PlanId& /*plan*/, const WaitNotice& /*wait*/) {}
  /// A tool begins ("edit_file src/a.cc") or ended.
  virtual void on_tool(const model::PlanId& /*plan*/, const std::string& /*call*/,
                       bool /*begins*/) {}
  /// A call of a model ended.
  virtual void on_model_call(const storage::ModelCallRecord& /*call*/) {}
  /// One of the plan's validations ended.
  virtual void on_validation(const model::PlanId& /*plan*/,
                             const model::ValidationResult& /*result*/) {}
};

}  // namespace clever::engine
