#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/time.h"
#include "storage/engine.h"

namespace clever::storage {

/// A change of rights, or a denied call. A value.
struct AuditEntry {
  /// 1, 2, 3, …; the log sets it, and the time.
  std::int64_t sequence = 0;
  model::Timestamp time{};
  /// "ada", "the server's token"; empty if unknown.
  std::string caller{};
  /// "token.create", "POST /v1/plans"
  std::string action{};
  /// The target: a token, a person, a path.
  std::string target{};
  /// "done", "denied"
  std::string outcome{};
  std::string detail{};

  friend bool operator==(const AuditEntry&, const AuditEntry&) = default;
};

/// Denied calls and changes of rights, in one chain of hashes: `db verify` finds an entry that was
/// changed, removed or inserted.
///
/// Thread-safe, and safe between processes. Its constructor arguments must outlive it.
class AuditLog {
 public:
  AuditLog(Engine& engine, const base::Clock& clock) : engine_(engine), clock_(clock) {}

  /// Commits the entry and the unit in one transaction; refused like the unit. Cuts texts to the
  /// length of their columns.
  base::Result<AuditEntry> append(AuditEntry entry, const UnitOfWork& with = {},
                                  const base::StopToken& stop = {},
                                  base::Deadline deadline = base::Deadline::never());

  /// The oldest first, starting after `after`.
  [[nodiscard]] base::Result<std::vector<AuditEntry>> list(
      std::int64_t after, std::size_t limit, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

  /// Faults in the chain, such as "entry 7: it was changed"; empty if it is intact.
  [[nodiscard]] base::Result<std::vector<std::string>> faults(const base::StopToken& stop = {});

 private:
  Engine& engine_;
  const base::Clock& clock_;
};

}  // namespace clever::storage
