#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/secrets.h"
#include "model/message.h"
#include "plan/command.h"

// Known secrets are in no event, no message and nothing that a model reads. Pure functions.
namespace clever::engine {

/// What was withheld of a model's answer. A value.
struct WithheldAnswer {
  /// How many of its parts were masked or dropped.
  std::int64_t parts = 0;
  /// One per ToolCall part, in order: its arguments held a secret, so the call must not run. What
  /// is left of them is for reading only.
  std::vector<bool> refused{};
};

/// Masks known secrets in a model's answer. Thinking that carries a provider's signature is
/// dropped: the provider would refuse it edited.
WithheldAnswer withhold_from_answer(model::Message& answer, const base::Secrets& secrets);

/// Masks known secrets in the words of a command: those of people, and what effects report. Files
/// and trees stay as they are.
void withhold_from_command(plan::Command& command, const base::Secrets& secrets);

/// `invalid_argument` if a new plan is to run or to write a known secret: its settings are stored
/// as they are, since masked they would do something else.
[[nodiscard]] base::Result<void> refuse_secrets(const model::PlanSettings& settings,
                                                const base::Secrets& secrets);

/// Why a tool call whose arguments held a known secret is not run.
[[nodiscard]] std::string secret_in_arguments(const std::string& tool);

}  // namespace clever::engine
