#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "model/time.h"
#include "storage/engine.h"

namespace clever::storage {

/// A command that its plan has not consumed yet. A value.
struct Command {
  std::int64_t id = 0;
  std::string key{};
  std::string body{};
  model::Timestamp received{};
};

/// The state of a command. A value.
struct CommandReceipt {
  /// False if a command with the same key and body was sent before: this is the state of that one.
  bool is_new = false;
  std::int64_t id = 0;
  /// Sequence of the last event of the append that consumed it; 0 while it waits.
  std::int64_t consumed = 0;
  /// The receipt of that append.
  std::string receipt{};

  friend bool operator==(const CommandReceipt&, const CommandReceipt&) = default;
};

/// The durable commands to plans. A command is consumed exactly once, in the transaction that
/// appends its events (Append::consumed).
///
/// Thread-safe. The engine must outlive it.
class Inbox {
 public:
  explicit Inbox(Engine& engine) : engine_(engine) {}

  /// Sends a command and wakes the plan. The key makes it idempotent: sending it again with the
  /// same body returns the same command; with another body it is `conflict`. `not_found` without
  /// such a plan.
  base::Result<CommandReceipt> send(const model::PlanId& plan, std::string key, std::string body,
                                    const base::StopToken& stop = {},
                                    base::Deadline deadline = base::Deadline::never());

  /// The same as part of another unit (a child's last event, a job's completion), which is refused
  /// if send() would be.
  static void add(UnitOfWork& unit, const model::PlanId& plan, std::string key, std::string body);
  /// For Append::also; the caller adds plan_name(plan) and inbox_name(plan) to its topics.
  [[nodiscard]] static std::vector<Statement> statements(const model::PlanId& plan, std::string key,
                                                         std::string body);
  /// The same for a plan that may not exist yet, and refuses nothing: a key that was used before is
  /// the same command.
  [[nodiscard]] static std::vector<Statement> early_statements(const model::PlanId& plan,
                                                               std::string key, std::string body);

  /// The waiting commands, in the order of arrival.
  [[nodiscard]] base::Result<std::vector<Command>> pending(
      const model::PlanId& plan, std::size_t limit = 1000, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

  /// `not_found` if no such command was sent.
  [[nodiscard]] base::Result<CommandReceipt> receipt(
      const model::PlanId& plan, const std::string& key, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

 private:
  Engine& engine_;
};

}  // namespace clever::storage
