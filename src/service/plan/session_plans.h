#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/message.h"
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
  /// Empty: it belongs to none.
  std::string session{};
  bool with_strategy = false;
  /// The plan whose changes it continues with; none: it starts with the project.
  model::PlanId from_plan{};
  /// What was worked on so far; none: the plans that name the conversation.
  std::optional<SessionPlans> earlier{};
  /// The template; empty: the usual one.
  std::string action{};
  std::map<std::string, std::string> arguments{};
  std::vector<model::Image> images{};
  /// Rules that the person remembered in this conversation.
  std::vector<std::string> allow{};
};

/// A template that a person or the project has, as `/NAME`.
struct OwnAction {
  std::string name{};
  std::string summary{};
  /// Its arguments in order.
  std::vector<std::string> arguments{};
};
/// By name, without those that are built in.
[[nodiscard]] base::Result<std::vector<OwnAction>> own_actions(const std::filesystem::path& project,
                                                               const Context& context);

/// The pictures whose paths stand in what a person said, each once.
[[nodiscard]] base::Result<std::vector<model::Image>> named_images(
    const std::string& words, const std::filesystem::path& folder, const Context& context);

/// "ALIAS  provider/model": what a person can choose from; those that cannot be used are left out.
[[nodiscard]] base::Result<std::vector<std::string>> model_names(Context& context);

/// What a conversation shows of itself.
struct SessionStatus {
  std::string model{};
  /// Tokens that the last answer was made from, and of how many at most.
  std::int64_t context = 0;
  std::int64_t window = 0;
  /// Of the present plan and those below it.
  plan::Usage usage{};
  model::Microdollars session_cost = 0;
};
[[nodiscard]] base::Result<SessionStatus> session_status(const PlanDatabase& database,
                                                         const model::PlanId& present,
                                                         const std::string& session,
                                                         const std::string& project,
                                                         Context& context);

/// The conversations of a project among its newest thousand plans, the newest first.
[[nodiscard]] base::Result<std::vector<SessionPlans>> conversations(const PlanDatabase& database,
                                                                    const std::string& project,
                                                                    Context& context);

/// A plan that is not made yet.
struct NewSessionPlan {
  plan::Create create{};
  storage::Caps caps{};
  /// Sentences that a person should read.
  std::vector<std::string> remarks{};
};
[[nodiscard]] base::Result<NewSessionPlan> new_session_plan(const PlanParts& parts,
                                                            const PlanDatabase& database,
                                                            const SessionTask& task,
                                                            Context& context);

/// A new plan of a conversation, made as `run` makes it and driven by `plans`. It hears what the
/// conversation was about so far. Returns sentences that a person should read.
/// `with` is committed with it if it is not driven here.
base::Result<std::vector<std::string>> begin_plan(RunPlans& plans, const PlanDatabase& database,
                                                  const SessionTask& task, Context& context,
                                                  const engine::PlanEngine::With& with = {});

}  // namespace clever::service
