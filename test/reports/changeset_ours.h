#pragma once
// Report #7120: the product's changesets, held to the models' properties. The journal is the
// models' disk; the context, its handles, the writer and what the plan decides are the product's.

#include <memory>

#include "engine/plan_execution_context.h"
#include "reports/changeset_models.h"

namespace clever::reports::changeset {

class Ours {
 public:
  using Handle = std::shared_ptr<engine::Changeset>;
  explicit Ours(Disk& disk);
  ~Ours();

  Handle start();
  Recorded record(const Handle& mine, int change);
  /// There is no latest one to record into.
  Recorded record_into_latest(int /*change*/) { return Recorded::kRefused; }
  [[nodiscard]] std::vector<Entry> entries(const Handle& changeset) const;
  /// Changesets that began without their first change.
  [[nodiscard]] int orphans() const;

 private:
  class Life;
  std::unique_ptr<Life> life_;
};

}  // namespace clever::reports::changeset
