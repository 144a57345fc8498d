#pragma once
#include <optional>

#include "apply/apply.h"
#include "apply/internal/state_folder.h"
#include "base/result.h"
#include "base/stop_token.h"

// The marks that an apply and an undo of one project read first. The caller holds its lock.
namespace clever::apply::internal {

/// The request that undoes what this request landed.
[[nodiscard]] Request inverse_of(const Request& request);
/// Returns how it landed, unless it was undone since.
[[nodiscard]] base::Result<std::optional<DoneMark>> standing_mark(const StateFolder& state,
                                                                  const Request& request);
/// Removes the marks of an apply and its undo: applying again makes both history.
base::Result<void> forget_undone(const StateFolder& state, const Request& request);
/// How to undo a request: the inverse request, the branch if the request landed on one, and the
/// mark of an undo that has happened already. `not_found` if the request never landed.
struct UndoOrder {
  Request request;
  std::optional<std::string> branch{};
  std::optional<DoneMark> undone{};
};
[[nodiscard]] base::Result<UndoOrder> undo_order(const StateFolder& state, const Request& applied);
/// `already_exists`, or `invalid_argument`, for a branch that cannot be made.
[[nodiscard]] base::Result<void> check_branch(const Request& request, const base::StopToken& stop,
                                              base::Deadline deadline);
[[nodiscard]] Outcome already(const DoneMark& mark);

}  // namespace clever::apply::internal
