#pragma once
// Private to the module.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/plan/workplace.h"
#include "storage/plans.h"

// Which conversation a plan belongs to is written in its journal, and nowhere else: a conversation
// is its plans.
namespace clever::cli {

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

}  // namespace clever::cli
