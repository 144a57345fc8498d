#pragma once
#include <string>
#include <vector>

#include "model/control_events.h"
#include "plan/command.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"

// What a person is asked about, and what follows from the answer.
namespace clever::plan {

inline constexpr std::string_view kToolsSubject = "tools";
inline constexpr std::string_view kStrategySubject = "strategy";
inline constexpr std::string_view kAgentSubject = "agent";
inline constexpr std::string_view kReversionSubject = "reversion";

/// What is refused of the calls of an answer: what its verdicts deny, and what is more than the
/// guard allows in one step.
void refuse_calls(const State& state, const Answered& answer, ToolsData& tools);
/// The calls that a person is asked about, in their order; a name for each that is unique.
[[nodiscard]] std::vector<model::ApprovalItem> asked_about(const Answered& answer,
                                                           const ToolsData& tools);

/// The calls wait until a person has said something about these.
void hold_tools(Draft& draft, const ToolsData& tools, std::vector<model::ApprovalItem> items);
/// An external agent stopped before these calls; it continues once a person has decided.
void ask_about_agent(Draft& draft, std::vector<model::ApprovalItem> items);
/// The strategy waits, or going back to strategize does.
void ask_about_strategy(Draft& draft);
void ask_about_reversion(Draft& draft, const std::string& why);

/// A person said yes, but for what is named. The plan goes on.
void answer_approval(Draft& draft, const std::vector<std::string>& rejected,
                     const std::string& reason, const std::string& by,
                     const std::vector<std::string>& remember = {});
/// A person answered some of it; the rest is asked about anew.
void answer_in_part(Draft& draft, const std::vector<std::string>& rejected,
                    const std::vector<std::string>& approved, const std::string& reason,
                    const std::string& by);
/// A person did something else instead: calls that were held are answered as not run, and nothing
/// is awaited any more. The plan still waits.
void withdraw_approval(Draft& draft, const std::string& why);

}  // namespace clever::plan
