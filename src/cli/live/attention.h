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

/// Returns the bytes for the terminal: a bell, and for kDesktop the two escape sequences for
/// notifications (OSC 9 and OSC 777). The text cannot steer the terminal.
[[nodiscard]] std::string attention_bytes(Notify how, std::string_view words);

/// Notices when a plan starts to need a person: it waits for approval, an answer or money, is
/// constrained or errored. A value without a lock; guard it to share it.
class Attention {
 public:
  /// Returns the message when the plan first needs a person; again only after it has continued.
  /// Ignores subplans: their root needs the person.
  [[nodiscard]] std::optional<std::string> on_state(const plan::State& state);

 private:
  std::map<model::PlanId, bool> needs_;
};

}  // namespace clever::cli
