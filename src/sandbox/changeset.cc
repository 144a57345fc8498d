#include "sandbox/changeset.h"

#include "model/change_events.h"

namespace clever::sandbox {
namespace {

class StoredChangeLog final : public ChangeLog {
 public:
  StoredChangeLog(storage::PlanAppender& appender, storage::Engine& engine)
      : appender_(appender), changesets_(engine) {}

  base::Result<void> start(const model::ChangesetId& id,
                           const model::DecisionId& decision) override {
    return append(model::ChangesetStarted{id, decision}.to_event());
  }
  base::Result<void> record(const model::ChangesetId& id,
                            std::vector<model::ChangeEntry> entries) override {
    return append(model::ChangesRecorded{id, std::move(entries)}.to_event());
  }
  base::Result<void> seal(const model::ChangesetId& id, const base::Sha256Digest& digest,
                          std::int64_t entries) override {
    return append(model::ChangesetSealed{id, digest, entries}.to_event());
  }
  base::Result<storage::ChangesetFacts> facts(const model::ChangesetId& id) override {
    return changesets_.find(id);
  }
  base::Result<std::vector<model::ChangeEntry>> entries(const model::ChangesetId& id) override {
    return changesets_.entries(id);
  }

 private:
  base::Result<void> append(model::Event event) {
    storage::PlanAppender::Part part;
    part.events.push_back(std::move(event));
    CLEVER_TRY(appender_.append(std::move(part)));
    return {};
  }

  storage::PlanAppender& appender_;
  storage::Changesets changesets_;
};

}  // namespace

std::unique_ptr<ChangeLog> stored_change_log(storage::PlanAppender& appender,
                                             storage::Engine& engine) {
  return std::make_unique<StoredChangeLog>(appender, engine);
}

base::Result<Changeset> Changeset::start(ChangeLog& log, const model::ChangesetId& id,
                                         const model::DecisionId& decision) {
  CLEVER_TRY(log.start(id, decision));
  return Changeset(log, id);
}

base::Result<Changeset> Changeset::resume(ChangeLog& log, const model::ChangesetId& id) {
  CLEVER_TRY(log.facts(id));
  return Changeset(log, id);
}

base::Result<void> Changeset::record(std::vector<model::ChangeEntry> entries) {
  if (entries.empty()) return {};
  return log_->record(id_, std::move(entries))
      .context("recording into changeset " + id_.to_string());
}

base::Result<SealedChangeset> Changeset::seal() {
  while (true) {
    CLEVER_ASSIGN(const storage::ChangesetFacts facts, log_->facts(id_));
    if (facts.digest) return load_sealed(*log_, id_);
    CLEVER_ASSIGN(const auto entries, log_->entries(id_));
    SealedChangeset sealed{.id = id_, .changes = model::net_changes(entries)};
    sealed.digest = model::digest_of(sealed.changes);
    const auto done = log_->seal(id_, sealed.digest, static_cast<std::int64_t>(entries.size()));
    if (done.ok()) return sealed;
    if (done.error().code() != base::ErrorCode::kConflict) return done.error();
    // Somebody sealed it, or recorded, meanwhile; or the plan is no longer ours.
    CLEVER_ASSIGN(const storage::ChangesetFacts now, log_->facts(id_));
    if (now == facts) return done.error();
  }
}

base::Result<SealedChangeset> load_sealed(ChangeLog& log, const model::ChangesetId& id) {
  CLEVER_ASSIGN(const storage::ChangesetFacts facts, log.facts(id));
  if (!facts.digest) {
    return base::conflict("changeset " + id.to_string() + " is still open; it is sealed first");
  }
  CLEVER_ASSIGN(const auto entries, log.entries(id));
  SealedChangeset sealed{id, *facts.digest, model::net_changes(entries)};
  if (model::digest_of(sealed.changes) != sealed.digest) {
    return base::corruption("the entries of changeset " + id.to_string() +
                            " do not have the digest it was sealed with");
  }
  return sealed;
}

}  // namespace clever::sandbox
