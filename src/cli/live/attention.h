#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/id.h"
#include "plan/state.h"
#include "service/live.h"

// Notifies a person who looks elsewhere that a plan needs them.
namespace clever::cli {

using service::Notify;

/// What a terminal is sent: a bell, and for kDesktop the two escapes for a notification that
/// terminals know (OSC 9 and OSC 777). The words cannot steer it.
[[nodiscard]] std::string attention_bytes(Notify how, std::string_view words);

/// Notices when plans start to need a person: waiting for approval, an answer or money, constrained
/// or errored. A value without a lock; guard it to share it.
class Attention {
 public:
  /// What to say, the first time that the plan is seen so; again only after it went on. Subplans
  /// are their root's business.
  [[nodiscard]] std::optional<std::string> on_state(const plan::State& state);

 private:
  std::map<model::PlanId, bool> needs_;
};

}  // namespace clever::cli
