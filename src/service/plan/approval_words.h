#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/control_events.h"
#include "model/document.h"
#include "plan/command.h"
#include "plan/state.h"
#include "service/screen.h"
#include "service/view.h"

// What a plan asks a person about, for people. Private to the module.
namespace clever::service {

using model::Document;

[[nodiscard]] Document approval_document(const model::ApprovalRequested& asked);
[[nodiscard]] Table approval_table(const model::ApprovalRequested& asked);

/// The items that a person named, by their id or by their number in the table; empty for none.
/// `not_found` says which there are.
[[nodiscard]] base::Result<std::vector<std::string>> meant_items(
    const model::ApprovalRequested& asked, const std::vector<std::string>& words);

/// What more there is to say about an item: approval_details().
using DetailsOf = std::function<std::string(const model::ApprovalItem& item)>;

/// Asks about each item at a terminal: yes, no (with a reason), yes to all that are left, details
/// first, or nothing, which leaves it as it is. The commands that say so, in order. Only if
/// can_ask().
[[nodiscard]] base::Result<std::vector<plan::Command>> ask_for_approval(
    const Screen& screen, const plan::State& plan, const DetailsOf& details,
    const base::StopToken& stop);

/// Whether the commands of ask_for_approval() leave nothing of it open.
[[nodiscard]] bool answers_all(const std::vector<plan::Command>& commands,
                               const model::ApprovalRequested& asked);

}  // namespace clever::service
