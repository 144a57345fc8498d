#pragma once
// Approvals that wait for a person, over all plans. Private to the module.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/control_events.h"
#include "model/id.h"
#include "plan/state.h"
#include "service/context.h"
#include "service/plan/workplace.h"

namespace clever::service {

/// Names one request of a plan: "01K….3". It is the journal's: it lasts as long as the plan. A
/// value.
struct ApprovalId {
  model::PlanId plan{};
  std::int64_t number = 0;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] static base::Result<ApprovalId> parse(std::string_view text);
  friend bool operator==(const ApprovalId&, const ApprovalId&) = default;
};

/// A request that waits. A value.
struct WaitingApproval {
  ApprovalId id{};
  model::ApprovalRequested request{};
  /// Of what is asked: an answer names it, so that it means nothing else.
  std::string digest{};
  storage::PlanSummary plan{};
};

/// What was said to one: the first answer, in the plan's journal. A value.
struct ApprovalReceipt {
  bool approved = false;
  std::vector<std::string> rejected{};
  std::string reason{};
  std::int64_t sequence = 0;
  model::Timestamp time{};
};

/// The request that the plan waits for; none: it waits for no approval.
[[nodiscard]] std::optional<WaitingApproval> waiting_approval(const plan::State& plan,
                                                              storage::PlanSummary summary);
/// Those of plans that exist for the caller, the newest plans first; of plans older than `after`,
/// if it is given.
[[nodiscard]] base::Result<std::vector<WaitingApproval>> waiting_approvals(
    const PlanDatabase& database, std::size_t limit, model::PlanId after, Context& context);
/// None: it was never answered.
[[nodiscard]] base::Result<std::optional<ApprovalReceipt>> approval_receipt(
    const PlanDatabase& database, const ApprovalId& id, Context& context);

}  // namespace clever::service
