#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/sha256.h"
#include "base/stop_token.h"
#include "model/change.h"
#include "storage/changesets.h"
#include "storage/plan_appender.h"

namespace clever::sandbox {

/// Where the changesets of one plan are written down and read back. Thread-safe.
class ChangeLog {
 public:
  virtual ~ChangeLog() = default;
  virtual base::Result<void> start(const model::ChangesetId& id,
                                   const model::DecisionId& decision) = 0;
  virtual base::Result<void> record(const model::ChangesetId& id,
                                    std::vector<model::ChangeEntry> entries) = 0;
  virtual base::Result<void> seal(const model::ChangesetId& id, const base::Sha256Digest& digest,
                                  std::int64_t entries) = 0;
  virtual base::Result<storage::ChangesetFacts> facts(const model::ChangesetId& id) = 0;
  virtual base::Result<std::vector<model::ChangeEntry>> entries(const model::ChangesetId& id) = 0;
};

/// In the journal of the plan that `appender` writes; both must outlive it.
[[nodiscard]] std::unique_ptr<ChangeLog> stored_change_log(storage::PlanAppender& appender,
                                                           storage::Engine& engine);

/// A changeset that was sealed: what apply takes. A value.
struct SealedChangeset {
  model::ChangesetId id{};
  base::Sha256Digest digest{};
  std::vector<model::NetChange> changes{};
};

/// A changeset of one caller, by which alone it is recorded into: there is no "current" one that
/// another could have replaced, so a change cannot be written down in the wrong place.
///
/// Belongs to whoever started it; moves, never copied. Thread-safe: the tools of one caller may
/// record at once, and are numbered 1, 2, 3, … without a gap. The log must outlive it.
class Changeset {
 public:
  /// There, and durable, when this returns: one write, so that no crash leaves half of it.
  [[nodiscard]] static base::Result<Changeset> start(ChangeLog& log, const model::ChangesetId& id,
                                                     const model::DecisionId& decision = {});
  /// Goes on with one that was started before, by this process or one before it. `not_found`.
  [[nodiscard]] static base::Result<Changeset> resume(ChangeLog& log, const model::ChangesetId& id);

  Changeset(Changeset&&) noexcept = default;
  Changeset& operator=(Changeset&&) noexcept = default;
  Changeset(const Changeset&) = delete;
  Changeset& operator=(const Changeset&) = delete;
  ~Changeset() = default;

  [[nodiscard]] const model::ChangesetId& id() const { return id_; }

  /// All of them or none, one after another, durable when this returns. `conflict` once it is
  /// sealed. Numbers and times that the entries may bear are not looked at: the log gives them.
  base::Result<void> record(std::vector<model::ChangeEntry> entries);
  /// Closes it. What is recorded at the same time is either in the digest or refused. Sealing again
  /// gives the same answer.
  base::Result<SealedChangeset> seal();
  [[nodiscard]] base::Result<std::vector<model::ChangeEntry>> entries() const {
    return log_->entries(id_);
  }

 private:
  Changeset(ChangeLog& log, const model::ChangesetId& id) : log_(&log), id_(id) {}

  ChangeLog* log_;
  model::ChangesetId id_;
};

/// What was sealed, for apply. `not_found`; `conflict` while it is open; `corruption` if the
/// entries do not have the digest that they were sealed with.
[[nodiscard]] base::Result<SealedChangeset> load_sealed(ChangeLog& log,
                                                        const model::ChangesetId& id);

}  // namespace clever::sandbox
