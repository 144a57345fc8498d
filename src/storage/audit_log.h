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

/// Something that was done about rights, or that was denied. A value.
struct AuditEntry {
  /// 1, 2, 3, …; given by the log, as is the time.
  std::int64_t sequence = 0;
  model::Timestamp time{};
  /// "ada", "the server's token"; empty: nobody knows.
  std::string caller{};
  /// "token.create", "POST /v1/plans"
  std::string action{};
  /// What it was about: a token, a person, a path.
  std::string target{};
  /// "done", "denied"
  std::string outcome{};
  std::string detail{};

  friend bool operator==(const AuditEntry&, const AuditEntry&) = default;
};

/// Denied calls and changes of rights, in one chain of hashes: an entry that is changed, removed
/// or slipped in is found by `db verify`.
///
/// Thread-safe, and safe between processes. What it was given must outlive it.
class AuditLog {
 public:
  AuditLog(Engine& engine, const base::Clock& clock) : engine_(engine), clock_(clock) {}

  /// Commits the entry and the unit in one transaction; refused as the unit is. Texts are cut to
  /// what a column takes.
  base::Result<AuditEntry> append(AuditEntry entry, const UnitOfWork& with = {},
                                  const base::StopToken& stop = {},
                                  base::Deadline deadline = base::Deadline::never());

  /// The oldest first, those after `after`.
  [[nodiscard]] base::Result<std::vector<AuditEntry>> list(
      std::int64_t after, std::size_t limit, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

  /// What is wrong with the chain, "entry 7: it was changed"; empty: nothing.
  [[nodiscard]] base::Result<std::vector<std::string>> faults(const base::StopToken& stop = {});

 private:
  Engine& engine_;
  const base::Clock& clock_;
};

}  // namespace clever::storage
