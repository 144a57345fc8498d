#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/id.h"
#include "plan/state.h"
#include "service/notice/notice_targets.h"
#include "storage/append.h"

// Notices are jobs of a queue of their own, written in the transaction of the event that they tell
// of: a kill between the event and its delivery loses none.
namespace clever::service {

inline constexpr std::string_view kNoticeQueue = "notices";

/// One event of a plan for one target. A value.
struct Notice {
  /// "plan.waiting"
  std::string event{};
  model::PlanId plan{};
  /// Of the event in the plan's journal.
  std::int64_t sequence = 0;
  /// NoticeTarget::name.
  std::string target{};

  /// The same for each delivery: a receiver knows by it what it has seen.
  [[nodiscard]] std::string id() const { return plan.to_string() + "." + std::to_string(sequence); }
  friend bool operator==(const Notice&, const Notice&) = default;
};

[[nodiscard]] std::string to_body(const Notice& notice);
[[nodiscard]] base::Result<Notice> parse_notice(std::string_view body);

/// Adds a job for each target that hears of one of the events. A subplan's end is its parent's
/// matter; that it waits is a person's.
void add_notices(const NoticeTargets& targets, const plan::State& after, storage::Append& append);

}  // namespace clever::service
