#pragma once
// Private to the module.
#include <string>
#include <vector>

#include "base/result.h"
#include "model/message.h"
#include "plan/state.h"
#include "service/plan/session_plans.h"

// The earlier turns of a conversation, for the actor of its next plan. It is a part of that plan's
// first prompt, after the task: durable, and shown by `agents plan explain`.
namespace clever::service {

/// One plan of the conversation. A value.
struct EarlierPlan {
  /// What the person said to it, the task first.
  std::vector<std::string> said{};
  /// The last words about the work.
  std::string answered{};
  /// What became of it: what landed, or that nothing did.
  std::string outcome{};
};

/// The most that is handed on, in bytes.
inline constexpr std::size_t kMostEarlier = std::size_t{8} << 10U;

/// The words for the model, at most kMostEarlier bytes: the newest plans, the oldest of them first,
/// with long texts cut; empty if there are none. `before`: how many there were before these.
[[nodiscard]] std::string earlier_turns(const std::vector<EarlierPlan>& plans,
                                        std::size_t before = 0);

/// What became of a plan, in words.
[[nodiscard]] std::string outcome_of(const plan::State& plan);

/// The same of the plans of a conversation as the database has them. Words that are gone are left
/// out.
[[nodiscard]] base::Result<std::string> earlier_turns(const PlanDatabase& database,
                                                      const SessionPlans& session,
                                                      Context& context);

}  // namespace clever::service
