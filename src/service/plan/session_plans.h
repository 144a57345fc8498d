#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/commands/run_plans.h"
#include "service/plan/workplace.h"
#include "storage/journal.h"
#include "storage/plans.h"

// Which conversation a plan belongs to is written in its journal, and nowhere else: a conversation
// is its plans.
namespace clever::service {

/// What the names of conversations begin with, to tell them from other budgets that plans share.
inline constexpr std::string_view kConversation = "conversation-";

struct SessionPlans {
  /// PlanSettings::session; empty: there is none.
  std::string session{};
  /// The oldest first.
  std::vector<storage::PlanSummary> plans{};
};

/// Of the conversation that had the newest plan of this project, among its newest thousand plans.
[[nodiscard]] base::Result<SessionPlans> last_session(const PlanDatabase& database,
                                                      const std::string& project, Context& context);
/// Of a certain one.
[[nodiscard]] base::Result<SessionPlans> plans_of_session(const PlanDatabase& database,
                                                          const std::string& project,
                                                          const std::string& session,
                                                          Context& context);

/// The conversation that a plan belongs to; empty: none.
[[nodiscard]] base::Result<std::string> session_of(storage::Journal& journal,
                                                   const model::PlanId& plan,
                                                   const base::StopToken& stop);

/// What a conversation wants done next.
struct SessionTask {
  std::string words{};
  std::filesystem::path project{};
  std::string model{};
  /// An external agent that does it; empty: the usual one.
  std::string agent{};
  std::string session{};
  bool with_strategy = false;
  /// What was worked on so far; none: the plans that name the conversation.
  std::optional<SessionPlans> earlier{};
};

/// A new plan of a conversation, made as `run` makes it and driven by `plans`. It hears what the
/// conversation was about so far. Returns sentences that a person should read.
base::Result<std::vector<std::string>> begin_plan(RunPlans& plans, const PlanDatabase& database,
                                                  const SessionTask& task, Context& context);

}  // namespace clever::service
