#pragma once
#include <string>
#include <vector>

#include "model/control_events.h"
#include "plan/command.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"

// Requests for approval, and the consequences of the answer.
namespace clever::plan {

inline constexpr std::string_view kToolsSubject = "tools";
inline constexpr std::string_view kStrategySubject = "strategy";
inline constexpr std::string_view kAgentSubject = "agent";
inline constexpr std::string_view kReversionSubject = "reversion";

/// Refuses calls of an answer: those that its verdicts deny, and those beyond the guard's limit per
/// step.
void refuse_calls(const State& state, const Answered& answer, ToolsData& tools);
/// The calls that need approval, in order, with a unique name for each.
[[nodiscard]] std::vector<model::ApprovalItem> asked_about(const Answered& answer,
                                                           const ToolsData& tools);

/// Holds the calls until a person answers about these items.
void hold_tools(Draft& draft, const ToolsData& tools, std::vector<model::ApprovalItem> items);
/// An external agent stopped before these calls; it continues once a person has decided.
void ask_about_agent(Draft& draft, std::vector<model::ApprovalItem> items);
/// Holds the strategy, or the return to strategize.
void ask_about_strategy(Draft& draft);
void ask_about_reversion(Draft& draft, const std::string& why);

/// The request has expired: a new one asks the same.
void ask_again(Draft& draft);

/// A person approved all but the named items. The plan continues.
void answer_approval(Draft& draft, const std::vector<std::string>& rejected,
                     const std::string& reason, const std::string& by,
                     const std::vector<std::string>& remember = {});
/// A person answered about some items; asks again about the rest.
void answer_in_part(Draft& draft, const std::vector<std::string>& rejected,
                    const std::vector<std::string>& approved, const std::string& reason,
                    const std::string& by);
/// A person did something else instead: answers held calls as not run, and ends the wait for
/// approval. The plan still waits.
void withdraw_approval(Draft& draft, const std::string& why);

}  // namespace clever::plan
